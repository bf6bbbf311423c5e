// Reports, files of refused records and journals through a power cut: each is the whole old or the whole new one at any
// time, and the new one once the command has ended; what a journal holds is on the disk before it is reported.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answerJson, oddRemote, reportOn } from '../http/client/odd-remote.js';
import { randomFrom, seedOf } from '../random.js';
import { type Moment, newDisk, straceArgs, whyNoTrace } from './power-cut.js';
import { runProgram } from './program.js';

const seed = seedOf('CUT_SEED');
const folder = mkdtempSync(join(tmpdir(), 'catalog-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const reason = whyNoTrace();

/** Writes a report and a file of refused records over older ones; what is wrong with the pictures. */
async function outputs(name: string, tamper?: string): Promise<string[]> {
  const place = join(folder, name);
  mkdirSync(place);
  const at = (file: string): string => join(place, file);
  const old = 'the old one\n'.repeat(500);
  const files = [at('r.json'), at('r.csv')];
  for (const file of files) writeFileSync(file, old);
  const rows = Array.from({ length: 1000 }, (_, i) => (i % 3 === 0 ? `S-${i},euro\n` : `S-${i},EUR\n`));
  writeFileSync(at('feed.csv'), `sku,currency\n${rows.join('')}`);
  const typed = [
    'products',
    at('feed.csv'),
    '--db',
    at('c.db'),
    '-q',
    '--report-file',
    at('r.json'),
    '--refused-file',
    at('r.csv'),
  ];
  const random = randomFrom(seed);
  const broken: string[] = [];
  const pictures: ReadonlyMap<string, Buffer>[] = [];
  const look = ({ image }: Moment): void => {
    for (const kept of [0, 0.5]) pictures.push(image(() => random() < kept));
  };
  const disk = newDisk((path) => path.startsWith(at('r.')), files, look);
  const trace = at('trace');
  const ended = await runProgram(typed, { tamper, under: straceArgs(trace) });
  expect(ended.code, ended.stderr).toBe(3);
  disk.play(readFileSync(trace, 'utf8'));
  const last = disk.end.image(() => false);
  for (const file of files) {
    const whole = readFileSync(file, 'utf8');
    for (const picture of pictures) {
      const found = picture.get(file)?.toString();
      if (found !== old && found !== whole) broken.push(`${file} is neither the old nor the new one`);
    }
    if (last.get(file)?.toString() !== whole) broken.push(`${file} is not the new one after the end`);
  }
  expect(pictures.length).toBeGreaterThan(4);
  return broken;
}

/** Imports into a remote with a journal; returns reported lines that are missing in any picture of it. */
async function journal(name: string, tamper?: string): Promise<string[]> {
  const place = join(folder, name);
  mkdirSync(place);
  const remote = await oddRemote((asked, answer) =>
    answerJson(answer, 200, { code: 200, title: 'OK', response: reportOn(asked) }),
  );
  const rows = Array.from({ length: 400 }, (_, i) => `S-${i},EUR\n`);
  writeFileSync(join(place, 'feed.csv'), `sku,currency\n${rows.join('')}`);
  // The last batch is refused by its answer: the journal stays.
  const typed = [
    'products',
    join(place, 'feed.csv'),
    '--remote',
    remote.url,
    '-q',
    '--output',
    'ndjson',
    '--report',
    'all',
  ];
  const broken: string[] = [];
  let pictures = 0;
  const state = join(place, 'state');
  const look = ({ image, told }: Moment): void => {
    const picture = image(() => false);
    pictures++;
    const kept = [...picture.values()].map(String).join('');
    for (const [, id = ''] of told.matchAll(
      /"external_id":"[^"]*","action":"created","id":"(prod_[^"]*)","code":null,"title":null,"reason":null,"notice":\[\],"line"/g,
    ))
      if (!kept.includes(`"${id}"`) && !told.includes('"type":"summary"')) broken.push(`${id} was told`);
  };
  const disk = newDisk((path) => path.startsWith(state), [], look);
  const trace = join(place, 'trace');
  try {
    const env = { XDG_STATE_HOME: state, CATALOG_API_KEY: 'cik_x' };
    const ended = await runProgram(typed, { tamper, env, under: straceArgs(trace) });
    expect(ended.code, ended.stderr).toBe(0);
  } finally {
    await remote.stop();
  }
  disk.play(readFileSync(trace, 'utf8'));
  expect(pictures).toBeGreaterThan(10);
  return broken;
}

describe.skipIf(reason !== undefined)(`files in a power cut${reason === undefined ? '' : ` (${reason})`}`, () => {
  it('a report and a file of refused records replace the older ones whole, and for good', async () => {
    expect(await outputs('outputs')).toEqual([]);
  });

  it('negative control: without syncs they do not', async () => {
    expect((await outputs('outputs-unsynced', 'no-file-sync')).length).toBeGreaterThan(0);
  });

  it('what a remote acknowledged is in the journal, and its name in the folder, before it is reported', async () => {
    expect(await journal('journal')).toEqual([]);
  });

  it('negative control: without syncs the journal is not found again', async () => {
    expect((await journal('journal-unsynced', 'no-file-sync')).length).toBeGreaterThan(0);
  });
});
