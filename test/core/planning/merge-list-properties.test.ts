// Whole-set lists against a model, for any sequence of items.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { given } from '../../given.js';

describe('for any sequence of lists', () => {
  type Sent = { label: string; status?: string; position?: number };
  const entry = fc.record(
    {
      label: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      status: fc.constantFrom('activated', 'suspended'),
      position: fc.integer({ min: 0, max: 5 }),
    },
    { requiredKeys: ['label'] },
  ) as fc.Arbitrary<Sent>;
  const list = fc.uniqueArray(entry, { selector: ({ label }) => label });
  const sending = fc.option(list, { nil: undefined });

  it('the set is the last one sent, each entry with its last status, and nothing is ever lost', () => {
    fc.assert(
      fc.property(fc.array(sending, { maxLength: 6 }), (sendings) => {
        const shop = given().has('attribute', { name: 'A' });
        /** What must be stored: status by label, and whether it is part of the set. */
        const expected = new Map<string, { status: string; listed: number }>();
        for (const values of sendings) {
          shop.has('attribute', { name: 'A', ...(values && { values }) });
          if (values === undefined) continue;
          for (const { label, status } of values) {
            const kept = expected.get(label);
            // Sent as suspended, an unlisted entry stays as it is.
            const listed = kept?.listed === 0 && status === 'suspended' ? 0 : 1;
            expected.set(label, { status: status ?? (kept?.listed ? kept.status : 'activated'), listed });
          }
          for (const [label, kept] of expected) {
            if (kept.listed && !values.some((sent) => sent.label === label))
              expected.set(label, { status: 'suspended', listed: 0 });
          }
        }
        const rows = shop
          .table('characteristic_value')
          .map(({ label, status, listed }) => [label, { status, listed }] as const);
        expect(new Map(rows)).toEqual(expected);
      }),
    );
  });

  it('every sent position is kept, and new entries without one follow all others', () => {
    fc.assert(
      fc.property(list, list, (first, second) => {
        const shop = given().has('attribute', { name: 'A', values: first });
        const old = new Set(first.map(({ label }) => label));
        shop.has('attribute', { name: 'A', values: second });
        const position = new Map(
          shop.table('characteristic_value').map((row) => [row['label'], Number(row['position'])]),
        );
        const fresh = second.filter((sent) => sent.position === undefined && !old.has(sent.label));
        for (const { label, position: sent } of second) if (sent !== undefined) expect(position.get(label)).toBe(sent);
        const others = second.filter((sent) => !fresh.includes(sent)).map(({ label }) => position.get(label) ?? 0);
        const last = fresh.map(({ label }) => position.get(label) ?? 0);
        expect([...last].sort((a, b) => a - b)).toEqual(last);
        expect(new Set(last).size).toBe(last.length);
        if (last.length > 0 && others.length > 0) expect(Math.min(...last)).toBeGreaterThan(Math.max(...others));
      }),
    );
  });
});
