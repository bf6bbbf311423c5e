// Checks of JSON that may come from an attacker, made of one another.

export type JsonCheck = (value: unknown) => boolean;

export const isText: JsonCheck = (value) => typeof value === 'string';
export const isFlag: JsonCheck = (value) => typeof value === 'boolean';
export const isCount: JsonCheck = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

export function oneOf(values: readonly string[]): JsonCheck {
  return (value) => values.includes(value as string);
}

export function orNull(check: JsonCheck): JsonCheck {
  return (value) => value === null || check(value);
}

export function listOf(check: JsonCheck): JsonCheck {
  return (value) => Array.isArray(value) && value.every(check);
}

/** An object with these members; those whose names end in `?` may be absent, and others are not looked at. */
export function objectOf(members: Readonly<Record<string, JsonCheck>>): JsonCheck {
  const checks = Object.entries(members).map(([name, check]) => {
    const isOptional = name.endsWith('?');
    return { name: isOptional ? name.slice(0, -1) : name, check, isOptional };
  });
  return (value) =>
    isObject(value) &&
    checks.every(({ name, check, isOptional }) => {
      const member = Object.hasOwn(value, name) ? value[name] : undefined;
      return member === undefined ? isOptional : check(member);
    });
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
