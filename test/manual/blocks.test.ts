// What a reader types must work, and show what the page shows. The `sh` blocks of a page are run in order in one shell,
// each as a test of its own; an `output` block is compared with what the block before it wrote.
//
// - A line that says `# not run here` is left out. `# exit 3` is the exit code of a command that does not end with 0.
// - In an `output` block … matches any text; white space and durations do not count.
// - An `output` block with a command behind the word is what that command writes.
// - The tutorial is read where the README was typed before, and must collide with nothing that it made.
// - The page on PostgreSQL finds a server with the user and the database that it names; its port 5432 becomes that one's.
// - Its commands are typed in one process where this is not the full tier, which starts a process for each.
// - The ports 8080 and 8081 become free ones. Where a block starts a server, the next one waits until it listens.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnSync } from '../child.js';
import { freePort } from '../free-port.js';
import { sharedServer } from '../postgres/shared-server.js';
import { isFull } from '../tier.js';
import { type Block, pageNames, readPage, root } from './documentation.js';
import { canShareProcess, writeSharedProgram } from './one-process.js';
import { openShell, type Shell } from './shell.js';

const stage = mkdtempSync(join(tmpdir(), 'catalog-import-manual-'));
const bin = join(stage, 'bin');
const demo = join(stage, 'demo.db');
afterAll(() => rmSync(stage, { recursive: true, force: true }));

const { CATALOG_DB, CATALOG_REMOTE, CATALOG_API_KEY, CATALOG_API_KEY_FILE, ...inherited } = process.env;
const env = {
  ...inherited,
  PATH: `${bin}:${process.env['PATH']}`,
  NO_COLOR: '1',
  XDG_STATE_HOME: join(stage, 'state'),
};

beforeAll(() => {
  mkdirSync(bin);
  const [program, typed] = [join(root, 'bin/catalog-import.js'), join(bin, 'catalog-import')];
  if (isFull || !canShareProcess) symlinkSync(program, typed);
  else writeSharedProgram(typed, program);
  // Every page assumes that the demo shop was imported, which is the first step of the README.
  const { status, stderr } = spawnSync(process.execPath, [program, 'run', join(root, 'fixtures/demo'), '--db', demo], {
    env,
  });
  expect(status, String(stderr)).toBe(0);
});

/** Installing and testing the project is what has brought us here: a block that does so is run without it. */
const ownSteps = /^npm (?:test|link).*$|\bnpm install && npx /gm;

/** The commands of a block that this test runs. */
function commandsOf({ text }: Block): string {
  return text
    .split('\n')
    .filter((line) => !line.includes('# not run here'))
    .join('\n')
    .replace(ownSteps, '')
    .trim();
}

/** The exit codes a block says its commands have, where they are not 0. */
function expectedFailures(block: string): number[] {
  return [...block.matchAll(/# exit (\d+)/g)].map(([, code]) => Number(code));
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');
/** What differs each time: `(70 ms)`, `(2.1 s, 40,000 items a second)`. */
const withoutTimes = (text: string): string => text.replace(/\(\d[\d.]* (?:ms|s|min)\b[^)]*\)/g, '');

/** What an `output` block shows that was not written; undefined where all was. */
function missing(shown: string, written: string): string | undefined {
  const all = withoutSpace(withoutTimes(written));
  let from = 0;
  return shown.split('…').find((part) => {
    const text = withoutSpace(withoutTimes(part));
    const at = all.indexOf(text, from);
    from = at + text.length;
    return at === -1;
  });
}

/**
 * The server of the page on PostgreSQL, with the user and the database that its reader makes first.
 * @returns its port; undefined where there is none here
 */
async function manualDatabase(): Promise<number | undefined> {
  const { port } = await sharedServer();
  if (port === undefined) return undefined;
  const owner = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
  await owner.connect();
  await owner.query('DROP DATABASE IF EXISTS shop WITH (FORCE)');
  await owner.query(
    'DO $$ BEGIN CREATE ROLE importer LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$',
  );
  await owner.query('CREATE DATABASE shop OWNER importer');
  await owner.end();
  return port;
}

/** The blocks of a page that are run, each with the output the page shows behind it. */
function steps(blocks: readonly Block[]): { readonly block: Block; readonly shown: Block | undefined }[] {
  return blocks.flatMap((block, i) => {
    if (block.language === 'output' && block.info !== '')
      return [{ block: { ...block, text: block.info }, shown: block }];
    if (block.language !== 'sh' || commandsOf(block) === '') return [];
    const next = blocks[i + 1];
    return [{ block, shown: next?.language === 'output' && next.info === '' ? next : undefined }];
  });
}

const { missing: missingServer } = await sharedServer();
const hasCurl = spawnSync('curl', ['--version']).error === undefined;

describe.each(['README', ...pageNames].map(readPage).filter(({ blocks }) => steps(blocks).length > 0))(
  'the page $name',
  ({ name, blocks }) => {
    const cwd = join(stage, name === 'tutorial' ? 'README' : name);
    let shell: Shell;
    let withPorts: (text: string) => string;

    beforeAll(async () => {
      if (!existsSync(cwd)) {
        mkdirSync(cwd);
        symlinkSync(join(root, 'fixtures'), join(cwd, 'fixtures'));
        cpSync(demo, join(cwd, 'catalog.db'));
      }
      const ports = [await freePort(), await freePort()] as const;
      const database = name === 'postgresql' ? await manualDatabase() : 5432;
      withPorts = (text) =>
        text
          .replaceAll('8080', String(ports[0]))
          .replaceAll('8081', String(ports[1]))
          .replaceAll(':5432/', `:${database}/`);
      shell = openShell(cwd, env);
    });
    afterAll(() => shell.close());

    it.each(
      steps(blocks).map(({ block, shown }) => ({ line: block.line, first: block.text.split('\n')[0], block, shown })),
    )('line $line: $first', async ({ block, shown }) => {
      if (name === 'postgresql' && missingServer !== undefined)
        return console.log(`there is no PostgreSQL here, and the block was not run: ${missingServer}`);
      const commands = withPorts(commandsOf(block));
      if (commands.includes('curl ') && !hasCurl) return console.log('curl is missing here: the block was not run');
      const { failures, output } = await shell.run(commands);
      expect(failures, output.slice(-3000)).toEqual(expectedFailures(block.text));
      if (commands.includes(' serve ')) await shell.until(/listening on/);
      if (shown !== undefined)
        expect(
          missing(withPorts(shown.text), output),
          `shown and not written; written was:\n${output}`,
        ).toBeUndefined();
    });
  },
);
