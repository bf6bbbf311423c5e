// Two runs over HTTP, and a server that is killed at a commit: a client that sends its requests again, with their
// Idempotency-Keys, ends its runs once and whole, and nothing stays open.
import { join } from 'node:path';
import { expect } from 'vitest';
import { lineOf, outcome, startChild } from '../child.js';
import { folder } from '../cli/typed.js';
import { bin, runHere } from './program.js';

const batches = [['A', 'B'], ['C'], ['A', 'C']];

/** Starts a server on a catalog, which kills itself at a point. */
async function serve(db: string, failpoint: string) {
  const env = { ...process.env, CATALOG_FAILPOINT: failpoint };
  const server = startChild(process.execPath, [bin, 'serve', '--db', db, '--port', '0'], { env });
  const [url] = await lineOf(server, /http:\/\/[\d.:]+/);
  return { server, url };
}

/** Posts a batch of a run; undefined where the server died. */
async function post(url: string, key: string, run: number, at: number): Promise<number | undefined> {
  const isLast = at === batches.length - 1;
  const body = {
    items: batches[at]?.map((sku) => ({ sku, currency: 'EUR', stock: run })),
    ...(isLast && { listed: ['A', 'B', 'C'].slice(run - 1) }),
  };
  try {
    const answer = await fetch(`${url}/v1/product/import`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': `${run}-${at}` },
        ...{ 'catalog-run': `run-${run}`, 'catalog-feed': 'shop', ...(isLast && { 'catalog-run-end': 'complete' }) },
      },
      body: JSON.stringify(body),
    });
    await answer.text();
    return answer.status;
  } catch {
    return undefined;
  }
}

/** Posts two runs to a server that is killed at a point, and expects them whole; false where it never came to the point. */
export async function postRuns(point: string): Promise<boolean> {
  const db = join(folder(), 'catalog.db');
  const made = await runHere(['keys', 'create', '--name', 'k', '--all', '--db', db]);
  const key = /cik_\w+/.exec(made.lines.join('\n'))?.[0] ?? '';
  let current = await serve(db, point);
  let isKilled = false;
  for (const run of [1, 2])
    for (let at = 0; at < batches.length; at++) {
      let status = await post(current.url, key, run, at);
      if (status === undefined) {
        expect((await outcome(current.server)).signal).toBe('SIGKILL');
        isKilled = true;
        current = await serve(db, 'none');
        status = await post(current.url, key, run, at);
      }
      expect(status).toBe(200);
    }
  current.server.kill('SIGTERM');
  await outcome(current.server);
  const runs = await runHere(['runs', '--db', db, '--output', 'json']);
  const states = JSON.parse(runs.lines.join('\n')).map(({ state }: { state: string }) => state);
  expect(states, point).toEqual(['done', 'done']);
  const missing = await runHere(['missing', '--feed', 'shop', '--db', db, '--output', 'json']);
  expect(missing.lines.join('\n'), point).toContain('"A"');
  return isKilled;
}
