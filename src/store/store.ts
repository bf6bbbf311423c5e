// The port of the rooms below: where rows are kept. SQLite is the one there is; another database would implement
// the same verbs.
import type { Draft } from '../core/snapshot.js';

/** A plan reads a draft and yields whenever it lacks rows; the store loads them and lets it go on. */
export type Plan<T> = (draft: Draft) => Generator<void, T>;

/**
 * A store runs the decision, never the other way round: it loads in bulk what a plan asks for, and keeps what the plan
 * saved in its draft, all in one transaction. All verbs throw a `CatalogError` when the store cannot serve; nothing
 * of the plan is kept then.
 */
export interface Store {
  /** Runs a plan on a consistent view and keeps nothing of it; takes no write lock. */
  look<T>(plan: Plan<T>): Promise<T>;
  /** Runs a plan in a write transaction; once this resolves, what the plan saved is durable. */
  change<T>(plan: Plan<T>): Promise<T>;
  /**
   * Runs a plan of a dry run: nothing of it reaches the catalog. A store that is a scratch copy keeps what the plan saved,
   * so that later plans see it.
   */
  rehearse<T>(plan: Plan<T>): Promise<T>;
  close(): Promise<void>;
}
