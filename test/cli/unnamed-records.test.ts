// More changed records than reports name one by one: the reports say so.
import { describe, expect, it } from 'vitest';
import { undoEffects } from '../../src/cli/commands/ledger/undo-effects.js';
import { endingObserver } from '../../src/cli/import/history/ending-observer.js';
import { warningLog } from '../../src/core/diagnostics/warning-log.js';
import { mostEndLines } from '../../src/core/ledger/feed-end.js';
import { noCounts } from '../../src/core/report-counts.js';
import type { Ledger } from '../../src/store/ledger/ledger.js';

const keys = (count: number): string[] => Array.from({ length: count }, (_, i) => `K${i}`);
const told = { code: 'records_unnamed', params: { named: mostEndLines } };
const message = 'Reports name 100,000 of the changed records one by one; the others are only counted.';

describe('an undo', () => {
  async function undone(count: number) {
    const log = warningLog();
    const changes = keys(count).map((id) => ({ resource: 'product', key: id, id, fields: [] }));
    const ledger = {
      runs: async () => [{ number: 2 }],
      async *changes() {
        // The last record changes once more.
        yield [...changes, ...changes.slice(-1)];
      },
    } as unknown as Ledger;
    const counts = { items: count, restored: count, suspended: 0, kept: 0, unchanged: 0 };
    const result = { ...counts, keptBecause: new Map(), changedBy: new Map(), keptFields: [] };
    const { lines } = await undoEffects(ledger, { run: 2, result }, log);
    return { lines: lines.length, warnings: log.all() };
  }

  it('says that reports do not name all records that it changed', async () => {
    expect(await undone(mostEndLines + 1)).toMatchObject({ lines: mostEndLines, warnings: [{ ...told, message }] });
  });

  it('says nothing where they name all', async () => {
    expect(await undone(mostEndLines)).toEqual({ lines: mostEndLines, warnings: [] });
  });
});

describe('the end of a run', () => {
  const total = { counts: noCounts(), seconds: 0 };

  async function ended(count: number, passedOn?: { readonly unnamed: number }) {
    const log = warningLog();
    const end = async () => ({ lines: [], ...passedOn });
    const observer = endingObserver({ observer: {}, end }, 'erp', log);
    const notice = [{ code: 'status_regained', field: 'status', message: '' }];
    const data = keys(count).map((key) => ({ external_id: key, id: key, action: 'updated', notice }));
    observer.batch?.({ report: { resource: 'product', data } } as never);
    await observer.end?.(total);
    return { counts: observer.effects()?.counts, warnings: log.all() };
  }

  it('says that reports do not name all records that regained their status', async () => {
    const count = mostEndLines + 1;
    expect(await ended(count)).toMatchObject({ counts: { regained: count }, warnings: [told] });
    expect((await ended(mostEndLines)).warnings).toEqual([]);
  });

  it('says that reports do not name what a remote did not', async () => {
    expect(await ended(2, { unnamed: 3 })).toMatchObject({
      counts: { passed_on: 3 },
      warnings: [{ code: 'records_unnamed', params: { named: 2 } }],
    });
    expect((await ended(2, { unnamed: 0 })).warnings).toEqual([]);
  });
});
