// The status that an undo leaves: the last one that was given, unless a run suspends the record.
import { beforeEach, describe, expect, it } from 'vitest';
import { nightlyShop, type Shop } from '../ledger-shop.js';

const A = { currency: 'EUR' };
const other = { B: A };

describe('after an undo, the status of a record', () => {
  let shop: Shop;
  /** Gives a product a status, as a person does. */
  const give = async (status: string): Promise<number> => (await shop.run('', { A: { status } })).run;
  const suspend = () => shop.run('erp', other, { suspends: true });
  /** What the undo of a run kept, and the status then. */
  async function left(run: number): Promise<readonly unknown[]> {
    const { keptFields } = await shop.undo(run);
    const { status } = await shop.product('A');
    return [status, keptFields.map(({ field, reason }) => `${field} ${reason}`)];
  }
  beforeEach(() => {
    shop = nightlyShop();
  });

  it('is the one that was given outside the history after a later run had given another one', async () => {
    await shop.run('', { A });
    const run = await give('activated');
    await give('draft');
    await shop.unrecorded({ A: { status: 'activated' } });
    expect(await left(run)).toEqual(['activated', []]);
  });

  it('is the last of those that were given outside the history', async () => {
    await shop.run('', { A });
    const run = await give('activated');
    await give('draft');
    await shop.unrecorded({ A: { status: 'activated' } });
    await shop.run('', { A: { name: 'Lamp' } });
    await shop.unrecorded({ A: { status: 'suspended' } });
    expect(await left(run)).toEqual(['suspended', []]);
  });

  it('may be that of the undone run if something outside the history came right after it', async () => {
    await shop.run('', { A });
    const run = await give('activated');
    await shop.unrecorded({ A: { name: 'Lamp' } });
    expect(await left(run)).toEqual(['activated', ['status unrecorded_change']]);
  });

  it('is the one that was given outside the history after a run had sent it anew, also where its creation is undone again', async () => {
    const { run } = await shop.run('', { A });
    await shop.undo(run);
    await shop.run('', { A });
    await shop.unrecorded({ A: { status: 'activated' } });
    expect(await left(run)).toEqual(['activated', []]);
  });

  it('is the one that was given outside the history after the record had regained another one', async () => {
    await shop.run('', { A });
    const run = await give('suspended');
    await give('activated');
    await shop.run('erp', { A });
    await suspend();
    await shop.run('erp', { A });
    await shop.unrecorded({ A: { status: 'draft' } });
    expect(await left(run)).toEqual(['draft', []]);
  });

  it.each([false, true])(
    'is the one that was given outside the history after a run had suspended the record, and before, too: %s',
    async (isBefore) => {
      await shop.run('', { A });
      const run = await give('suspended');
      await give(isBefore ? 'draft' : 'activated');
      if (isBefore) await shop.unrecorded({ A: { status: 'activated' } });
      await shop.run('erp', { A });
      await suspend();
      await shop.unrecorded({ A: { status: 'activated' } });
      expect(await left(run)).toEqual(['activated', []]);
    },
  );

  it.each([false, true])(
    'is none that customers see, so no run suspended it; changed outside the history since: %s',
    async (isChanged) => {
      await shop.run('', { A });
      const run = await give('activated');
      await shop.run('erp', { A });
      await give('draft');
      await suspend();
      if (isChanged) await shop.unrecorded({ A: { name: 'Lamp' } });
      expect(await left(run)).toEqual(['draft', []]);
    },
  );

  it.each(['before the history', 'in it'])(
    'given %s ends where no feed that counts lists the record any more',
    async (where) => {
      const isBefore = where === 'before the history';
      await shop.unrecorded({ A: { ...A, status: isBefore ? 'activated' : 'draft' } });
      await shop.run('erp', { A });
      const { run } = await shop.run('a', { A });
      if (!isBefore) await give('activated');
      await suspend();
      expect(await shop.product('A')).toMatchObject({ status: 'activated' });
      expect(await left(run)).toEqual(['suspended', []]);
    },
  );
});
