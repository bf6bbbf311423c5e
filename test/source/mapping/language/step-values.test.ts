// What single steps make of values: lists, bounds of texts, and what they refuse.
import { describe, expect, it } from 'vitest';
import { longerNaming } from '../../../../src/source/mapping/language/category-namer.js';
import { compilePattern } from '../../../../src/source/mapping/language/safe-pattern.js';
import type { Context, StepScope } from '../../../../src/source/mapping/language/scope.js';
import { sourceWords } from '../../../../src/source/mapping/language/source-value.js';
import { compileStep, splitParts } from '../../../../src/source/mapping/language/steps.js';

type Words = Readonly<Record<string, unknown>>;
const most = 1024 * 1024;

/** The value that a step makes, with what it refuses it for. */
function run(words: Words, value: unknown, about: Partial<Record<keyof StepScope, unknown>> = {}) {
  const problems: string[] = [];
  const scope = {
    ...{ place: 'fields.name', source: 'column "A"', target: 'name', read: {}, repeated: new Set(), paths: {} },
    fail: (place: string, message: string) => {
      throw new Error(`${place}: ${message}`);
    },
    decided: () => undefined,
    ...about,
  } as unknown as StepScope;
  const [word = ''] = Object.keys(words);
  const context = {
    ...{ record: {}, own: {}, isRefused: () => problems.length > 0 },
    refuse: ({ message }: { message: string }) => problems.push(message),
  } as unknown as Context;
  const made = compileStep(word, words, scope)(value as string, context);
  return { made, problems };
}

/** The value of a step that refuses nothing. */
function made(words: Words, value: unknown, about: Parameters<typeof run>[2] = {}) {
  const { made: one, problems } = run(words, value, about);
  expect(problems).toEqual([]);
  return one;
}

describe('a step makes', () => {
  it.each<[Words, unknown, unknown, Parameters<typeof run>[2]?]>([
    [{ default: 'x' }, ['', ''], 'x'],
    [{ default: 'x' }, ['', 'a'], ['', 'a']],
    [{ default: 'x' }, 'a', 'a'],
    [{ take: 'longest' }, ['a', 'abc', 'xyz', 'b'], 'abc'],
    [{ take: 'sum' }, ['1', '', '2'], '3'],
    [{ take: 'sum' }, ['', ''], ''],
    [{ join: '-' }, ['a', '', 'b'], 'a-b'],
    [{ split: ',' }, 'a, ,b', ['a', 'b']],
    [{ boolean: { true: ['ja'], false: ['nein'] } }, 'Ja', 'true'],
    [{ boolean: { true: ['ja'], false: ['nein'] } }, 'nein', 'false'],
    [{ replace: { '-': ' ' } }, 'a-b', 'a b'],
    [{ replace: { with: 'w', c: 'd' } }, 'with c', 'w d'],
    [{ path: '>' }, 'A > B > C', 'C'],
    [{ path: '>' }, 'A > B > C', 'C (B)', { paths: { name: 'parent' } }],
    [{ path: '>', name: 'full' }, 'A > B > C', 'A > B > C', { paths: { name: 'parent', drop: 1 } }],
    [{ path: '>', names: 'path' }, 'A > B > C', 'A > B > C', { paths: { name: 'parent', drop: 1 } }],
    [{ path: '>' }, 'A > B > C', 'A > B > C', { target: 'category' }],
    [{ path: '>', name: 'full' }, 'A > B > C', 'A > B > C', { target: 'category' }],
    [{ path: '>', name: 'parent' }, 'A > B > C', 'A > B (A) > C (B)', { target: 'category' }],
    [{ number: true }, '1.5', '1.5', { read: { decimal: '.' } }],
    [{ number: null }, '1.5', '1.5', { read: { decimal: '.' } }],
  ])('of %j and %j: %j', (words, value, result, about) => expect(made(words, value, about)).toEqual(result));
});

describe('a step refuses', () => {
  it.each<[Words, unknown, RegExp, Parameters<typeof run>[2]?]>([
    [{ boolean: { true: ['ja'], false: ['nein'] } }, 'vielleicht', /vielleicht/],
    [{ split: ',' }, ['a,b', 'c'], /a,b/, { member: () => undefined }],
    [{ plus: 'B' }, '5', /x1/, { operand: () => () => 'x1' }],
    [
      { lookup: { table: 't', column: 'b' } },
      'k',
      /k/,
      { table: () => ({ columns: ['b'], rows: new Map(), cells: new Map() }) },
    ],
  ])('%j of %j', (words, value, reason, about) => {
    const { made: one, problems } = run(words, value, about);
    expect(problems).toEqual([expect.stringMatching(reason)]);
    expect([one].flat()).not.toContain(value);
  });

  it('a column that its table does not have, before anything is read', () => {
    const table = () => ({ columns: ['a', 'b'] });
    expect(() => run({ lookup: { table: 't', column: 'c' } }, '1', { table })).toThrow(
      'the table t has a, b, and no c',
    );
  });
});

describe('a text grows to a million characters, and not further', () => {
  const a = (length: number) => 'a'.repeat(length);

  it.each<[string, Words, unknown, unknown]>([
    ['parts that are joined', { join: '' }, [a(most - 1), 'b'], [a(most), 'b']],
    ['a text that is replaced', { replace: { x: 'yy' } }, `x${a(most - 2)}`, `x${a(most - 1)}`],
    ['a pattern that is replaced', { replace: { pattern: 'x', with: a(65_535) } }, a(1023), a(1024)],
    ['a pattern that is replaced by less', { replace: { pattern: 'x', with: a(41_604) } }, a(1612), a(1613)],
    ['the texts of a list', { case: 'lower' }, [a(most - 1), 'b', ''], [a(most), 'b', '']],
    ['one text of a list', { case: 'lower' }, [a(most)], [a(most + 1)]],
  ])('%s', (_, words, value, longer) => {
    expect(run(words, value).problems).toEqual([]);
    expect(run(words, longer).problems).toEqual([expect.stringMatching('of more than 1048576 characters')]);
  });
});

it('a regular expression has at most a thousand characters', () => {
  expect(compilePattern(a1000)).not.toHaveProperty('fault');
  expect(compilePattern(`${a1000}a`)).toEqual({ fault: 'is longer than 1000 characters' });
});
const a1000 = 'a'.repeat(1000);

it('parts are trimmed, and empty ones left out', () => expect(splitParts(' a ,, b', ',')).toEqual(['a', 'b']));

it.each([
  [{}, ['parent', 'full']],
  [{ names: 'path' }, []],
  [{ name: 'parent' }, ['full']],
  [{ name: { repeated: 'parent' } }, ['full']],
] as const)('longer names than by %j are made by %j', (names, longer) => expect(longerNaming(names)).toEqual(longer));

it.each([
  ['from', { from: { column: 'price' } }, 'currency'],
  ['from', { from: 'price' }, 'column "price"'],
  ['column', { column: 'price' }, 'column "price"'],
  ['columns', { columns: ['A', { column: 'B' }] }, 'columns "A", "B"'],
  ['value', { value: 5 }, 'value 5'],
] as const)('the source %s of %j is called %s', (source, words, called) =>
  expect(sourceWords(source, words)).toBe(called),
);
