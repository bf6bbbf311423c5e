// The API keys of a catalog. Only SHA-256 digests are kept: a key has 190 random bits, so nothing slower is needed.
import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKey, Keys, Verdict } from '../core/api-key.js';
import { keyIdOf, newKeyText } from './key-text.js';
import { type Database, withLock } from './sqlite.js';

/** The keys of a catalog, for the server and for those who hand them out. */
export interface KeyStore extends Keys {
  /** Makes a key. Its text is returned here once and kept nowhere. */
  create(key: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>): Promise<{ readonly id: string; readonly text: string }>;
  /** Every key there ever was, oldest first. */
  list(): ApiKey[];
  /** Revokes a key for good; false where there is none of this id. Revoking again keeps the first time. */
  revoke(id: string): Promise<boolean>;
}

interface KeyRow {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

interface Known {
  readonly key: ApiKey;
  readonly digest: Buffer;
}

/** How long a key that was looked up is trusted, in milliseconds: a revocation shows within a second. */
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

/**
 * The keys kept in an open catalog.
 * @param lock the catalog's path, for messages, and the milliseconds to wait for another process's lock
 * @param now the current time in milliseconds
 */
export function keyStore(
  database: Database,
  lock: { readonly file: string; readonly lockTimeout: number },
  now: () => number = Date.now,
): KeyStore {
  const byId = database.prepare<[string], KeyRow>('SELECT * FROM api_key WHERE id = ?');
  const known = new Map<string, Known>();
  let knownSince = 0;

  /** What is known of the key that a text claims to be. */
  function lookUp(text: string): Known | undefined {
    const cached = known.get(text.slice(4, 12));
    if (cached !== undefined) return cached;
    const id = keyIdOf(text);
    const row = id === undefined ? undefined : byId.get(id);
    if (row === undefined) return undefined;
    const found = { key: apiKey(row), digest: Buffer.from(row.digest, 'hex') };
    known.set(row.id, found);
    return found;
  }

  function verify(text: string): Verdict {
    const time = now();
    if (time - knownSince > trustTime || time < knownSince) {
      known.clear();
      knownSince = time;
    }
    const found = lookUp(text);
    if (found === undefined || !timingSafeEqual(found.digest, digestOf(text))) return 'invalid';
    if (found.key.revokedAt !== null) return 'revoked';
    if (found.key.expiresAt !== null && found.key.expiresAt * 1000 <= time) return 'expired';
    return found.key;
  }

  function write(sql: string, ...values: readonly (string | number | null)[]): Promise<number> {
    return withLock(lock.file, lock.lockTimeout, () => database.prepare(sql).run(...values).changes);
  }

  return {
    verify,
    async create({ name, scopes, expiresAt }) {
      const { id, text } = newKeyText();
      await write(
        'INSERT INTO api_key (id, name, digest, scopes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
        ...[id, name, digestOf(text).toString('hex'), scopes.join(' '), Math.floor(now() / 1000), expiresAt],
      );
      return { id, text };
    },
    list: () => database.prepare<[], KeyRow>('SELECT * FROM api_key ORDER BY created_at, id').all().map(apiKey),
    async revoke(id) {
      const time = Math.floor(now() / 1000);
      return (await write('UPDATE api_key SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?', time, id)) === 1;
    },
  };
}
