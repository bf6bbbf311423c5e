// Opening a catalog in a file.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stepChannel } from '../../src/core/timed-step.js';
import { hasCatalog, migrateCatalog, openCatalog } from '../../src/store/open.js';
import { programVersion } from '../../src/store/program-version.js';
import { failureOf, folder, imported, products } from './given.js';

const newFolder = (): string => mkdtempSync(join(folder, 'open-'));

/** How many files whose path begins so are open in this process. */
function openFiles(path: string): number {
  const places = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return places.filter((place) => place.startsWith(path)).length;
}

describe('a catalog in a file', () => {
  it('is there once something is in the file', async () => {
    const file = join(newFolder(), 'there.db');
    expect(await hasCatalog(file)).toBe(false);
    writeFileSync(file, '');
    expect(await hasCatalog(file)).toBe(false);
    expect(await migrateCatalog(file)).toEqual({ from: 0, to: expect.any(Number) });
    expect(await hasCatalog(file)).toBe(true);
    const { from, to } = await migrateCatalog(file);
    expect([from, to > 0]).toEqual([to, true]);
    // It was closed: nothing is left beside it.
    expect(readdirSync(dirname(file))).toEqual(['there.db']);
  });

  it('is made by a migration where there is none', async () => {
    const file = join(newFolder(), 'made.db');
    const { from, to } = await migrateCatalog(file);
    expect([from, to > 0, await hasCatalog(file)]).toEqual([0, true, true]);
  });

  it('takes what is imported, unless it is opened for a dry run, which does not create it', async () => {
    const file = join(newFolder(), 'taken.db');
    const dry = await openCatalog({ file, create: true, scratch: true });
    expect(await imported(dry, 'products', products(0, 1), { dryRun: true })).toMatchObject([{ created: 1 }]);
    await dry.close();
    expect(existsSync(file)).toBe(false);
    const catalog = await openCatalog({ file, create: true });
    expect(await imported(catalog, 'products', products(0, 1))).toMatchObject([{ created: 1 }]);
    await catalog.close();
    const again = await openCatalog({ file, create: false });
    expect(await imported(again, 'products', products(0, 1))).toMatchObject([{ unchanged: 1 }]);
    await again.close();
  });

  it.runIf(process.platform === 'linux')('that is none is closed again', async () => {
    const file = join(newFolder(), 'none.db');
    writeFileSync(file, 'not a database, but a text that is long enough to be looked at'.repeat(100));
    for (const scratch of [false, true]) {
      await failureOf(() => openCatalog({ file, create: false, scratch }));
      expect(openFiles(file)).toBe(0);
    }
  });

  it('tells how long it took to open', async () => {
    const steps: unknown[] = [];
    const listen = (step: unknown): void => void steps.push(step);
    subscribe(stepChannel, listen);
    const catalog = await openCatalog({ file: join(newFolder(), 'timed.db'), create: true });
    unsubscribe(stepChannel, listen);
    await catalog.close();
    expect(steps).toContainEqual({ name: 'open', milliseconds: expect.any(Number) });
  });
});

it('the version of the program is that of its package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(programVersion()).toBe(version);
});
