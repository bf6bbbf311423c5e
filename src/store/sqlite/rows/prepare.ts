// How the files next to this one get their statements.
import type { Statement } from 'better-sqlite3';

/** A statement by its name, prepared the first time it is asked for. */
export type Prepare = (name: string, sql: () => string) => Statement;
