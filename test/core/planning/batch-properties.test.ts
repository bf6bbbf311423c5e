// Invariants of every batch of every resource.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validatedEntry } from '../../../src/core/entry.js';
import { prevalidator } from '../../../src/core/fields/prevalidation.js';
import type { Line } from '../../../src/core/import-report.js';
import { type Given, type Item, resourceCalled } from '../../given.js';
import { repetitions } from '../../tier.js';
import { batches, shop } from '../random-items.js';

const usual = repetitions('BATCHES', { fast: 15, moderate: 15, full: 300 });

/** Rows with identifiers replaced by the order in which they appear, and without times. */
function shape(of: Given): string {
  const names = new Map<string, string>();
  // Former prices are those that others could see, which is up to the transactions.
  const withoutTimes = (column: string, value: unknown): unknown =>
    column.endsWith('ed_at') ? 0 : column === 'former_prices' ? '' : value;
  return JSON.stringify(of.rows(), withoutTimes).replace(
    /\b[a-z]{4}_\d{8}\b/g,
    (id) => names.get(id) ?? names.set(id, `#${names.size}`).get(id) ?? '',
  );
}

/** The parts of a line that must be equal in another run: all but new identifiers and times. */
function predicted(line: Line): unknown {
  const { id: _, ...rest } = line;
  return JSON.parse(
    JSON.stringify(rest)
      .replace(/\b([a-z]{4}_)-?\d{8}\b/g, '$1')
      .replace(/\b17\d{8}\b/g, '0'),
  );
}

describe.each(batches)('every batch of %s', (resource, batch) => {
  const holds = (property: (sent: Item[], catalog: Given) => void, numRuns = usual) =>
    fc.assert(
      fc.property(batch, (sent) => property(sent, shop.copy())),
      { numRuns },
    );

  it('sent again is all unchanged, and refused for the same reason', () => {
    holds((sent, catalog) => {
      const first = catalog.send(resource, sent);
      const before = catalog.rows();
      const again = catalog.send(resource, sent);
      expect(again.data.map(({ action, reason }) => [action, reason])).toEqual(
        first.data.map(({ action, reason }) => [action === 'refused' ? 'refused' : 'unchanged', reason]),
      );
      expect(catalog.rows()).toEqual(before);
    });
  });

  it('has the same lines and rows where its items were validated by the source', () => {
    holds((sent, catalog) => {
      const other = catalog.copy();
      const { fields } = resourceCalled(resource);
      const checked = sent.map((item) => {
        const valid = prevalidator(fields)(item);
        return valid === undefined ? item : validatedEntry(valid);
      });
      expect(catalog.send(resource, checked)).toEqual(other.send(resource, sent));
      expect(catalog.rows()).toEqual(other.rows());
    });
  });

  it('is counted: created + updated + unchanged + refused = items, one line each, in order', () => {
    holds((sent, catalog) => {
      const { data, ...counts } = catalog.send(resource, sent);
      expect(counts.total).toBe(sent.length);
      expect(counts.created + counts.updated + counts.unchanged + counts.refused).toBe(sent.length);
      expect(data.map(({ index }) => index)).toEqual(sent.map((_, i) => i));
      for (const action of ['created', 'updated', 'unchanged', 'refused'] as const) {
        expect(counts[action]).toBe(data.filter((line) => line.action === action).length);
      }
      for (const { action, id, code, title, reason } of data) {
        expect([code, title, reason].every((word) => (word === null) !== (action === 'refused'))).toBe(true);
        if (action !== 'refused') expect(id).not.toBeNull();
      }
    });
  });

  it('changes nothing through a refused item: without those the state is the same', () => {
    holds((sent, catalog) => {
      const without = catalog.copy();
      const report = catalog.send(resource, sent);
      const accepted = sent.filter((_, i) => report.data[i]?.action !== 'refused');
      expect(without.send(resource, accepted).refused).toBe(0);
      expect(shape(without)).toBe(shape(catalog));
    });
  });

  it('writes nothing for each line reported as unchanged', () => {
    holds((sent, catalog) => {
      for (const one of sent) {
        const before = catalog.rows();
        const { action } = catalog.line(resource, one);
        if (action === 'unchanged' || action === 'refused') expect(catalog.rows()).toEqual(before);
        else expect(catalog.rows()).not.toEqual(before);
      }
    });
  });

  it('is predicted by a dry run, which writes nothing', () => {
    holds((sent, catalog) => {
      const before = catalog.rows();
      const dry = catalog.copy().send(resource, sent, { dryRun: true, diff: true });
      expect(catalog.rows()).toEqual(before);
      const real = catalog.send(resource, sent, { diff: true });
      expect(dry.data.map(predicted)).toEqual(real.data.map(predicted));
      real.data.forEach(({ id }, i) => {
        const isNew = id !== null && !JSON.stringify(before).includes(id);
        expect(dry.data[i]?.id).toBe(isNew ? null : id);
      });
    });
  });

  it('is predicted without diff too, but for the child lists of products', () => {
    holds((sent, catalog) => {
      const plain = (lines: readonly Line[]) =>
        lines.map((line) => {
          const notice = line.notice.filter(({ code }) => resource !== 'product' || code !== 'entries_deactivated');
          const isLoose = resource === 'product' && line.action === 'updated';
          return predicted({ ...line, notice, action: isLoose ? 'unchanged' : line.action });
        });
      const dry = catalog.send(resource, sent, { dryRun: true });
      expect(plain(dry.data)).toEqual(plain(catalog.send(resource, sent).data));
    });
  });

  it('ends in the same state, with lines in the same order, in one transaction or in many', () => {
    fc.assert(
      fc.property(fc.array(batch, { maxLength: 4 }), (sent) => {
        const together = shop.copy();
        const apart = shop.copy();
        const reports = together.sendBatches(resource, sent, { diff: true });
        const lines = sent.map((items) => apart.send(resource, items, { diff: true }));
        // A price that only an earlier item of the transaction set was offered to nobody, and reduces nothing.
        const plain = ({ data }: { readonly data: readonly Line[] }) =>
          data.map(({ notice, diagnostics: _, ...line }) =>
            predicted({ ...line, notice: notice.filter(({ code }) => code !== 'compare_above_lowest') }),
          );
        expect(reports.map(plain)).toEqual(lines.map(plain));
        expect(shape(together)).toBe(shape(apart));
      }),
      { numRuns: usual },
    );
  });

  it('changes something exactly if changes are reported', () => {
    holds((sent, catalog) => {
      for (const { action, changes } of catalog.send(resource, sent, { diff: true }).data) {
        expect(changes?.length === 0).toBe(action === 'unchanged' || action === 'refused');
      }
    });
  });

  it('generates items that are mostly accepted', () => {
    const count = { accepted: 0, total: 0 };
    holds((sent, catalog) => {
      const { refused, total } = catalog.send(resource, sent);
      count.accepted += total - refused;
      count.total += total;
      // So many that chance does not decide.
    }, 200);
    expect(count.accepted / count.total).toBeGreaterThan(0.5);
  });
});
