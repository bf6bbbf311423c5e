// Every table of the command line fits the width that it is given: the list of commands is walked, so that a new table is held to it, too.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { allCommands } from '../../src/cli/command-entry.js';
import { commands } from '../../src/cli/command-list.js';
import { demo, folder, typed } from './typed.js';

/** Commands whose `--output table` is a sentence, or the lines of a diff. */
const sentences = [
  ...['feeds set', 'feeds retire', 'undo', 'runs forget', 'backup', 'restore', 'copy', 'db migrate'],
  ...['keys create', 'keys revoke', 'shop load', 'shop delete-product', 'map test'],
];

/** How the table of each other command is typed, with words that its head has. */
const tables: readonly (readonly [line: string, ...head: string[]])[] = [
  ['characteristics characteristics.csv --dry-run', 'line', 'key', 'reason'],
  ['categories categories.csv --dry-run', 'line', 'key', 'reason'],
  ['groups groups.csv --dry-run', 'line', 'key', 'reason'],
  ['products changed.csv --dry-run --diff --report all', 'line', 'key', 'action'],
  ['products many.csv --dry-run', 'line', 'key', 'Refused, by code and column:', 'items', 'code', 'column and problem'],
  ['reviews reviews.csv --dry-run', 'line', 'key', 'reason'],
  ['run delivery --dry-run --report all', 'created', 'updated', 'unchanged', 'refused', 'total'],
  ['plan products changed.csv --out /dev/null', 'line', 'key', 'action'],
  ['plan show night.plan', 'line', 'key', 'action'],
  ['apply night.plan --dry-run --report all', 'line', 'key', 'action'],
  ['inspect feeds/baumarkt.csv', 'column', 'field', 'filled', 'samples'],
  ['map show feeds/baumarkt.csv --map feeds/baumarkt.yaml', 'products, line'],
  ['schema product --output table', 'required'],
  ['get product LAMP-1 --output table', 'sku', 'price'],
  ['explain reference_not_found', 'What to do:'],
  ['list characteristics', 'name', 'status', 'kind'],
  ['list categories', 'name', 'status', 'parent_name'],
  ['list groups', 'name', 'status'],
  ['list products --include lowest_price_30d', 'sku', 'status', 'name'],
  ['list reviews', 'external_id', 'status', 'rating'],
  ['search lampe', 'resource', 'key', 'status', 'name'],
  ['info', 'resource', 'records', 'last change'],
  ['runs', 'run', 'started', 'feed', 'state', 'records', 'command'],
  ['runs show 3 --changes', 'run', 'command', 'state', 'record', 'changes', 'line'],
  ['prices product LAMP-1', 'since', 'price', 'status', 'run'],
  ['why product LAMP-1', 'day', 'field', 'value', 'run', 'feed', 'line', 'before'],
  ['missing --feed wholesaler-of-lamps', 'resource', 'key', 'last seen', 'status'],
  ['feeds', 'rank', 'feed', 'owns', 'lists'],
  ['doctor', 'check', 'result'],
  ['keys list', 'key', 'state', 'name', 'may'],
  ['config', 'option', 'value', 'from'],
];

const named = ({ commands }: Command, before = ''): string[] =>
  commands.flatMap((one) => [
    ...(one.options.some(({ long, argChoices }) => long === '--output' && argChoices?.includes('table'))
      ? [`${before}${one.name()}`]
      : []),
    ...named(one, `${before}${one.name()} `),
  ]);

it('every command with a table is tried', async () => {
  const tried = [...sentences, ...tables.map(([line]) => line)];
  const all = named(await allCommands(process, commands));
  expect(all.length).toBeGreaterThan(30);
  expect(all.filter((name) => !tried.some((line) => line === name || line.startsWith(`${name} `)))).toEqual([]);
});

const names = [
  'Lampe aus gebürstetem Messing mit Schirm aus Leinen',
  'Stuhl',
  '緑のランプ、リネンのシェード付き、卓上用',
];

/** Products with long keys and names. @param price of the nth */
function lamps(count: number, price: (nth: number) => string): string {
  const rows = Array.from(
    { length: count },
    (_, i) => `${i % 7 === 3 ? `LAMP-OF-THE-WHOLESALER-${i}` : `LAMP-${i}`},EUR,"${names[i % 3]}",${price(i)},${i}`,
  );
  return `sku,currency,name,price,stock\n${rows.join('\n')}\n`;
}

let cwd: string;
beforeAll(async () => {
  cwd = folder({
    'first.csv': lamps(30, (i) => `${i}.50`),
    'second.csv': lamps(27, (i) => `${i}.90`),
    'changed.csv': lamps(20, (i) => (i % 5 === 0 ? 'twelve euros' : `${i + 40}.00`)),
    'many.csv': lamps(60, () => 'twelve euros'),
    'characteristics.csv': 'name,kind\nSize of the shade,neither\n',
    'categories.csv': 'name,parent\nLamps,Nowhere\n',
    'groups.csv': 'name,status\nLamps of brass,neither\n',
    'reviews.csv': 'external_id,product_sku,rating\nR-1,LAMP-1,9\n',
    'catalog-import.yaml':
      'defaults:\n  decimal: "."\n  report: changed\nprofiles:\n  wholesaler: { encoding: windows-1252 }\n',
  });
  // A line of words has no place for a path with spaces.
  for (const name of ['demo', 'feeds']) symlinkSync(join(demo, '..', name), join(cwd, name), 'junction');
  const steps = [
    ...['run demo', 'products first.csv --feed wholesaler-of-lamps', 'products second.csv --feed wholesaler-of-lamps'],
    ...['feeds set supplier --below wholesaler-of-lamps --own stock,price,description', 'keys create --name erp --all'],
    ...[
      'keys create --name of-the-night-job --scope product:write --expires 90d',
      'plan products changed.csv --out night.plan',
    ],
  ];
  for (const step of steps)
    expect([step, (await typed(cwd, step.split(' '))).code]).toEqual([step, expect.toBeOneOf([0, 3])]);
  mkdirSync(join(cwd, 'delivery'));
  writeFileSync(
    join(cwd, 'delivery', 'products.wholesaler-for-lamps-and-chairs-2026-11.csv'),
    lamps(3, () => 'twelve'),
  );
});

/** How many columns a terminal takes for a text. */
const columnsOf = (text: string): number =>
  [...text].reduce(
    (sum, sign) => sum + (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|[、。ー]/u.test(sign) ? 2 : 1),
    0,
  );

/** The words of an output, but for how long it took. */
const wordsOf = (text: string): string[] => text.replace(/\(\d[\d.]* (?:ms|s)\b[^)]*\)/g, '').split(/\s+/);

describe.each(tables)('the table of %s', (line, ...head) => {
  it('fits 60, 80 and 120 columns with whole words and its head', async () => {
    const at = async (width: number) => (await typed(cwd, line.split(' '), { env: { COLUMNS: String(width) } })).stdout;
    // The head of a narrow table says what is below a row: `action, reason below`.
    const heads = [...head.flatMap((word) => word.split(' ')), 'and', 'action,', 'code,', 'below'];
    const whole = new Set([...wordsOf(await at(1000)), ...heads]);
    for (const width of [60, 80, 120]) {
      const stdout = await at(width);
      expect(stdout).not.toBe('');
      // A path is one word, however long, alone or next to its name.
      const wide = stdout.split('\n').filter((one) => columnsOf(one) > width && !/^\s*(\S+ +)?\S+$/.test(one));
      expect({ width, wide }).toEqual({ width, wide: [] });
      const broken = wordsOf(stdout).filter((word) => !whole.has(word) && !word.endsWith('…'));
      expect({ width, broken }).toEqual({ width, broken: [] });
      for (const word of head) expect(stdout).toContain(word);
    }
  });
});
