// The keys of a server: who may come in, and until when.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiKey, apiKeyTable } from '../../../src/core/api-key.js';
import { type KeyStore, keyStore } from '../../../src/store/api-keys/api-keys.js';
import { memoryStore } from '../memory-store.js';

const start = 1_764_000_000;
const never: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'> = {
  name: 'erp',
  scopes: ['product:read', 'product:write'],
  expiresAt: null,
};

describe('a key', () => {
  let keys: KeyStore;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start * 1000 });
    keys = keyStore(memoryStore());
  });
  afterEach(() => void vi.useRealTimers());

  it('is what its text says, asked for once or again, and nobody else’s', async () => {
    const { id, text } = await keys.create(never);
    expect(text).toMatch(/^cik_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(text.slice(4, 12)).toBe(id);
    const own = { id, ...never, createdAt: start, revokedAt: null };
    const other = await keys.create({ ...never, name: 'other' });
    for (let nth = 0; nth < 3; nth++) {
      expect(await keys.verify(text)).toEqual(own);
      expect(await keys.verify(other.text)).toMatchObject({ name: 'other' });
    }
    // Its sum is wrong, or it is that of nobody, or the rest is another key's.
    const mixed = `${other.text.slice(0, 13)}${text.slice(13)}`;
    for (const wrong of [`${text}0`, text.slice(0, -1), text.toLowerCase(), mixed, '', 'cik_'])
      expect(await keys.verify(wrong), wrong).toBe('invalid');
    const elsewhere = await keyStore(memoryStore()).create(never);
    expect(await keys.verify(elsewhere.text)).toBe('invalid');
  });

  it('that is well formed, but has another secret, is none, however often it is sent', async () => {
    const store = memoryStore();
    keys = keyStore(store);
    const { id, text } = await keys.create(never);
    const forged = await keyStore(memoryStore()).create(never);
    const row = (await store.readAll(apiKeyTable)).find((one) => one.id === id);
    const rest = forged.text.slice(4, 12);
    // biome-ignore lint/correctness/useYield: nothing is asked for
    await store.write(function* (draft) {
      draft.save(apiKeyTable, { ...(row as NonNullable<typeof row>), id: rest }, null);
    });
    for (let nth = 0; nth < 3; nth++) expect(await keys.verify(forged.text)).toBe('invalid');
    expect(await keys.verify(text)).toMatchObject({ id });
  });

  it('ends with the second at which it expires, also while it is remembered', async () => {
    const { text } = await keys.create({ ...never, expiresAt: start + 1 });
    vi.setSystemTime(start * 1000 + 900);
    for (let nth = 0; nth < 3; nth++) expect(await keys.verify(text)).toMatchObject({ name: 'erp' });
    vi.setSystemTime((start + 1) * 1000 - 1);
    expect(await keys.verify(text)).toMatchObject({ name: 'erp' });
    vi.setSystemTime((start + 1) * 1000);
    for (let nth = 0; nth < 3; nth++) expect(await keys.verify(text)).toBe('expired');
    vi.setSystemTime((start + 9) * 1000);
    expect(await keys.verify(text)).toBe('expired');
  });

  it.each([1000, -1000])('that is revoked is so within a second, where the clock goes on by %d ms', async (later) => {
    const store = memoryStore();
    keys = keyStore(store);
    const { id, text } = await keys.create(never);
    for (let nth = 0; nth < 3; nth++) expect(await keys.verify(text)).toMatchObject({ id });
    // By another process.
    expect(await keyStore(store).revoke(id)).toBe(true);
    vi.setSystemTime(start * 1000 + later);
    for (let nth = 0; nth < 3; nth++) expect(await keys.verify(text)).toBe('revoked');
  });

  it('keeps the time of its first revocation; one that is not there cannot be revoked', async () => {
    const { id } = await keys.create(never);
    expect(await keys.revoke('00000000')).toBe(false);
    expect(await keys.list()).toMatchObject([{ id, revokedAt: null }]);
    expect(await keys.revoke(id)).toBe(true);
    vi.setSystemTime((start + 60) * 1000);
    expect(await keys.revoke(id)).toBe(true);
    expect(await keys.list()).toMatchObject([{ id, revokedAt: start }]);
  });

  it('is listed after those that are older, and by its id among those of the same second', async () => {
    const made: { readonly id: string; readonly at: number }[] = [];
    for (const at of [5, 1, 1, 3, 3, 3, 2, 4, 0, 5]) {
      vi.setSystemTime((start + at) * 1000);
      made.push({ id: (await keys.create(never)).id, at });
    }
    const expected = made.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)).map(({ id }) => id);
    expect((await keys.list()).map(({ id }) => id)).toEqual(expected);
  });
});
