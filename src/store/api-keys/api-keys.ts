// The API keys of a catalog, on any store. Only SHA-256 digests are stored: a key has 190 random bits, so that no
// slower hash is needed.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type ApiKey, apiKeyTable, type Keys, type Verdict } from '../../core/api-key.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { RowOf } from '../../core/rows/table.js';
import type { Plan, Store } from '../store.js';

/** The keys of a catalog, for the server and the `keys` command. */
export interface KeyStore extends Keys {
  /** Creates a key. Its text is returned once and stored nowhere. */
  create(key: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): Promise<{ readonly id: string; readonly text: string }>;
  /** Every key ever created, oldest first. */
  list(): Promise<ApiKey[]>;
  /** Revokes a key; false for an unknown id. A second revocation keeps the time of the first. */
  revoke(id: string): Promise<boolean>;
}

type KeyRow = RowOf<typeof apiKeyTable>;

interface Known {
  readonly key: ApiKey;
  readonly digest: Buffer;
}

/** How long a key is cached, in milliseconds: a revocation takes effect within a second. */
const trustTime = 500;

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function apiKey(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    scopes: row.scopes.split(' '),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** Finds a key, and changes it with `change` if it exists. */
function withKey<T>(id: string, change: (row: KeyRow | undefined, draft: Draft) => T): Plan<T> {
  return function* (draft) {
    draft.find(apiKeyTable, 'id', id);
    yield;
    return change(draft.find(apiKeyTable, 'id', id), draft);
  };
}

/** The verdict on a stored key for the text that was sent, at a time in milliseconds. */
function judge(found: Known | undefined, text: string, time: number): Verdict {
  if (found === undefined || !timingSafeEqual(found.digest, digestOf(text))) return 'invalid';
  if (found.key.revokedAt !== null) return 'revoked';
  return isExpired(found.key, time) ? 'expired' : found.key;
}

function isExpired({ expiresAt }: ApiKey, time: number): boolean {
  return expiresAt !== null && expiresAt * 1000 <= time;
}

/** The keys kept in a store. */
export function keyStore(store: Store): KeyStore {
  const known = new Map<string, Known>();
  // Verified keys by their text, since a digest for each request takes 3 µs. Bounded by the number of keys.
  const verified = new Map<string, ApiKey>();
  let knownSince = 0;

  async function lookUp(text: string): Promise<Known | undefined> {
    const id = keyIdOf(text);
    const row = id === undefined ? undefined : await store.read(withKey(id, (found) => found));
    if (row === undefined) return undefined;
    const found = { key: apiKey(row), digest: Buffer.from(row.digest, 'hex') };
    known.set(row.id, found);
    return found;
  }

  return {
    verify(text) {
      const time = Date.now();
      if (time - knownSince > trustTime || time < knownSince) {
        known.clear();
        verified.clear();
        knownSince = time;
      }
      const key = verified.get(text);
      if (key !== undefined) return isExpired(key, time) ? 'expired' : key;
      const cached = known.get(text.slice(4, 12));
      if (cached === undefined) return lookUp(text).then((found) => judge(found, text, time));
      const verdict = judge(cached, text, time);
      if (typeof verdict === 'object') verified.set(text, verdict);
      return verdict;
    },
    async create({ name, scopes, expiresAt }) {
      const { id, text } = newKeyText();
      const digest = digestOf(text).toString('hex');
      const created_at = Math.floor(Date.now() / 1000);
      const row = { id, name, digest, scopes: scopes.join(' '), created_at, expires_at: expiresAt, revoked_at: null };
      await store.write(withKey(id, (_, draft) => draft.save(apiKeyTable, row, null)));
      return { id, text };
    },
    async list() {
      const rows = await store.readAll(apiKeyTable);
      return rows.map(apiKey).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
    },
    revoke(id) {
      const revoked_at = Math.floor(Date.now() / 1000);
      return store.write(
        withKey(id, (row, draft) => {
          if (row?.revoked_at === null) draft.save(apiKeyTable, { ...row, revoked_at }, row);
          return row !== undefined;
        }),
      );
    },
  };
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function randomDigits(count: number): string {
  let text = '';
  while (text.length < count) {
    // 248 is four times 62: larger bytes would favour the first digits.
    for (const byte of randomBytes(count)) if (byte < 248 && text.length < count) text += digits[byte % 62];
  }
  return text;
}

function sumOf(text: string): string {
  let rest = crc32(text);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = digits[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

function newKeyText(): { readonly id: string; readonly text: string } {
  const id = randomDigits(8);
  const start = `cik_${id}_${randomDigits(32)}`;
  return { id, text: start + sumOf(start) };
}

/** The id of a well-formed key, or undefined. */
function keyIdOf(text: string): string | undefined {
  const parts = /^(cik_([0-9A-Za-z]{8})_[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/.exec(text);
  const [, start = '', id, sum] = parts ?? [];
  return sum === sumOf(start) ? id : undefined;
}
