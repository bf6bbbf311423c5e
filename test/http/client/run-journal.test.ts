// The journal of a remote import: it contains only acknowledged items, however the run ended.
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Report } from '../../../src/core/import-report.js';
import { reportOf } from '../../../src/core/report-counts.js';
import { openJournal } from '../../../src/http/client/run-journal.js';
import { allowed } from '../../tier.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-journal-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const fresh = (): string => join(folder, `state-${files}`, `${files++}.ndjson`);

function report(name: string): Report {
  const told = { action: 'created', id: 'prod_1', code: null, title: null, reason: null, notice: [] } as const;
  return reportOf('product', false, [{ index: 0, external_id: name, ...told }]);
}

describe('the journal', () => {
  it('returns its reports to a run that continues under the same name', async () => {
    const path = fresh();
    const first = await openJournal(path, false, () => 'run 1');
    await Promise.all([first.add(2, 'c', report('Ü2')), first.add(0, 'a', report('0'))]);
    await first.close();
    const second = await openJournal(path, true, () => 'run 2');
    expect(second).toMatchObject({ run: 'run 1', held: 2 });
    expect(await second.find(2, 'c')).toEqual(report('Ü2'));
    expect(await second.find(0, 'a')).toEqual(report('0'));
    expect(await second.find(1, 'b')).toBeUndefined();
    await second.close();
  });

  it('a batch of other content counts as never acknowledged', async () => {
    const path = fresh();
    const journal = await openJournal(path, false, () => 'run');
    await journal.add(0, 'a', report('0'));
    await journal.close();
    const again = await openJournal(path, true, () => 'run');
    expect(await again.find(0, 'other')).toBeUndefined();
    await again.close();
  });

  it.skipIf(process.platform === 'win32')(
    'a link in its place leads nowhere: what it names stays as it is',
    async () => {
      const path = fresh();
      await (await openJournal(path, false, () => 'run')).remove();
      const victim = join(folder, 'victim');
      writeFileSync(victim, 'mine');
      symlinkSync(victim, path);
      await expect(openJournal(path, true, () => 'run')).rejects.toThrow('ELOOP');
      await (await openJournal(path, false, () => 'run')).close();
      expect(readFileSync(victim, 'utf8')).toBe('mine');
    },
  );

  it.each(['null', '5', '[1]', '{"run":{}}', '{"batch":"0","digest":"a"}', '{}'])(
    'what is no line of a journal ends it: %s',
    async (line) => {
      const path = fresh();
      const first = await openJournal(path, false, () => 'run 1');
      await first.add(0, 'a', report('0'));
      await first.close();
      appendFileSync(path, `${line}\n{"batch":1,"digest":"b","report":{}}\n`);
      const second = await openJournal(path, true, () => 'run 2');
      expect(second).toMatchObject({ run: 'run 1', held: 1 });
      expect(await second.find(1, 'b')).toBeUndefined();
      await second.close();
    },
  );

  it('starts empty unless the run is resumed', async () => {
    const path = fresh();
    const first = await openJournal(path, false, () => 'run 1');
    await first.add(0, 'a', report('0'));
    await first.close();
    const second = await openJournal(path, false, () => 'run 2');
    expect(second).toMatchObject({ run: 'run 2', held: 0 });
    await second.remove();
    expect(existsSync(path)).toBe(false);
  });

  it('a line that a crash left unfinished is not a line, and what is added after it is one', async () => {
    const path = fresh();
    const first = await openJournal(path, false, () => 'run 1');
    await first.add(0, 'a', report('0'));
    await first.add(1, 'b', report('1'));
    await first.close();
    truncateSync(path, statSync(path).size - 9);
    const second = await openJournal(path, true, () => 'run 2');
    expect(second).toMatchObject({ run: 'run 1', held: 1 });
    await second.add(1, 'b', report('again'));
    await second.close();
    const third = await openJournal(path, true, () => 'run 3');
    expect(await third.find(1, 'b')).toEqual(report('again'));
    await third.close();
  });

  it('a line that is longer than any of a journal is damage, in little memory and time', async () => {
    const path = fresh();
    const first = await openJournal(path, false, () => 'run 1');
    await first.add(0, 'a', report('0'));
    await first.close();
    // A file with a hole takes no disk.
    truncateSync(path, 1024 ** 3);
    const began = performance.now();
    await expect(openJournal(path, true, () => 'run 2')).rejects.toThrow(
      'it is damaged: line 3 has more than 268,436,480 bytes',
    );
    expect(performance.now() - began).toBeLessThan(allowed(1500));
    expect(statSync(path).size).toBe(1024 ** 3);
    rmSync(path);
  });

  it('a file that is not a journal is replaced', async () => {
    const path = fresh();
    await (await openJournal(path, false, () => 'run 1')).close();
    rmSync(path);
    appendFileSync(path, 'not a journal\n');
    const journal = await openJournal(path, true, () => 'run 2');
    expect(journal).toMatchObject({ run: 'run 2', held: 0 });
    await journal.close();
    expect(readFileSync(path, 'utf8')).toBe('{"run":"run 2"}\n');
  });

  it('is readable by its owner only', async () => {
    const path = fresh();
    await (await openJournal(path, false, () => 'run')).close();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
