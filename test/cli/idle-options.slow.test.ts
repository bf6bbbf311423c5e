// No option where it means nothing: every option of every command is typed, and has to change the result of the command, or be
// refused. An option that no table below knows fails the test. Takes some 20 s, since each is a command of its own.
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { defineCommand } from '../../src/cli/command-entry.js';
import { commands } from '../../src/cli/command-list.js';
import { idleRules } from '../../src/cli/idle-options.js';
import { folder, typed } from './typed.js';

type Options = Readonly<Record<string, readonly string[]>>;

/** What options of imports are typed with. */
const ofImports: Options = {
  '--format': ['ndjson'],
  '--encoding': ['utf-16le'],
  '--delimiter': ['|'],
  '--decimal': [','],
  '--empty': ['clear'],
  '--rename': ['Farbe=note'],
  '--set': ['tag=new'],
  '--skip': ['1'],
  '--map': ['map.yaml'],
  '--limit': ['1'],
  '--feed': ['other'],
  '--max-changed': ['1%'],
  '--max-created': ['1%'],
  '--max-missing': ['1%'],
  '--max-price-change': ['2x:5%'],
  '--min-rows': ['50'],
  '--expect': ['{rows: [900, 999]}'],
  '--missing': ['suspend'],
  '--no-history': [],
  '--dry-run': [],
  '--diff': ['--report', 'changed'],
  '--report': ['all'],
  '--report-file': ['r.csv'],
  '--status-file': ['s.prom'],
  '--on-end': ['cat > ended.json'],
  '--on-end-when': ['change', '--on-end', 'cat > ended.json'],
  '--refused-file': ['refused.csv'],
  '--on-duplicate': ['refuse'],
  '--only': ['create'],
  '--max-refused': ['0'],
  '--resume': [],
  '--changed-only': [],
  '--full': [],
};

/** What options of several commands are typed with. */
const shared: Options = {
  '--output': ['json'],
  '--db': ['other.db'],
  '--schema': ['other'],
  '--remote': ['https://127.0.0.1:9'],
  '--verbose': [],
  '--profile': ['none'],
};

interface Scenario {
  /** What is typed without the option. */
  readonly base: readonly string[];
  readonly options?: Options;
}

/** Stands for the identifier of the key that the catalog has. */
const theKey = 'THE-KEY';

/** What each command is typed as, and what its own options are typed with. */
const scenarios: Readonly<Record<string, Scenario>> = {
  products: { base: ['products', 'feed.csv'], options: ofImports },
  plan: {
    base: ['plan', 'products', 'feed.csv', '--out', 'a.plan', '--diff', '--report', 'changed'],
    options: { ...ofImports, '--out': ['b.plan'], '--diff': ['--report', 'none'], '--report': ['none'] },
  },
  'plan show': { base: ['plan', 'show', 'old.plan'], options: { '--report': ['none'] } },
  apply: {
    base: ['apply', 'old.plan'],
    options: {
      '--dry-run': [],
      '--diff': ['--report', 'changed'],
      '--report': ['all'],
      '--report-file': ['r.csv'],
      '--status-file': ['s.prom'],
      '--on-end': ['cat > ended.json'],
      '--on-end-when': ['change', '--on-end', 'cat > ended.json'],
    },
  },
  get: {
    base: ['get', 'product', '--sku', 'A'],
    options: {
      '--sku': ['B'],
      '--name': ['x'],
      '--all': [],
      '--include': ['lowest_price_30d'],
      '--output': ['table'],
    },
  },
  list: {
    base: ['list', 'products'],
    options: {
      '--where': ['name=Phone 2'],
      '--status': ['archived'],
      '--changed-since': ['2100-01-01'],
      '--limit': ['1'],
      '--include': ['lowest_price_30d'],
    },
  },
  search: { base: ['search', 'Phone'], options: { '--limit': ['1'] } },
  info: { base: ['info'] },
  doctor: { base: ['doctor'] },
  export: { base: ['export', 'products'], options: { '--to': ['exported.ndjson'], '--bom': [] } },
  runs: { base: ['runs'], options: { '--feed': ['other'], '--since': ['2100-01-01'] } },
  'runs show': { base: ['runs', 'show', '1'], options: { '--changes': [] } },
  'runs forget': { base: ['runs', 'forget', '--keep', '1d'] },
  why: {
    base: ['why', 'product', '--sku', 'A'],
    options: { '--sku': ['B'], '--name': ['x'], '--field': ['price'] },
  },
  prices: {
    base: ['prices', 'product', '--sku', 'A'],
    options: { '--sku': ['B'], '--since': ['2100-01-01'] },
  },
  undo: { base: ['undo', '1'], options: { '--dry-run': [], '--since': ['1'], '--report-file': ['u.html'] } },
  missing: { base: ['missing', '--feed', 'erp'], options: { '--feed': ['other'] } },
  feeds: { base: ['feeds'] },
  'feeds set': {
    base: ['feeds', 'set', 'erp', '--own', 'price'],
    options: { '--below': ['master'], '--own': ['stock'], '--set-new': ['badge=new'], '--only': ['update'] },
  },
  'feeds retire': {
    base: ['feeds', 'retire', 'erp'],
    options: { '--dry-run': [], '--missing': ['report'], '--report-file': ['r.html'], '--status-file': ['r.prom'] },
  },
  'keys list': { base: ['keys', 'list'] },
  'keys create': {
    base: ['keys', 'create', '--name', 'shop', '--scope', 'product:read'],
    options: { '--name': ['other'], '--scope': ['product:write'], '--all': [], '--expires': ['90d'] },
  },
  'keys revoke': { base: ['keys', 'revoke', theKey] },
  copy: {
    base: ['copy', '--from', 'catalog.db', '--to', 'copied.db'],
    options: { '--from': ['none.db'], '--to': ['elsewhere.db'] },
  },
  'shop delete-product': { base: ['shop', 'delete-product', 'A'] },
  backup: { base: ['backup', 'copy.db'] },
  restore: { base: ['restore', 'catalog.db', '--db', 'restored.db'] },
  'db migrate': { base: ['db', 'migrate'] },
  inspect: {
    base: ['inspect', 'feed.csv'],
    options: {
      '--format': ['ndjson'],
      '--encoding': ['utf-16le'],
      '--delimiter': ['|'],
      '--skip': ['1'],
      '--write-map': ['m.yaml'],
      '--write-contract': ['c.yaml'],
      '--report-file': ['r.html'],
    },
  },
  'map show': {
    base: ['map', 'show', 'feed.csv', '--map', 'feed.yaml'],
    options: { '--map': ['map.yaml'], '--limit': ['1'] },
  },
  'map test': { base: ['map', 'test', 'feed.yaml'], options: { '--update': [], '--output': ['tap'] } },
  template: { base: ['template', 'products'], options: { '--output': ['json'], '--to': ['t.csv'], '--bom': [] } },
  explain: { base: ['explain', 'field_required'] },
  config: { base: ['config'] },
};

/** Commands that offer the same options as another one, made by the same function. */
const alike: Readonly<Record<string, string>> = {
  characteristics: 'products',
  categories: 'products',
  groups: 'products',
  reviews: 'products',
  run: 'products',
  'shop load': 'products',
};

/** Options whose effect is shown where a terminal, a server, another file or a random text is needed. */
const shownElsewhere: Readonly<Record<string, string>> = {
  '--no-color': 'terminal.test.ts',
  '--color': 'terminal.test.ts',
  '--progress': 'terminal.test.ts',
  '--sheet': 'source/xlsx tests',
  '--items': 'import.test.ts',
  '--record': 'source/xml tests',
  '--keep': 'ledger.test.ts',
  '--id': 'get-and-shop.test.ts: the key precedes it',
  '--external-id': 'get-and-shop.test.ts: another name of the SKU, which precedes it',
  '--quiet': 'quiet.test.ts: prints what was asked for, and no notice',
  '--write-missing-values': 'missing-values tests: needs a list of values',
  '--strict': 'plan.test.ts: needs a record that changed since',
  '--fail-on': 'warnings.test.ts',
  '--max-shown': 'guards.slow.test.ts',
  '--max-emptied': 'guards.slow.test.ts',
  '--force': 'backup.test.ts, restore.test.ts: needs a file that is there',
  '--no-config': 'config.test.ts: needs a configuration file',
  ...Object.fromEntries(idleRules.flatMap(({ options }) => options.map((name) => [name, 'below: refused']))),
};

/** Where each option of `serve` is shown to have an effect: it does not end by itself, so that it cannot be typed here. */
const optionsOfServe: Readonly<Record<string, string>> = {
  '--db': 'http/server/serve.test.ts',
  '--schema': 'cli/postgres.test.ts',
  '--ca-file': 'store/postgres/tls.test.ts',
  '--host': 'http/server/serve.test.ts',
  '--port': 'http/server/serve.test.ts',
  '--tls-cert': 'http/server/serve.test.ts',
  '--tls-key': 'http/server/serve.test.ts',
  '--behind-proxy': 'http/server/serve.test.ts',
  '--rate': 'http/server/serve.test.ts',
  '--auth-failures': 'http/server/serve.test.ts',
  '--workers': 'http/server/serve.test.ts',
  '--cors': 'http/server/serve.test.ts',
  '--metrics-port': 'http/server/serve.test.ts',
  '--verbose': 'cli/every-command.test.ts',
  '--profile': 'cli/config.test.ts',
  '--no-config': 'cli/config.test.ts',
};

/** Commands that are not typed here: `serve` goes on, the others have no option but --output with its one form. */
const commandsElsewhere = new Set(['serve', 'completion', 'completion complete', 'help', 'schema']);

/** Commands that need more than can be typed here. */
const noBase = new Set(['serve']);

interface Walked {
  readonly words: string;
  readonly options: readonly string[];
}

const walked: Walked[] = [];
let prepared = '';
let keyOfCatalog = '';

const csv = [
  'sku;name;currency;price;stock;Farbe;status;badge',
  'A;Phone;EUR;1,50;1;red;activated;new',
  'A;Phone 2;EUR;2,50;2;;nonsense;sale',
  'B;;EUR;3.00;x;;activated;sale',
  'C;Phone 3;EUR;4.00;;;activated;',
];

beforeAll(async () => {
  const idle = Object.create(process, { argv: { value: [] } }) as NodeJS.Process;
  for (const entry of commands) {
    const command = new Command(entry.words[0]);
    await defineCommand(entry, command, idle, commands);
    const longs = (one: Command) => one.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '');
    if (command.options.length > 0 || command.commands.length === 0)
      walked.push({ words: command.name(), options: longs(command) });
    for (const one of command.commands) walked.push({ words: `${command.name()} ${one.name()}`, options: longs(one) });
  }
  prepared = folder({
    'feed.csv': `${csv.join('\n')}\n`,
    'old.csv':
      'sku,name,currency,price,stock,badge,status\nA,Old phone,EUR,9.00,5,new,\nC,Phone 2,EUR,8.00,4,sale,activated\n',
    'map.yaml': 'products: {rename: {Farbe: tag}}\n',
    'feed.yaml': 'to: products\nfields: { sku: sku }\nexamples: [{ rows: [{ sku: A }], items: [{ sku: B }] }]\n',
  });
  await typed(prepared, ['products', 'old.csv', '--feed', 'erp']);
  await typed(prepared, ['plan', 'products', 'feed.csv', '--out', 'old.plan']);
  const { stdout } = await typed(prepared, ['keys', 'create', '--name', 'erp', '--all']);
  keyOfCatalog = stdout.slice('cik_'.length, 'cik_'.length + 8);
});

/** A text without what differs from run to run. */
function stable(text: string): string {
  return text
    .replace(/\bcik_[\w-]{20,}/g, 'KEY')
    .replace(/\bKey [\w-]{8}\b/g, 'Key ID')
    .replace(/"(id|token)": ?"[\w-]{8}"/g, '"$1":"ID"')
    .replace(/\b[a-z]{3,5}_[0-9A-Za-z]{10,}/g, 'ID')
    .replace(/\/[^\s"]*catalog-import-\w+/g, 'FOLDER')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replace(/\b[12]\d{9}\b/g, 'UNIX')
    .replace(/\b\d+(\.\d+)?(e-\d+)? ?(ms|s|MiB|KiB)\b/g, 'MEASURED')
    .replace(/"(milliseconds|duration|size|bytes)\w*":[\d.]+/g, 'MEASURED');
}

/** What comes of a command. */
interface Outcome {
  /** Exit code, output and files. */
  readonly seen: string;
  /** What it left in the catalog. */
  kept(): Promise<string>;
}

async function outcomeOf(args: readonly string[]): Promise<Outcome> {
  const cwd = folder();
  // Hundreds of catalogs of half a megabyte would lie there until the end of the file.
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  cpSync(prepared, cwd, { recursive: true });
  const { code, stdout, stderr } = await typed(
    cwd,
    args.map((arg) => (arg === theKey ? keyOfCatalog : arg)),
  );
  const files = readdirSync(cwd)
    .filter((name) => !name.includes('.db') && !name.endsWith('.plan'))
    .map((name) => [name, stable(readFileSync(join(cwd, name), 'latin1'))]);
  const names = readdirSync(cwd).filter((name) => !/-(wal|shm|journal)$/.test(name));
  return {
    seen: JSON.stringify([code, stable(stdout), stable(stderr), files, names]),
    kept: () => keptIn(cwd, args[0] === 'keys'),
  };
}

async function keptIn(cwd: string, withKeys: boolean): Promise<string> {
  const catalog = await typed(cwd, ['list', 'products', '--output', 'ndjson', '--db', 'catalog.db']);
  const runs = await typed(cwd, ['runs', '--output', 'json', '--db', 'catalog.db']);
  const feeds = await typed(cwd, ['feeds', '--output', 'json', '--db', 'catalog.db']);
  const history = [...runs.stdout.matchAll(/"(run|feed|state)":[^,]*/g)].map(([member]) => member);
  const keys = withKeys ? await keysIn(cwd) : [];
  return JSON.stringify([stable(catalog.stdout), history, stable(feeds.stdout), keys]);
}

/** What the keys of a catalog may do; not their random identifiers. */
async function keysIn(cwd: string): Promise<unknown[]> {
  const { stdout } = await typed(cwd, ['keys', 'list', '--output', 'json', '--db', 'catalog.db']);
  const keys: { name: string; scopes: string[]; expires_at: unknown; revoked_at: unknown }[] = JSON.parse(stdout);
  return keys.map(({ name, scopes, expires_at: ends, revoked_at: revoked }) => [
    name,
    scopes,
    ends !== null,
    revoked !== null,
  ]);
}

describe('every option', () => {
  it('is known to a table of this test', () => {
    for (const { words, options } of walked) {
      if (words === 'serve') expect(options.filter((name) => optionsOfServe[name] === undefined)).toEqual([]);
      if (commandsElsewhere.has(words)) continue;
      const scenario = scenarios[alike[words] ?? words];
      expect(scenario, words).toBeDefined();
      const known = { ...shared, ...shownElsewhere, ...scenario?.options };
      expect(
        options.filter((name) => known[name] === undefined),
        words,
      ).toEqual([]);
    }
  });

  it.each(Object.entries(scenarios))('of %s changes what comes of it, or is refused', async (words, scenario) => {
    const command = walked.find((one) => one.words === words);
    expect(command, words).toBeDefined();
    const without = await outcomeOf(scenario.base);
    const kept = await without.kept();
    const again = await outcomeOf(scenario.base);
    expect([again.seen, await again.kept()], 'the same twice').toEqual([without.seen, kept]);
    const idle: string[] = [];
    for (const name of command?.options ?? []) {
      const value = scenario.options?.[name] ?? shared[name];
      if (value === undefined) continue;
      const outcome = await outcomeOf([...scenario.base, name, ...value]);
      if (outcome.seen === without.seen && (await outcome.kept()) === kept) idle.push(name);
    }
    expect(idle).toEqual([]);
  });

  it.each(idleRules.flatMap(({ options, remedy, notIn }) => options.map((name) => [name, remedy, notIn] as const)))(
    '%s is refused where it means nothing: %s',
    async (name, remedy, notIn) => {
      const values: Readonly<Record<string, string>> = {
        '--concurrency': '2',
        '--missing-after': '2',
        '--max-price-change': '2x:5%',
        '--on-end-when': 'change',
        '--api-key-env': 'X',
        '--retry-max-wait': '1s',
        '--retry-max-time': '1s',
        '--keep': '30d',
        '--dry-run': '',
        '--no-history': '',
        '--allow-http': '',
        '--source-auth-env': 'X',
        '--source-max-size': '1MiB',
        '--source-max-time': '1h',
        '--max-age': '1h',
      };
      const isIn = (words: string) => notIn === undefined || notIn.includes(words.split(' ').at(-1) ?? '');
      const having = walked.filter(({ words, options }) =>
        notIn === undefined ? options.includes(name) : isIn(words),
      );
      expect(having.length).toBeGreaterThan(0);
      for (const { words } of having.filter((one) => !noBase.has(one.words))) {
        const base = scenarios[words]?.base ?? [
          ...words.split(' '),
          ...(words === 'shop load' ? ['brands'] : []),
          'feed.csv',
        ];
        const given = values[name] === '' ? [] : [values[name] ?? 'file'];
        const { code, stdout, stderr } = await typed(prepared, [
          ...base,
          ...(base[0] === 'missing' ? ['--feed', 'erp'] : []),
          name,
          ...given,
        ]);
        expect([code, stdout, stderr], words).toEqual([2, '', `error: ${name} ${remedy}\n`]);
      }
    },
  );
});
