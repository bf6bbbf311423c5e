// Lists of texts, of which some may be missing.

/** Those of the texts that are there. */
export const given = (...texts: readonly (string | false | undefined)[]): string[] =>
  texts.filter((text) => typeof text === 'string');

/** Remarks in one text; undefined without any. */
export const remarksOf = (...texts: readonly (string | false | undefined)[]): string | undefined =>
  given(...texts).join('; ') || undefined;

/** A column as a mapping reads it, with the steps that are there. */
export function columnWith(name: string, ...steps: readonly (string | false | undefined)[]): string {
  const all = given(JSON.stringify(name), ...steps);
  return all.length === 1 ? JSON.stringify(name) : `{ column: ${all.join(', ')} }`;
}
