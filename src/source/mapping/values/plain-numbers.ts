// Exact arithmetic on plain numbers (`-1234.50`) as texts: nothing is rounded unless the mapping says so.

/** Maximum characters of a number that is calculated with: longer ones fit no field. */
const longestNumber = 1000;

export function isPlainNumber(text: string): boolean {
  return text.length <= longestNumber && /^-?\d+(?:\.\d+)?$/.test(text);
}

/** Negative if a plain number is less than another one, 0 if they are equal. */
export function compareNumbers(a: string, b: string): number {
  const scale = Math.max(decimals(a), decimals(b));
  const difference = units(a, scale) - units(b, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** Adds two plain numbers exactly. */
export function addNumbers(a: string, b: string): string {
  const scale = Math.max(decimals(a), decimals(b));
  return plain(units(a, scale) + units(b, scale), scale);
}

/** Multiplies two plain numbers exactly. */
export function multiplyNumbers(a: string, b: string): string {
  const [left, right] = [decimals(a), decimals(b)];
  return withoutZeros(plain(units(a, left) * units(b, right), left + right));
}

/** A plain number without zeros at the end of its fraction. */
function withoutZeros(number: string): string {
  return number.includes('.') ? number.replace(/\.?0+$/, '') : number;
}

/** Moves the decimal sign of a plain number: 1999 by -2 is 19.99. */
export function shiftNumber(number: string, places: number): string {
  const scale = decimals(number);
  if (places >= scale) return plain(units(number, scale) * 10n ** BigInt(places - scale), 0);
  return plain(units(number, scale), scale - places);
}

/** Rounds a plain number to so many decimals, half away from zero. */
export function roundNumber(number: string, places: number): string {
  const scale = decimals(number);
  if (scale <= places) return number;
  const divisor = 10n ** BigInt(scale - places);
  const value = units(number, scale);
  const half = value < 0n ? -divisor / 2n : divisor / 2n;
  return plain((value + half) / divisor, places);
}

function decimals(number: string): number {
  const at = number.indexOf('.');
  return at === -1 ? 0 : number.length - at - 1;
}

function units(number: string, scale: number): bigint {
  return BigInt(number.replace('.', '') + '0'.repeat(scale - decimals(number)));
}

function plain(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
  const sign = value < 0n ? '-' : '';
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
