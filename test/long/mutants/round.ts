// What a round of tests with faults is to do: `npm run proof:mutants` starts one process of Vitest for each.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './faults.js';

export const root = join(import.meta.dirname, '../../..');

/** The variable that names the file with the round. */
export const roundVariable = 'MUTANTS_ROUND';

export interface Round {
  /** Of what is found. */
  readonly folder: string;
  /** All faults; their places are the numbers by which they are named. */
  readonly faults: readonly Fault[];
  /** Those that are looked at. */
  readonly open: readonly number[];
  /** Whether only tests in the folder that a source's own tests are in are run with its faults. */
  readonly isNear: boolean;
  /** Tests that take longer, in milliseconds, are not repeated. */
  readonly longestTest: number;
  /** With how many tests a fault is run. */
  readonly mostTests: number;
  /** How long a test may be repeated, in milliseconds. */
  readonly longestOfTest: number;
  /** Files of tests that need not be run again. */
  readonly filesDone: readonly string[];
}

export function currentRound(): Round {
  return JSON.parse(readFileSync(process.env[roundVariable] ?? '', 'utf8'));
}
