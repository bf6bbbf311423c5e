// Core's environment: the clock, transliteration, the list of languages. Each is loaded when the first import needs it;
// reads need none of them.
import { randomUUID } from 'node:crypto';
import type { Fields } from '../core/fields/fields.js';
import type { Environment } from '../core/planning/item-task.js';
import { slugifier } from './slugifier.js';

/** A hash of the sources that decide about items, set by the build. */
declare const RULES_HASH: string;

/** Sources that are run unbuilt may change any time: each process is a build of its own. */
const rules = typeof RULES_HASH === 'undefined' ? randomUUID() : RULES_HASH;

/**
 * Loads the environment for items with these fields.
 * @returns the environment for one transaction, with a fixed time
 */
export async function loadEnvironment(fields: Fields): Promise<() => Environment> {
  const { default: toAscii } = await import('any-ascii');
  const slugify = slugifier(toAscii);
  const isLanguage = await loadLanguages(fields);
  return () => ({ now: Math.floor(Date.now() / 1000), slugify, isLanguage, rules });
}

/** Loads the check of ISO 639-3 codes if one of the fields is a language; otherwise it is never called. */
export async function loadLanguages(fields: Fields): Promise<(code: string) => boolean> {
  const needed = Object.values(fields).some((field) => field.kind === 'text' && field.format === 'language');
  if (!needed) return () => false;
  const { iso6393 } = await import('iso-639-3');
  const codes = new Set(iso6393.map(({ iso6393: code }) => code));
  return (code) => codes.has(code);
}
