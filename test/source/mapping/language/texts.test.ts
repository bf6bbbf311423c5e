// Steps for texts: cutting to a limit, and regular expressions that always end.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteLength } from '../../../../src/core/text/text.js';
import { deriveIdentifier } from '../../../../src/source/mapping/values/derive-identifier.js';
import { truncate } from '../../../../src/source/mapping/values/truncate.js';
import { allowed } from '../../../tier.js';
import { readMapped } from '../given.js';

async function nameOf(step: string, cell: string): Promise<string> {
  const { items, problems } = await readMapped(
    `fields: {sku: sku, name: {column: n, ${step}}}`,
    `sku,n\nA,"${cell}"\n`,
  );
  expect(problems).toEqual([]);
  return (items[0] as { name?: string }).name ?? '';
}

describe('truncate', () => {
  it.each([
    ['Gartenschlauch mit Kupplung', { characters: 20 }, 'Gartenschlauch mit'],
    ['Gartenschlauch mit', { characters: 18 }, 'Gartenschlauch mit'],
    ['Gartenschlauch mit Kupplung', { characters: 18 }, 'Gartenschlauch mit'],
    ['Donaudampfschifffahrt', { characters: 5 }, 'Donau'],
    ['A Donaudampfschifffahrt', { characters: 12 }, 'A Donaudampf'],
    ['Müllsäcke', { bytes: 3 }, 'Mü'],
    ['Müllsäcke', { bytes: 2 }, 'M'],
    ['ab👨‍👩‍👧cd', { characters: 4 }, 'ab'],
    ['ae\u0301b', { characters: 2 }, 'a'],
    ['👨‍👩‍👧 family', { bytes: 10 }, '👨'],
    ['日本語テキスト', { bytes: 7 }, '日本'],
    ['short', { bytes: 190 }, 'short'],
    ['Tea pot \t\u00a0blue', { characters: 11 }, 'Tea pot'],
    ['pot green', { characters: 7 }, 'pot gre'],
    ['pots green', { characters: 7 }, 'pots'],
    ['\u007f\u007f\u007f', { bytes: 2 }, '\u007f\u007f'],
    ['\u0080\u0080', { bytes: 3 }, '\u0080'],
    ['\u07ff\u07ff', { bytes: 4 }, '\u07ff\u07ff'],
    ['\u0800\u0800', { bytes: 5 }, '\u0800'],
    ['\uffff\uffff', { bytes: 6 }, '\uffff\uffff'],
    ['\u{10000}\u{10000}', { bytes: 7 }, '\u{10000}'],
  ])('%s to %j is %s', (text, limit, cut) => {
    expect(truncate(text, limit)).toBe(cut);
  });

  it('keeps to its limit, cuts no surrogate pair, and leaves what fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (text, bytes) => {
        const cut = truncate(text, { bytes });
        expect(byteLength(cut)).toBeLessThanOrEqual(bytes);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(text.isWellFormed());
        if (byteLength(text) <= bytes) expect(cut).toBe(text);
      }),
    );
  });

  it('takes no more time for blanks than for words', () => {
    const text = `a${' '.repeat(60_000)}b c${'d'.repeat(60)}`;
    const begun = performance.now();
    expect(truncate(text, { characters: 60_020 })).toBe(`a${' '.repeat(60_000)}b`);
    expect(performance.now() - begun).toBeLessThan(allowed(200));
  });

  it('is reported once a run, with the number of values', async () => {
    const { items, notes } = await readMapped(
      'fields: {sku: sku, name: {column: n, truncate: {characters: 5}}}',
      'sku,n\nA,Tea pot\nB,Tea\nC,Milk jug\n',
    );
    expect(items).toMatchObject([{ name: 'Tea' }, { name: 'Tea' }, { name: 'Milk' }]);
    expect(notes).toEqual(['column "n": cut to 5 characters (2 values)']);
  });
});

describe('identifier', () => {
  it.each([
    ['https://x.test/img/Tea Pot.JPG?w=1/2#a', 'tea-pot-jpg'],
    ['https://x.test/img/tea/', 'tea'],
    ['https://x.test/img/tea/?page=2', 'tea'],
    ['https://x.test', 'x-test'],
    ['https://x.test/a//', ''],
    ['Müller & Söhne / Wien', 'muller-sohne-wien'],
    ['Gesellschaft für Gartenmöbel und Zubehör', 'gesellschaft-fur-gartenmobel-u'],
  ])('of %s is made of %j, its last part, and what makes it distinct', (text, word) => {
    const made = deriveIdentifier(text, 'f_');
    expect(made.replace(/[0-9a-f]{16}$/, '')).toBe(`f_${word}${word === '' ? '' : '-'}`);
    expect(deriveIdentifier(`${text}x`, 'f_')).not.toBe(made);
  });

  it('differs by the case of an address, and not by that of a name', () => {
    expect(deriveIdentifier('https://x.test/A', '')).not.toBe(deriveIdentifier('https://x.test/a', ''));
    expect(deriveIdentifier(' ACME', '')).toBe(deriveIdentifier('Acme ', ''));
  });

  it('takes time by the length of an address', () => {
    const begun = performance.now();
    deriveIdentifier(`https://x.test/${'a'.repeat(100_000)}/b`, 'f_');
    expect(performance.now() - begun).toBeLessThan(allowed(200));
  });
});

describe('regular expressions', () => {
  it.each([
    ['match: "\\\\d+ ?ml"', 'Shampoo 250 ml Flasche', '250 ml'],
    ['match: "(\\\\d+) ?ml"', 'Shampoo 250 ml Flasche', '250'],
    ['match: "(\\\\d+) ?ml"', 'Shampoo', ''],
    ['match: "(?i)größe (\\\\p{L}+)"', 'T-Shirt GRÖSSE xl Größe XXL', 'XXL'],
    ['replace: {pattern: "(\\\\d+)x(\\\\d+)", with: "$2 × $1"}', 'Brett 10x20', 'Brett 20 × 10'],
    ['replace: {pattern: "(?P<a>\\\\w+)-", with: "$<a> "}', 'a-b-c', 'a b c'],
    ['replace: {"-": " ", "x": "×"}', '10x20-30', '10×20 30'],
    ['match: "([0-9]+) GB|([0-9]+) TB"', 'RAM 2 TB', '2'],
    ['match: "([0-9]+) GB|([0-9]+) TB"', 'RAM 16 GB', '16'],
    ['match: "([0-9]*) GB|([0-9]+) TB"', ' GB', ''],
    ["match: '\\b([0-9]+)\\b'", 'a1 22', '22'],
    ['match: "[/]RAM[/]"', 'a/RAM/b', '/RAM/'],
    ['match: "/[a-z]/[a-z]/"', 'a/b/c/', '/b/c/'],
    ['match: "\\\\x1D([0-9]+)"', 'a\x1d12', '12'],
    ['replace: {"\\x1d": "-"}', 'a\x1d12', 'a-12'],
    ['replace: {pattern: "[ab]", with: "$$$&"}', 'abc', '$a$bc'],
    ['replace: {"10": ten, "11": eleven, "1": one}', '10 11 1', 'ten eleven one'],
    ['replace: {"1": one, "10": ten}', '10 1', 'ten one'],
    ['replace: {with: ohne, "-": " "}', 'a-with', 'a ohne'],
  ])('%s of %s', async (step, cell, result) => {
    expect(await nameOf(step, cell)).toBe(result);
  });

  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){25}$'])(
    '%s ends on a text that others never end on',
    async (pattern) => {
      const begun = performance.now();
      await nameOf(`match: "${pattern}"`, `${'a'.repeat(20_000)}!`);
      expect(performance.now() - begun).toBeLessThan(allowed(5_000));
    },
  );

  it.each([
    ['match: "("', /fields\.name\.match: "\(" is not a regular expression that can be used \(missing closing \)/],
    ['match: "(?=a)b"', /look-ahead and back-references are not supported\.$/],
    ['match: "(a)\\\\1"', /is not a regular expression/],
    [
      'replace: {pattern: "a", with: "$9"}',
      /fields\.name\.replace: with: group \$9 not found; the expression has 0\.$/,
    ],
    [`match: "${'a'.repeat(1001)}"`, /is longer than 1000 characters/],
    [
      'match: "\\b([0-9]+)\\b"',
      /has the control character U\+0008, as "\\b" in double quotes is a backspace; write .*single quotes/,
    ],
    [
      'match: "a\\x7f"',
      /has the control character U\+007F; write the expression in single quotes, or \\\\ for each backslash\.$/,
    ],
    ['match: "/[0-9]+/i"', /has slashes around it.*write it without them: "\(\?i\)\[0-9\]\+"\.$/],
    ['match: "/RAM/"', /write it without them: "RAM", or with slashes of the text as "\[\/\]RAM\[\/\]"\.$/],
    ['replace: {pattern: "/a\\\\/b/g", with: x}', /write it without them: "a\/b"\.$/],
    ...[
      ['\\\\2', '$2'],
      ['\\\\0', '$&'],
      ['$0', '$&'],
      [`$${'{1}'}`, '$1'],
      [`$${'{a}'}`, '$<a>'],
      ['\\\\g<a>', '$<a>'],
    ].map(([given, meant]): [string, string] => [
      `replace: {pattern: "(?P<a>a)(b)", with: "${given}"}`,
      `would be in the text as it is; write ${meant} for the group.`,
    ]),
    [
      'replace: {from: "-", to: " "}',
      /would replace the words "from" and "to" themselves; write \{"-": " "\}, or \{pattern/,
    ],
    ['replace: {new: " ", old: "-"}', /write \{"-": " "\}/],
    ['replace: {pattern: "-", to: " "}', /"to" is not a word next to pattern; write \{pattern: "…", with: "…"\}/],
    ['replace: {pattern: "-", with: " ", all: true}', /"all" is not a word next to pattern/],
    ['replace: {pattern: "[0-9]"}', /needs with: next to pattern; write/],
    ['replace: {"": "-"}', /"" is not a text to replace/],
    [
      'map: {"": none}',
      /fields\.name\.map: "" never applies, as an empty cell stays empty; write default: "none" after map\.$/,
    ],
    ['map: {ja: one, Ja: two}', /"ja" and "Ja" are the same value here, as case does not count; write one of them\.$/],
    [
      'boolean: {true: [1, JA], false: [0, ja]}',
      /fields\.name\.boolean: "ja" is in both lists; write it in one of them\.$/,
    ],
    [
      'boolean: {true: [1], false: [0, ""]}',
      /"" never applies, as an empty cell stays empty; write default: false after boolean\.$/,
    ],
  ])('%s is an error before anything is read', async (step, message) => {
    const mapping = `fields: {sku: sku, name: {column: n, ${step}}}`;
    await expect((async () => readMapped(mapping, 'sku,n\nA,B\n'))()).rejects.toThrow(message);
  });
});
