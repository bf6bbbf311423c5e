// Decides a change on a snapshot, without the lock. Rows that earlier changes of this writer have not committed yet are laid over it.
import { newDraft } from '../../core/rows/draft.js';
import type { DraftSource } from '../../core/rows/draft-state.js';
import type { Draft, Pending, SavedRows } from '../../core/rows/snapshot.js';
import type { Table } from '../../core/rows/table.js';
import type { NewId } from '../identifiers.js';
import type { Plan } from '../store.js';
import type { CommitTokens, Mark } from './commit-outcome.js';
import { hasSettings } from './connect.js';
import type { RowLoader } from './load-rows.js';
import { MustLock } from './must-lock.js';
import type { PresumedSlugs } from './presumed-slugs.js';
import type { ProductNumbers } from './product-numbers.js';
import type { RowsAhead } from './rows-ahead.js';
import { quoted } from './schema.js';
import { changedMeanwhile, type ServerName } from './server-error.js';
import type { Statement } from './session.js';
import type { SessionPool } from './session-pool.js';
import type { Overlay } from './uncommitted-rows.js';

/** How a change ended. */
export type End = 'committed' | { readonly failure: unknown };

/** A change in progress, as later changes see it. */
export interface Flight {
  /** What it writes, once it is decided; undefined if it is decided under the lock. */
  readonly decided: Promise<Overlay | undefined>;
  readonly ended: Promise<End>;
  /** The mark of its transaction, once it is decided. */
  mark: Mark | undefined;
  /** The count of changes that its transaction left; 0 if it wrote nothing. */
  left: number;
  /** It will be decided under the lock: deciding on top of it would be in vain. */
  isVoid: boolean;
  /** It is decided again: what was decided on top of its first decision does not hold. */
  isRedone: boolean;
  /** Its new rows, if they are written before it takes the lock. */
  ahead: RowsAhead | undefined;
  /** It may wait for other writers: changes behind it must not hold keys that these want. */
  waitsForOthers: boolean;
}

/** The state of the catalog in the snapshot of a change. */
interface CatalogState {
  changes: number;
  /** The last of this writer's transactions in it. */
  token: number;
  /** How many connections had broken when it was taken. */
  lost: number;
}

/** A change that was decided on a snapshot. */
export interface Decided<T> {
  readonly value: T;
  readonly saved: readonly ReadonlyMap<Table, SavedRows>[];
  readonly seen: CatalogState;
  /** Its read set: all that it looked up. */
  readonly reads: readonly Pending[];
  /** The changes it was decided on top of: those before it that its snapshot lacks. */
  readonly base: ReadonlySet<Flight>;
  /** Whether slugs were presumed to be free. */
  readonly isPresumed: boolean;
}

export interface DecidingOptions {
  readonly pool: SessionPool;
  readonly server: ServerName;
  readonly version: number;
  readonly loader: RowLoader;
  readonly numbers: ProductNumbers;
  readonly slugs: PresumedSlugs;
  readonly tokens: CommitTokens;
}

/** A plan, with the changes before it. */
export interface Deciding<T> {
  readonly plan: Plan<T>;
  readonly newId: NewId;
  /** The changes before it, the earliest first. */
  readonly before: readonly Flight[];
  /** Called as soon as it is decided. */
  readonly onDecided: (decided: Decided<T>) => void;
  /** Whether it will probably load once only, as the one before it did: its snapshot then ends with that. */
  readonly loadsOnce: boolean;
}

/** Thrown where a change needs a second load after its snapshot was ended with the first one. */
class SnapshotEnded extends Error {}

/**
 * Decides a change.
 * @throws MustLock if it has to be decided under the lock; failures of the plan and of the server as they are
 */
export async function decideOnSnapshot<T>(options: DecidingOptions, deciding: Deciding<T>): Promise<void> {
  const newId = identifiersOf(options.numbers, deciding.newId);
  try {
    await decideOnce(options, deciding, newId);
  } catch (error) {
    if (!(error instanceof SnapshotEnded)) throw error;
    await decideOnce(options, { ...deciding, loadsOnce: false }, newId);
  }
}

/** Identifiers of new rows, by table and place: a change that is decided twice gives the same ones, and leaves out no number. */
function identifiersOf(numbers: ProductNumbers, newId: NewId): DraftSource['newId'] {
  const byTable = new Map<string, string[]>();
  return ({ name, prefix = '' }, nth) => {
    const ids = byTable.get(name) ?? [];
    byTable.set(name, ids);
    const id = ids[nth] ?? (name === 'product' ? newId(prefix, numbers.next()) : newId(prefix));
    ids[nth] = id;
    return id;
  };
}

async function decideOnce<T>(
  options: DecidingOptions,
  deciding: Deciding<T>,
  newId: DraftSource['newId'],
): Promise<void> {
  const { pool, loader, slugs } = options;
  const { plan, before, onDecided, loadsOnce } = deciding;
  const negativeLookups = slugs.lookups();
  const isPresumed = negativeLookups !== undefined;
  const draft = newDraft({
    ...(isPresumed && { negativeLookups }),
    newId,
  });
  const seen: CatalogState = { changes: -1, token: 0, lost: pool.lost() };
  const reads: Pending[] = [];
  const base = new Set<Flight>();
  let isOver = false;
  const over: Statement = {
    sql: 'ROLLBACK',
    onDone() {
      isOver = true;
    },
  };
  await pool.use(async (session) => {
    const load = async (pending: Pending): Promise<void> => {
      if (isOver) throw new SnapshotEnded();
      const first = reads.length === 0 ? begin(options, seen) : [];
      await session.run([...first, ...loader.load(pending, draft), ...(loadsOnce ? [over] : [])]);
      reads.push(pending);
      for (const flight of before) {
        const overlay = await flight.decided;
        if (overlay === undefined) throw new MustLock('an earlier change is decided under the lock');
        if (!isUnseen(flight, seen)) continue;
        base.add(flight);
        overlay(pending, draft);
      }
    };
    try {
      const value = await drive(plan, draft, load);
      if (reads.length === 0) throw new MustLock('nothing was looked up');
      const saved = [draft.kept(), draft.saved()].filter(({ size }) => size > 0);
      slugs.decided(saved, isPresumed);
      onDecided({ value, saved, seen, reads, base, isPresumed });
    } finally {
      // Not waited for: whoever uses the connection next queues behind it.
      if (session.isOpen() && !isOver) session.run([over]).catch(() => undefined);
    }
  });
}

/** Whether a snapshot was taken before a change was committed. */
function isUnseen({ mark }: Flight, { token }: CatalogState): boolean {
  return mark !== undefined && mark.token > token;
}

/** Begins a snapshot. */
function begin({ server, version, tokens }: DecidingOptions, seen: CatalogState): Statement[] {
  const schema = quoted(server.schema);
  return [
    { sql: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' },
    {
      sql: `SELECT version, changes, (SELECT token FROM ${schema}.commit_token WHERE writer = $1), ${hasSettings} FROM ${schema}.catalog`,
      values: [tokens.writer],
      onRow([found, changes, token, isSet]) {
        if (found !== version) throw changedMeanwhile(server);
        if (isSet !== 't') throw new MustLock('the connection lost its settings');
        seen.changes = Number(changes);
        seen.token = Number(token ?? 0);
      },
    },
  ];
}

async function drive<T>(plan: Plan<T>, draft: Draft, load: (pending: Pending) => Promise<void>): Promise<T> {
  const steps = plan(draft);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    for (let pending = draft.drainPending(); pending !== undefined; pending = draft.drainPending()) await load(pending);
  }
}
