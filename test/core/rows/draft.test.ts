// What a draft reports as saved, after any creations, corrections and rollbacks, against a list that is copied at each mark.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newDraft } from '../../../src/core/rows/draft.js';
import type { Draft, Origin } from '../../../src/core/rows/snapshot.js';
import { column, defineTable, type Row } from '../../../src/core/rows/table.js';
import { repetitions } from '../../tier.js';

const table = defineTable(
  'part',
  { seq: column.integer, sku: column.text, whole: column.text, note: column.integer },
  { id: ['seq'], lookups: { sku: ['sku'] }, parent: 'whole' },
);
type Part = Row & { seq: number; sku: string; whole: string; note: number };

const wholes = ['A', 'B'];
/** The rows that the store has: numbers 1 to 4. */
const stored: readonly Part[] = [1, 2, 3, 4].map((seq) => ({ seq, sku: `S${seq}`, whole: 'A', note: 0 }));

/** A draft that was given all that the store has. */
function loadedDraft(): Draft {
  const draft = newDraft();
  for (const row of stored) draft.loaded(table, 'sku', row.sku, row);
  for (const whole of wholes)
    draft.loadedChildren(
      table,
      whole,
      stored.filter((row) => row.whole === whole),
    );
  return draft;
}

/** By number: the order of changed rows and of children is not promised. */
function inOrder<T>(all: readonly T[], rowOf: (one: T) => Row): readonly T[] {
  return [...all].sort((a, b) => Number(rowOf(a)['seq']) - Number(rowOf(b)['seq']));
}

/** What the draft should report: every row as it is now, those that were saved, and what the store has in their place. */
interface Expected {
  readonly rows: readonly Part[];
  readonly created: readonly Part[];
  readonly changed: readonly (readonly [Part, Origin])[];
}

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), whole: fc.constantFrom(...wholes) }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('correct' as const), at: fc.nat(20), note: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mark' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rollback' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('take' as const),
      least: fc.integer({ min: 1, max: 4 }),
      isMarked: fc.boolean(),
    }),
  },
);

describe('a draft', () => {
  it('returns each row once, in its last version, without rolled back changes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const draft = loadedDraft();
        draft.mark();
        let now: Expected = { rows: stored, created: [], changed: [] };
        let marked = now;
        let hasTaken = false;
        for (const each of steps) {
          if (each.kind === 'mark') {
            draft.mark();
            marked = now;
          } else if (each.kind === 'rollback') {
            draft.rollback();
            now = marked;
          } else if (each.kind === 'take') {
            if (each.isMarked) {
              draft.mark();
              marked = now;
            }
            const taken = draft.takeSaved(each.least);
            const isEnough = now.created.length + now.changed.length >= each.least;
            if (now !== marked || !isEnough) expect(taken).toBeUndefined();
            else {
              expect(taken?.get(table)?.created).toEqual(now.created);
              expect(inOrder([...(taken?.get(table)?.changed ?? [])], ([row]) => row)).toEqual(
                inOrder(now.changed, ([row]) => row),
              );
              now = { ...now, created: [], changed: [] };
              marked = now;
              hasTaken = true;
            }
          } else if (each.kind === 'create') {
            const seq = now.rows.length + 1;
            const row = { seq, sku: `S${seq}`, whole: each.whole, note: 0 };
            draft.save(table, row, null);
            now = { ...now, rows: [...now.rows, row], created: [...now.created, row] };
          } else {
            const before = now.rows[each.at % now.rows.length] as Part;
            expect(draft.find(table, 'sku', before.sku)).toBe(before);
            const row = { ...before, note: each.note };
            draft.save(table, row, before);
            const instead = (one: Part) => (one === before ? row : one);
            const isNew = now.created.includes(before);
            const origin = now.changed.find(([one]) => one === before)?.[1] ?? before;
            const others = now.changed.filter(([one]) => one !== before);
            now = {
              rows: now.rows.map(instead),
              created: now.created.map(instead),
              changed: isNew ? now.changed : [...others, [row, origin]],
            };
          }
          const saved = draft.saved().get(table);
          expect(saved?.created ?? []).toEqual(now.created);
          expect(inOrder([...(saved?.changed ?? [])], ([row]) => row)).toEqual(inOrder(now.changed, ([row]) => row));
          expect(draft.hasSaved()).toBe(hasTaken || now.created.length + now.changed.length > 0);
          const untouched = new Set<Part>(stored);
          expect(inOrder([...draft.written(table)], (row) => row)).toEqual(
            now.rows.filter((row) => !untouched.has(row)),
          );
          for (const row of now.rows) expect(draft.find(table, 'sku', row.sku)).toBe(row);
          for (const whole of wholes) {
            const children = inOrder(draft.children(table, whole), (row) => row);
            expect(children).toEqual(now.rows.filter((row) => row.whole === whole));
          }
          expect(draft.hasPending()).toBe(false);
        }
      }),
      { numRuns: repetitions('DRAFTS', { fast: 150, moderate: 150, full: 5000 }) },
    );
  });

  it('finds saved rows by look-ups and parents that were not used before', () => {
    const draft = newDraft();
    const [first, second] = stored as [Part, Part];
    const created = { seq: 5, sku: 'S5', whole: 'C', note: 0 };
    const corrected = { ...created, note: 1 };
    const changed = { ...second, sku: 'S2b' };
    draft.loaded(table, 'id', '2', second);
    draft.save(table, created, null);
    draft.save(table, corrected, created);
    draft.save(table, changed, second);
    expect(draft.find(table, 'sku', 'S5')).toBe(corrected);
    expect(draft.find(table, 'sku', 'S2b')).toBe(changed);
    expect(draft.children(table, 'C')).toEqual([corrected]);
    expect(draft.hasPending()).toBe(false);
    // What the store has of a row that was changed since is not what it is now.
    draft.loaded(table, 'sku', 'S2', second);
    expect(draft.find(table, 'sku', 'S2')).toBeUndefined();
    draft.loaded(table, 'sku', 'S1', first);
    expect(draft.find(table, 'sku', 'S1')).toBe(first);
    expect(draft.hasPending()).toBe(false);
  });

  it('finds rows that take over keys of each other, in whatever order they are saved', () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...stored], { minLength: 4 }),
        fc.shuffledSubarray(['S1', 'S2', 'S3', 'S4', 'new'], { minLength: 4, maxLength: 4 }),
        (order, keys) => {
          const draft = loadedDraft();
          draft.mark();
          const moved = order.map((before, i) => ({ ...before, sku: keys[i] as string }));
          for (const [i, row] of moved.entries()) draft.save(table, row, order[i]);
          for (const row of moved) expect(draft.find(table, 'sku', row.sku)).toBe(row);
          // Nothing is found by a key that its row gave up.
          for (const { sku } of stored.filter((one) => !keys.includes(one.sku)))
            expect(draft.find(table, 'sku', sku)).toBeUndefined();
          draft.rollback();
          for (const row of stored) expect(draft.find(table, 'sku', row.sku)).toBe(row);
          expect(draft.hasPending()).toBe(false);
        },
      ),
      { numRuns: 50 },
    );
  });
});
