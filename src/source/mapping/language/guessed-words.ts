// What an expression would take for a text though a column was meant, or for a list though there is none yet: refused with the
// form to write.
import { quote } from '../../../core/text/text.js';
import type { Scope } from './scope.js';

type StepWords = Readonly<Record<string, unknown>>;

/** Words whose texts are put into values as they are. */
const literal = ['value', 'prefix', 'suffix', 'join', 'default', 'else'];

/** @param at the place of the source of the expression in the mapping file */
export function refuseGuessed(source: string, words: StepWords, scope: Scope, at: string): void {
  const place = at.endsWith(`.${source}`) ? at.slice(0, -source.length - 1) : at;
  const fail = (word: string, what: string) => scope.fail(`${place}.${word}`, what);
  const isName = (name: string) =>
    name.startsWith('$') ? scope.own.includes(name.slice(1)) : scope.columnsNamed(name) > 0;
  for (const word of literal) {
    const text = words[word];
    if (typeof text !== 'string') continue;
    if (scope.isColumn(text)) scope.asText(text, `${place}.${word}`);
    const name = [...text.matchAll(/\{([^{}]+)\}/g)].map(([, inner = '']) => inner).find(isName);
    if (name !== undefined) fail(word, `${quote(`{${name}}`)} would be a text here; write ${asTemplate(word, words)}`);
  }
  if (source === 'template') {
    const fault = templateFault(String(words['template']), isName);
    if (fault !== undefined) fail('template', fault);
  }
  const { column } = words;
  const isOneText =
    typeof column === 'string' ? column.startsWith('$') || scope.columnsNamed(column) === 1 : source === 'template';
  const early = isOneText ? beforeSplit(words) : undefined;
  if (early !== undefined)
    fail(early, `the value is one text here; write split: before ${early}:, as steps run in their order`);
}

/** The form that reads the columns in a text. */
function asTemplate(word: string, words: StepWords): string {
  const { column } = words;
  const text = String(words[word]);
  const own = typeof column === 'string' && (word === 'prefix' || word === 'suffix') ? `{${column}}` : '';
  const template = `{template: ${JSON.stringify(word === 'prefix' ? text + own : own + text)}}`;
  return word === 'default' && typeof column === 'string'
    ? `{first: [${/^[$\w]+$/.test(column) ? column : JSON.stringify(column)}, ${template}]}`
    : template;
}

/** What is wrong with a template in which columns are not in braces, or in two. */
function templateFault(template: string, isName: (name: string) => boolean): string | undefined {
  const single = template.replace(/\{(\{[^{}]+\})\}/g, '$1');
  if (single !== template) return `a column is in one pair of braces; write ${quote(single)}`;
  if (/\{[^{}]+\}/.test(template)) return undefined;
  const text = template.trim();
  const names = isName(text) ? [text] : (text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? []);
  if (names.length === 0 || !names.every(isName)) return undefined;
  const meant = isName(text) ? `{${text}}` : text.replace(/[\p{L}\p{M}\p{N}_$]+/gu, '{$&}');
  return `has no column in braces; write ${quote(meant)}, or value: in place of template: for the text itself`;
}

/** A step for lists before there is one: it does nothing, or empties the value. */
function beforeSplit(words: StepWords): string | undefined {
  const order = Object.keys(words);
  const split = order.indexOf('split');
  const early = ['take', 'join', 'starting'].find((word) => order.includes(word) && order.indexOf(word) < split);
  return early ?? (split === -1 && Number(words['take']) > 1 ? 'take' : undefined);
}
