// The checks of words that give a value for a value: `replace`, `map` and `boolean`.
import { fold, quote } from '../../../core/text/text.js';
import { type Check, first, listOf, namesWith, refined, scalar, words } from './schema-checks.js';

type Pairs = Readonly<Record<string, unknown>>;

/** Words for what is replaced and for what takes its place, in other notations. */
const guessed = [
  ['from', 'search', 'find', 'old'],
  ['to', 'replace', 'with', 'new'],
] as const;

const anyPairs = namesWith(scalar, 'pairs such as {"-": " "}, or {pattern: "…", with: "…"}');

export const replacement = refined(anyPairs, (value, path) => {
  const given = value as Pairs;
  const names = Object.keys(given);
  if (names.includes(''))
    return { path, message: '"" is not a text to replace; name one, or add a text with prefix: or suffix:' };
  if (Object.hasOwn(given, 'pattern')) {
    const other = names.find((name) => name !== 'pattern' && name !== 'with');
    const form = 'write {pattern: "…", with: "…"}, which replaces every match';
    if (other !== undefined) return { path, message: `${quote(other)} is not a word next to pattern; ${form}` };
    return names.length === 2 ? undefined : { path, message: `needs with: next to pattern; ${form}` };
  }
  const [from, to] = guessed.map((some) => names.find((name) => (some as readonly string[]).includes(name)));
  if (names.length !== 2 || from === undefined || to === undefined) return undefined;
  const [one, other] = [JSON.stringify(String(given[from])), JSON.stringify(String(given[to]))];
  const message = `would replace the words ${quote(from)} and ${quote(to)} themselves; write {${one}: ${other}}, or {pattern: …, with: ${other}}`;
  return { path, message };
});

const empties = 'never applies, as an empty cell stays empty';

export const mapPairs = refined(namesWith(scalar, 'pairs such as {"1": activated}'), (value, path) => {
  const given = value as Pairs;
  const seen = new Map<string, string>();
  return first(
    Object.entries(given).map(([from, to]) => () => {
      if (from === '') return { path, message: `"" ${empties}; write default: ${JSON.stringify(to)} after map` };
      const same = seen.get(fold(from.trim()));
      seen.set(fold(from.trim()), from);
      if (same === undefined || String(given[same]) === String(to)) return undefined;
      const message = `${quote(same)} and ${quote(from)} are the same value here, as case does not count; write one of them`;
      return { path, message };
    }),
  );
});

const list = listOf(scalar, 'a list of words');
const twoLists = words({ true: list, false: list }, 'words such as {true: [ja], false: [nein]}');

export const booleanWords: Check = refined(twoLists, (value, path) => {
  const given = value as { readonly true?: readonly unknown[]; readonly false?: readonly unknown[] };
  const folded = (some: readonly unknown[] = []) => some.map((word) => fold(String(word)));
  const [yes, no] = [folded(given.true), folded(given.false)];
  const side = yes.includes('') ? 'true' : no.includes('') ? 'false' : undefined;
  if (side !== undefined) return { path, message: `"" ${empties}; write default: ${side} after boolean` };
  const both = yes.find((word) => no.includes(word));
  return both === undefined ? undefined : { path, message: `${quote(both)} is in both lists; write it in one of them` };
});
