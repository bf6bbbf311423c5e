// P1 through a power cut: at every sync and at every line told, pictures are made of what the disk may hold then, and
// each of them must hold what was told. Needs strace. CUT_SEED=n tries the same again.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chance } from './crash.js';
import { dumpOf, faultsOf, recordName } from './dump.js';
import { playBack, straceArgs } from './power-cut.js';
import { runProgram } from './program.js';
import { kindOf, kinds, writeShopFolder } from './shop-folder.js';

const seed = Number(process.env['CUT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const folder = mkdtempSync(join(tmpdir(), 'catalog-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

interface Told {
  readonly file: string;
  readonly external_id: string;
  readonly action: string;
  readonly id: string;
}

/** Imports under strace and checks every picture; how many there were, and what promises they broke. */
async function cutEverywhere(name: string, tamper?: string): Promise<{ pictures: number; broken: string[] }> {
  const [shop, db, trace] = [join(folder, 'shop'), join(folder, `${name}.db`), join(folder, `${name}.trace`)];
  writeShopFolder(shop, 150, false);
  const args = ['run', shop, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
  const ended = await runProgram(args, { tamper, under: ['strace', ...straceArgs, '-o', trace] });
  expect(ended.code, ended.stderr).toBe(3);
  const whole = dumpOf(db).records;
  const random = chance(seed);
  const broken: string[] = [];
  let pictures = 0;
  const checkPicture = (picture: string, told: readonly string[]): void => {
    const found = dumpOf(picture);
    if (found.records.size > 0) expect(faultsOf(picture)).toEqual([]);
    for (const [record, content] of found.records) expect(content).toBe(whole.get(record));
    for (const line of told) {
      const { file, external_id: key, action, id } = JSON.parse(line) as Told;
      if (action === undefined || action === 'refused') continue;
      const { table = '' } = kinds[kindOf(file)] ?? {};
      if (found.ids.get(recordName(table, key)) !== id) broken.push(`missing: ${line}`);
    }
  };
  const check = (image: ReadonlyMap<string, Buffer>, told: readonly string[]): void => {
    const place = join(folder, `${name}-${pictures++}`);
    mkdirSync(place);
    for (const [path, bytes] of image) writeFileSync(join(place, basename(path)), bytes);
    const picture = join(place, basename(db));
    try {
      checkPicture(picture, told);
    } catch (error) {
      broken.push(String(error));
    }
    rmSync(place, { recursive: true });
  };
  playBack(
    readFileSync(trace, 'utf8'),
    (path) => path === db || path === `${db}-wal` || path === `${db}-journal`,
    ({ image, told }) => {
      check(
        image(() => false),
        told,
      );
      check(
        image(() => random() < 0.5),
        told,
      );
    },
  );
  return { pictures, broken };
}

describe.skipIf(!canTrace())('a power cut (needs strace)', () => {
  it('P1 P2: whatever the disk kept of what was not synced, every line told is there, whole', async () => {
    console.log(`power cut: CUT_SEED=${seed}`);
    const { pictures, broken } = await cutEverywhere('cut');
    console.log(`power cut: ${pictures} pictures`);
    expect(pictures).toBeGreaterThan(60);
    expect(broken).toEqual([]);
  }, 180_000);

  it('negative control: with nothing synced, lines told are missing or the file is broken', async () => {
    const { broken } = await cutEverywhere('unsynced', 'synchronous-off');
    expect(broken.length).toBeGreaterThan(0);
  }, 180_000);
});
