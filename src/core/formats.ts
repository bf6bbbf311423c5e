// Texts with a rule of their own: colours, currencies, languages.
import { currencies } from './currencies.js';
import type { TextFormat } from './fields.js';
import type { RefusalCode } from './messages.js';
import { nearest, quote } from './text.js';

/** Why a text has not the format it should have. */
export interface FormatFault {
  readonly code: Extract<RefusalCode, 'field_format' | 'field_not_allowed_value'>;
  readonly message: string;
}

/** The words for a value that is not one of a closed list: what is accepted, and the nearest of it. */
export function notAllowed(sent: string, wanted: string, allowed: readonly string[], accepted: string): string {
  const near = nearest(wanted, allowed);
  return `${quote(sent)} is not allowed; ${accepted} is accepted${near === undefined ? '' : `, the nearest is ${near}`}`;
}

/**
 * Reads a text in a format.
 * @returns the text as it is kept (`#rrggbb` in lower case, a currency in upper case), or why it is none
 */
export function readFormat(
  format: TextFormat,
  text: string,
  isLanguage: (code: string) => boolean,
): string | FormatFault {
  switch (format) {
    case 'hex':
      return readHex(text);
    case 'currency':
      return readCurrency(text);
    case 'language':
      return readLanguage(text, isLanguage);
  }
}

function misshapen(text: string, message: string): FormatFault {
  return { code: 'field_format', message: `${quote(text)} ${message}` };
}

function readHex(text: string): string | FormatFault {
  if (/^#?[0-9a-f]{6}$/i.test(text)) return `#${text.replace('#', '').toLowerCase()}`;
  return misshapen(text, 'is no colour; six hexadecimal digits are accepted, with or without #');
}

function readCurrency(text: string): string | FormatFault {
  const code = text.toUpperCase();
  if (currencies.has(code)) return code;
  if (!/^[a-z]{3}$/i.test(text)) {
    return misshapen(text, 'is no currency code; three letters of ISO 4217 are accepted, such as EUR');
  }
  const message = notAllowed(text, code, [...currencies], 'a current ISO 4217 code');
  return { code: 'field_not_allowed_value', message };
}

function readLanguage(text: string, isLanguage: (code: string) => boolean): string | FormatFault {
  if (!/^[a-z]{3}$/.test(text)) {
    return misshapen(text, 'is no language code; three lower-case letters of ISO 639-3 are accepted, such as eng');
  }
  if (isLanguage(text)) return text;
  const message = `${quote(text)} is no language; an ISO 639-3 code is accepted`;
  return { code: 'field_not_allowed_value', message };
}
