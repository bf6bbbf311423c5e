// Texts with a format: colours, currencies, languages.

import type { MessageParams } from '../diagnostics/message-text.js';
import type { RefusalCode } from '../diagnostics/refusal-codes.js';
import { currencies } from './currencies.js';
import type { TextFormat } from './fields.js';

/** Why a text does not match its format. */
export interface FormatFault {
  readonly code: Extract<RefusalCode, 'field_format' | 'field_not_allowed_value'>;
  readonly params: MessageParams;
}

/**
 * Reads a text in a format.
 * @returns the text (a currency in upper case), or why it does not match
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

function wrongForm(form: 'colour' | 'currency' | 'language'): FormatFault {
  return { code: 'field_format', params: { form } };
}

function readHex(text: string): string | FormatFault {
  return /^#?[0-9a-f]{6}$/i.test(text) ? text : wrongForm('colour');
}

/** A colour as it is kept: `#rrggbb` in lower case. Until then it is as it was sent, since a refusal shows it. */
export function keptHex(text: string): string {
  return `#${text.replace('#', '').toLowerCase()}`;
}

function readCurrency(text: string): string | FormatFault {
  const code = text.toUpperCase();
  if (currencies.has(code)) return code;
  if (!/^[a-z]{3}$/i.test(text)) return wrongForm('currency');
  const params = { allowed: [...currencies], wanted: code, list: 'currencies' };
  return { code: 'field_not_allowed_value', params };
}

function readLanguage(text: string, isLanguage: (code: string) => boolean): string | FormatFault {
  if (!/^[a-z]{3}$/.test(text)) return wrongForm('language');
  if (isLanguage(text)) return text;
  const params = { allowed: [], wanted: text, list: 'languages' };
  return { code: 'field_not_allowed_value', params };
}
