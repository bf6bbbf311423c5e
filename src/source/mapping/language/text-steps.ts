// The steps that make a text of a text: the check of what a mapping writes, and what the step does. A new one is a line here.
import { text as anyText, type Check, filledText, oneOf, only } from '../schema/schema-checks.js';
import { deriveIdentifier } from '../values/derive-identifier.js';
import { stripHtml } from '../values/strip-html.js';

type TextStep = readonly [check: Check, change: (given: string) => (text: string) => string];

const cases: Readonly<Record<string, (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  title: (text) => text.toLowerCase().replace(/(?<![\p{L}\p{M}'’])\p{L}/gu, (letter) => letter.toUpperCase()),
  sentence: (text) => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase(),
};

export const textSteps: Readonly<Record<string, TextStep>> = {
  trim: [only(true), () => (text) => text.trim()],
  html: [only('strip'), () => stripHtml],
  apostrophe: [only('strip'), () => (text) => text.replace(/^'/, '')],
  case: [oneOf(Object.keys(cases)), (given) => cases[given] ?? ((text) => text)],
  before: [filledText(), (given) => (text) => (text.split(given, 1)[0] ?? '').trim()],
  after: [
    filledText(),
    (given) => (text) => text.slice(text.includes(given) ? text.indexOf(given) + given.length : 0).trim(),
  ],
  prefix: [anyText(), (given) => (text) => given + text],
  suffix: [anyText(), (given) => (text) => text + given],
  identifier: [anyText('a prefix such as file_'), (given) => (text) => deriveIdentifier(text, given)],
};
