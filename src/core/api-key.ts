// An API key: its identity, its scopes, and how it is stored.
import { column, defineTable } from './rows/table.js';

/** Data of a key without its secret. Times are Unix seconds. */
export interface ApiKey {
  /** Eight base62 characters, the readable part of the key. */
  readonly id: string;
  readonly name: string;
  /** Literal scopes such as `product:write`; write does not imply read. */
  readonly scopes: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** The verdict on a key. `expired` and `revoked` are reported only where the secret matched. */
export type Verdict = ApiKey | 'invalid' | 'expired' | 'revoked';

/** The keys that open a catalog: the port the server asks. */
export interface Keys {
  /** Verifies a whole key (`cik_…`). A revocation takes effect within a second, also one by another process. */
  verify(key: string): Verdict | Promise<Verdict>;
}

/**
 * The keys of a catalog. Only the SHA-256 of a key is stored, as hexadecimal digits; scopes are separated by spaces.
 */
export const apiKeyTable = defineTable(
  'api_key',
  {
    id: column.text,
    name: column.text,
    digest: column.text,
    scopes: column.text,
    created_at: column.integer,
    expires_at: column.nullableInteger,
    revoked_at: column.nullableInteger,
  },
  { id: ['id'] },
);
