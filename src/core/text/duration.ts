// Durations as they are typed: `90s`, `26h`, `30d`.

export const durationForm = /^(\d{1,6})([smhd])$/;

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Its seconds, which may be 0; undefined for any other text. */
export function spanSeconds(text: string): number | undefined {
  const [, count, unit = ''] = durationForm.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? 0);
}

/** Its seconds; undefined for any other text, and for none at all. */
export function durationSeconds(text: string): number | undefined {
  return spanSeconds(text) || undefined;
}
