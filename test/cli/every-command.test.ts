// Rules that hold for every command: the list of commands is walked, so that a new one is held to them, too.
import { Command, type Option } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { defineCommand } from '../../src/cli/command-entry.js';
import { commands } from '../../src/cli/command-list.js';
import { typedHere as typedAt } from '../manual/in-process.js';
import { typedHere } from './typed.js';

/** A command that can be typed, with its subcommands as commands of their own. */
interface Walked {
  readonly words: readonly string[];
  readonly command: Command;
}

const walked: Walked[] = [];

beforeAll(async () => {
  const idle = Object.create(process, { argv: { value: [] } }) as NodeJS.Process;
  for (const entry of commands) {
    const command = new Command(entry.words[0]);
    await defineCommand(entry, command, idle, commands);
    const inner = command.commands.filter((one) => one.name() !== 'complete');
    walked.push({ words: [command.name()], command });
    walked.push(...inner.map((one) => ({ words: [command.name(), one.name()], command: one })));
  }
});

/** Commands that can be run, and not only hold others. */
const runnable = (): Walked[] =>
  walked.filter(
    ({ command }) => command.commands.length === 0 || command.options.length > 0 || command.name() === 'completion',
  );

const optionOf = ({ command }: Walked, long: string): Option | undefined =>
  command.options.find((option) => option.long === long);

/** They print a text that has one form: a script for a shell, a page, the address of a server. */
const withoutForm = new Set(['completion', 'help', 'serve']);
/** They print the requested result and nothing else. */
const withoutNotices = new Set([...withoutForm, 'config', 'explain', 'map', 'schema']);

/** Options that mean nothing where they are not typed. */
const withoutDefault: ReadonlySet<string> = new Set([
  ...['--map', '--rename', '--set', '--feed', '--max-age', '--max-changed', '--profile', '--fail-on', '--on-end'],
  ...['--report-file', '--status-file', '--refused-file', '--write-missing-values', '--write-map', '--write-contract'],
  ...[
    '--remote',
    '--api-key-file',
    '--ca-file',
    '--out',
    '--to',
    '--tls-cert',
    '--tls-key',
    '--cors',
    '--metrics-port',
  ],
  ...[
    '--sku',
    '--name',
    '--external-id',
    '--id',
    '--field',
    '--since',
    '--changed-since',
    '--status',
    '--where',
    '--scope',
  ],
  ...['--below', '--own', '--only', '--set-new', '--include'],
]);

describe('help', () => {
  it.each([60, 80, 120, 200])('fits %d columns with whole words, for every command', async (columns) => {
    for (const words of [[], ...walked.map((one) => one.words)]) {
      const { code, stdout } = await typedAt([...words, '--help'], { columns });
      expect(code).toBe(0);
      const wide = stdout.split('\n').filter((line) => line.length > columns && /\S\s+\S/.test(line.trim()));
      expect(wide, words.join(' ')).toEqual([]);
    }
  });

  it('states the default of every option with a value, but for those that are off unless they are typed', () => {
    const silent = walked.flatMap(({ words, command }) =>
      command.options
        .filter(({ flags, mandatory, hidden }) => flags.includes('<') && !mandatory && !hidden)
        .filter(({ description, defaultValue }) => !description.includes('default') && defaultValue === undefined)
        .map(({ long }) => ({ long: long ?? '', words: words.join(' ') })),
    );
    expect(silent.filter(({ long }) => !withoutDefault.has(long))).toEqual([]);
    expect([...withoutDefault].filter((name) => !silent.some(({ long }) => long === name))).toEqual([]);
  });

  it('has the same words at every width: none is cut', async () => {
    const text = async (words: readonly string[], columns: number) =>
      (await typedAt([...words, '--help'], { columns })).stdout
        .replaceAll(' \\\n', ' ')
        .replace(/^ *# /gm, '')
        .split(/\s+/)
        .join(' ');
    for (const { words } of walked) expect(await text(words, 60), words.join(' ')).toBe(await text(words, 200));
  });

  it('puts a description under its option where both do not fit beside each other', async () => {
    const { stdout } = await typedAt(['products', '--help'], { columns: 60 });
    expect(stdout).toContain('\n  --write-missing-values <file>\n      write a file');
    expect((await typedAt(['products', '--help'], { columns: 100 })).stdout).toMatch(/--limit <n> {3,}read the first/);
  });

  it('wraps a long example so that it can be copied', async () => {
    const { stdout } = await typedAt(['products', '--help'], { columns: 60 });
    expect(stdout).toMatch(/erp\.csv --encoding windows-1252 \\\n {4}--decimal/);
  });
});

describe('options', () => {
  it('--output has a machine-readable and a readable format, with the same names everywhere', () => {
    for (const one of runnable()) {
      const [name = ''] = one.words;
      const choices = optionOf(one, '--output')?.argChoices ?? [];
      if (withoutForm.has(name)) expect(choices, name).toEqual([]);
      else {
        expect(
          choices.some((form) => ['json', 'ndjson'].includes(form)),
          one.words.join(' '),
        ).toBe(true);
        expect(['table', 'json', 'ndjson', 'csv', 'html', 'tap', 'junit']).toEqual(
          expect.arrayContaining([...choices]),
        );
      }
    }
  });

  it('every command that may print a notice has --quiet', () => {
    const without = runnable().filter((one) => optionOf(one, '--quiet') === undefined);
    expect(without.map(({ words: [name] }) => name).sort()).toEqual([...withoutNotices].sort());
  });

  it('no option is defined twice, and each has a description', () => {
    for (const { words, command } of walked) {
      const longs = command.options.map(({ long }) => long);
      expect(new Set(longs).size, words.join(' ')).toBe(longs.length);
      for (const { long, description, hidden } of command.options)
        if (!hidden) expect(`${words.join(' ')} ${long}: ${description}`).toMatch(/: \S/);
    }
  });

  it('--json is answered with a hint to --output json', async () => {
    // What must be given is asked for first.
    const free = runnable().filter(({ command }) => !command.options.some(({ mandatory }) => mandatory));
    expect(free.length).toBeGreaterThan(20);
    for (const one of free) {
      const { code, stdout, stderr } = await typedHere([...one.words, '--json']);
      expect([code, stdout], one.words.join(' ')).toEqual([2, '']);
      const has = optionOf(one, '--output')?.argChoices?.includes('json') === true;
      expect(stderr.includes('Did you mean --output json?'), one.words.join(' ')).toBe(has);
    }
  });
});

describe('errors begin with one prefix', () => {
  it('of Commander: an unknown option, a missing argument, too many arguments, a wrong value', async () => {
    for (const { words } of walked) {
      const { code, stderr } = await typedHere([...words, '--no-such-option']);
      expect([code, stderr.slice(0, 7)], words.join(' ')).toEqual([2, 'error: ']);
    }
    for (const line of ['get', 'products', 'no-such-command', 'undo x', 'list products --limit x', 'info a b c'])
      expect((await typedHere(line.split(' '))).stderr, line).toMatch(/^error: /);
  });

  it('and of this program: usage, a missing catalog, a port that is in use', async () => {
    const gone = ['--db', '/no/such/folder/catalog.db'];
    for (const line of ['info', 'doctor', 'search a', 'runs', 'keys list', 'export products', 'serve', 'undo 1'])
      expect((await typedHere([...line.split(' '), ...gone])).stderr, line).toMatch(/^error: \S/);
    expect((await typedHere(['get', 'nothing'])).stderr).toMatch(/^error: nothing is not a resource/);
    expect((await typedHere(['serve', '--host', '0.0.0.0'])).stderr).toMatch(/^error: 0\.0\.0\.0 can be reached/);
    expect((await typedHere(['explain', 'x'])).stderr).toMatch(/^error: Code x not found/);
    expect((await typedHere(['help', 'nothing'])).stderr).toMatch(/^error: "nothing"/);
  });
});
