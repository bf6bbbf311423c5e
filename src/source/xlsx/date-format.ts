// Formats dates of a workbook as its number formats show them: a format is compiled once, and applied to all cells of
// its style. Names of months are English, as in the built-in formats.

/** The standard codes of the built-in date formats, by id. */
export const builtInDates: Readonly<Record<number, string>> = {
  // 14 and 22 depend on the reader's country, which the file does not contain: written unambiguously.
  14: 'yyyy-mm-dd',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy-mm-dd h:mm',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};

const months = 'January February March April May June July August September October November December'.split(' ');

/** Formats a moment: seconds since the epoch as UTC, and seconds since day 0 of the workbook. */
export type DateShow = (instant: number, elapsed: number) => string;

/** One piece of a formatted date. */
type FormatPart = (date: Date, elapsed: number) => string;

interface Token {
  /** The code in lower case: `dd`, `[h]`, `am/pm`; '' for literal text. */
  readonly name: string;
  readonly words: string;
}

const token =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|\[\$-(?<locale>[\w-]+)\]|(?<name>\[(?:hh?|mm?|ss?)\]|am\/pm|d+|m+|y+|h+|s+(?:\.0{1,3})?)|(?<separator>[ \-/.,:()+'])/giy;

/**
 * Compiles a number format.
 * @param code as in the workbook; the part after a semicolon is for other values and is ignored
 * @returns undefined if a part has no certain form: names of weekdays, months in other languages, the system's format
 */
export function dateFormat(code: string): DateShow | undefined {
  const tokens = tokensOf(code);
  if (tokens === undefined) return undefined;
  const named = tokens.filter(({ name }) => name !== '');
  const ofTwelve = named.some(({ name }) => name === 'am/pm');
  const parts: FormatPart[] = [];
  for (const each of tokens) {
    const at = named.indexOf(each);
    // m means minutes after hours and before seconds, else months.
    const minutes = /h/.test(named[at - 1]?.name ?? '') || /^\[?s/.test(named[at + 1]?.name ?? '');
    const part = at === -1 ? () => each.words : partOf(each.name, minutes, ofTwelve);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  const decimals = Math.max(0, ...named.map(({ name }) => name.split('.')[1]?.length ?? 0));
  const rounded = (seconds: number): number => Number(seconds.toFixed(decimals));
  return (instant, elapsed) => {
    const date = new Date(Math.round(rounded(instant) * 1000));
    const since = rounded(elapsed);
    return parts.map((part) => part(date, since)).join('');
  };
}

/** The pieces of a format; undefined if one is unknown. */
function tokensOf(code: string): Token[] | undefined {
  const tokens: Token[] = [];
  let english = true;
  token.lastIndex = 0;
  for (let at = 0; at < code.length && code[at] !== ';'; at = token.lastIndex) {
    token.lastIndex = at;
    const groups = token.exec(code)?.groups;
    if (groups === undefined) return undefined;
    const { locale, name = '' } = groups;
    // [$-F800] and [$-F400] refer to the reader's system settings.
    if (locale !== undefined && /f[48]00$/i.test(locale)) return undefined;
    if (locale !== undefined) english = /09$|^9$|^en\b/i.test(locale);
    else
      tokens.push({
        name: name.toLowerCase(),
        words: groups['quoted'] ?? groups['escaped'] ?? groups['separator'] ?? '',
      });
  }
  return english || !tokens.some(({ name }) => name.startsWith('mmm')) ? tokens : undefined;
}

function partOf(name: string, minutes: boolean, ofTwelve: boolean): FormatPart | undefined {
  if (/^mm?$/.test(name) && minutes) return (date) => padded(date.getUTCMinutes(), name);
  if (name.startsWith('[')) return sincePart(name);
  if (name.includes('.')) return (date) => secondsWithDecimals(date, name);
  return dateParts[name] ?? (/^hh?$/.test(name) ? (date) => padded(hourOf(date, ofTwelve), name) : undefined);
}

const dateParts: Readonly<Record<string, FormatPart>> = {
  d: (date) => String(date.getUTCDate()),
  dd: (date) => padded(date.getUTCDate(), 'dd'),
  m: (date) => String(date.getUTCMonth() + 1),
  mm: (date) => padded(date.getUTCMonth() + 1, 'mm'),
  mmm: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  mmmm: (date) => months[date.getUTCMonth()] ?? '',
  yy: (date) => padded(date.getUTCFullYear() % 100, 'yy'),
  yyyy: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  s: (date) => String(date.getUTCSeconds()),
  ss: (date) => padded(date.getUTCSeconds(), 'ss'),
  'am/pm': (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
};

/** `[h]`: all hours since day 0, not of the day; likewise `[m]` and `[s]`. */
function sincePart(name: string): FormatPart {
  const unit = name.includes('h') ? 3600 : name.includes('m') ? 60 : 1;
  return (_, elapsed) => padded(Math.floor(elapsed / unit), name.slice(1, -1));
}

function secondsWithDecimals(date: Date, name: string): string {
  const [whole = '', decimals = ''] = name.split('.');
  const thousandths = String(date.getUTCMilliseconds()).padStart(3, '0');
  return `${padded(date.getUTCSeconds(), whole)}.${thousandths.slice(0, decimals.length)}`;
}

function hourOf(date: Date, ofTwelve: boolean): number {
  const hour = date.getUTCHours();
  return ofTwelve ? hour % 12 || 12 : hour;
}

/** A number as wide as its name: 7 for `d` is 7, for `dd` 07. */
function padded(number: number, name: string): string {
  return String(number).padStart(name.length, '0');
}
