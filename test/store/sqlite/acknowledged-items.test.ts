// What is kept of a remote's acknowledgements must never say more than the remote has.
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ItemDigest } from '../../../src/core/acknowledged-items.js';
import { isDamage } from '../../../src/store/sqlite/acknowledged/acknowledged-file.js';
import {
  type AcknowledgedItemsFile,
  openAcknowledgedItems,
} from '../../../src/store/sqlite/acknowledged/acknowledged-items.js';
import { openSqlite } from '../../../src/store/sqlite/driver.js';
import { isOpenHere } from '../../../src/store/sqlite/file/open-files.js';

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), 'acknowledged-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'state', 'shop.acknowledged.db');
}

function open(
  file: string,
  run: string,
  more: { binding?: string; dryRun?: boolean; withholds?: boolean; now?: number } = {},
) {
  const { binding = 'feed', dryRun = false, withholds = true, now = 1_700_000_000 } = more;
  return openAcknowledgedItems({ file, run, binding, dryRun, withholds, now: () => now });
}

/** Sends items that the remote accepts or refuses. */
function send(items: AcknowledgedItemsFile, sent: Readonly<Record<string, string>>, accepted = true): void {
  const digests = Object.entries(sent).map(([key, text]) => items.digest(key, text));
  items.begin(digests);
  items.acknowledge(
    digests,
    digests.map(() => accepted),
  );
}

/** What another run knows of. */
function known(file: string, items: Readonly<Record<string, string>>, more: Parameters<typeof open>[2] = {}): string[] {
  const asking = open(file, `asking ${Math.random()}`, more);
  try {
    return Object.entries(items).flatMap(([key, text]) => (asking.isKnown(asking.digest(key, text)) ? [key] : []));
  } finally {
    asking.close();
  }
}

describe('items that a remote acknowledged', () => {
  it('is known to later runs: the same item of the same feed, and nothing else', () => {
    const file = place();
    const night = open(file, 'night 1');
    send(night, { a: '1', b: '1' });
    send(night, { c: '1' }, false);
    night.close();
    expect(known(file, { a: '1', b: '2', c: '1', d: '1' })).toEqual(['a']);
    expect(known(file, { a: '1' }, { binding: 'another mapping' })).toEqual([]);
    expect(known(file, { a: '1' }, { withholds: false })).toEqual([]);
  });

  it('is not known to the run that sent it, nor to one that continues it', () => {
    const file = place();
    const night = open(file, 'night 1');
    send(night, { a: '1' });
    expect(night.isKnown(night.digest('a', '1'))).toBe(false);
    night.close();
    const resumed = open(file, 'night 1');
    expect(resumed.isKnown(resumed.digest('a', '1'))).toBe(false);
    resumed.close();
  });

  it('is forgotten before another item is sent, so that a killed run leaves no wrong entry', () => {
    const file = place();
    const first = open(file, 'night 1');
    send(first, { a: '1' });
    first.close();
    const killed = open(file, 'night 2');
    killed.begin([killed.digest('a', '2')]);
    expect(known(file, { a: '1' })).toEqual([]);
    expect(known(file, { a: '2' })).toEqual([]);
    killed.close();
  });

  it('stays where another item of the key was refused in the same run, but for the keys that were sent', () => {
    const file = place();
    const first = open(file, 'night 1');
    send(first, { a: '1', b: '1' });
    first.close();
    const second = open(file, 'night 2');
    send(second, { a: 'wrong' }, false);
    second.close();
    expect(known(file, { a: '1', b: '1' })).toEqual(['b']);
  });

  it('a dry run keeps nothing, makes no file, and decides as the run would', () => {
    const file = place();
    const none = open(file, 'dry', { dryRun: true });
    send(none, { a: '1' });
    none.close();
    expect(existsSync(file)).toBe(false);
    const night = open(file, 'night 1');
    send(night, { a: '1', b: '1' });
    night.close();
    const before = readFileSync(file);
    const dry = open(file, 'dry', { dryRun: true });
    send(dry, { a: '2' });
    expect(dry.isKnown(dry.digest('a', '1'))).toBe(false);
    expect(dry.isKnown(dry.digest('b', '1'))).toBe(true);
    dry.close();
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('where the remote lost what it had, all is forgotten', () => {
    const file = place();
    const night = open(file, 'night 1');
    send(night, { a: '1', b: '1' });
    night.close();
    const second = open(file, 'night 2');
    expect(second.begin([second.digest('a', '2'), second.digest('new', '1')])).toEqual([true, false]);
    second.forgetAll();
    expect(second.wasForgotten()).toBe(true);
    second.close();
    expect(known(file, { b: '1' })).toEqual([]);
  });

  it('nothing is forgotten by a run that withholds nothing, or keeps nothing', () => {
    const file = place();
    const night = open(file, 'night 1');
    expect(night.wasForgotten()).toBe(false);
    expect(night.wasDamaged()).toBe(false);
    send(night, { a: '1' });
    night.close();
    for (const more of [{ withholds: false }, { dryRun: true }]) {
      const other = open(file, 'night 2', more);
      other.forgetAll();
      expect(other.wasForgotten()).toBe(more.withholds ?? true);
      other.close();
      expect(known(file, { a: '1' })).toEqual(['a']);
    }
  });

  it('what could not be withheld is counted by why: sent by another feed last, or not settled', () => {
    const file = place();
    const night = open(file, 'night 1');
    send(night, { same: '1', changed: '1' });
    send(night, { refused: '1' }, false);
    night.begin([night.digest('cut off', '1')]);
    night.close();
    const ask = (binding: string) => {
      const asking = open(file, 'night 2', { binding });
      for (const key of ['same', 'changed', 'refused', 'cut off', 'new'])
        asking.isKnown(asking.digest(key, key === 'changed' ? '2' : '1'));
      asking.close();
      return { known: asking.known(), ...asking.notWithheld() };
    };
    expect(ask('feed')).toEqual({ known: 1, shared: 0, unsettled: 2 });
    expect(ask('another feed')).toEqual({ known: 0, shared: 4, unsettled: 0 });
  });

  it('a dry run acknowledges nothing, also where it has the name of a run that was cut off', () => {
    const file = place();
    const night = open(file, 'night 1');
    night.begin([night.digest('a', '1')]);
    night.close();
    const dry = open(file, 'night 1', { dryRun: true });
    dry.acknowledge([dry.digest('a', '1')], [true]);
    dry.close();
    expect(known(file, { a: '1' })).toEqual([]);
  });

  it('a key is marked as seen once in a week, and by no dry run', () => {
    const file = place();
    const day = 24 * 60 * 60;
    const first = open(file, 'night 1', { now: 0 });
    send(first, { a: '1' });
    first.close();
    const before = readFileSync(file);
    known(file, { a: '1' }, { now: 7 * day });
    known(file, { a: '1' }, { now: 20 * day, dryRun: true });
    expect(readFileSync(file).equals(before)).toBe(true);
    known(file, { a: '1' }, { now: 7 * day + 1 });
    expect(readFileSync(file).equals(before)).toBe(false);
  });

  it('a damaged file is closed before another takes its place', () => {
    const file = place();
    for (const [name, bytes] of [
      ['no database', Buffer.alloc(20_000, 'x')],
      ['a later damage', undefined],
    ] as const) {
      const night = open(file, 'night 1');
      send(night, Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, '1'])));
      night.close();
      const whole = readFileSync(file);
      writeFileSync(file, bytes ?? Buffer.concat([whole.subarray(0, 2048), Buffer.alloc(whole.length - 2048, 7)]));
      const old = `${file} ${name}`;
      linkSync(file, old);
      const next = open(file, 'night 2');
      for (let i = 0; i < 500; i++) next.isKnown(next.digest(`k${i}`, '1'));
      expect(next.wasDamaged()).toBe(true);
      expect([isOpenHere(old), isOpenHere(file)]).toEqual([false, true]);
      next.close();
      expect(isOpenHere(file)).toBe(false);
    }
  });

  it('is damaged by what SQLite says of its content, and by no other failure', () => {
    const failure = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return error;
      }
    };
    const file = place();
    open(file, 'r').close();
    expect(isDamage(failure(() => openSqlite(join(file, '..'), {})))).toBe(false);
    expect(isDamage(failure(() => openSqlite(':memory:', {}).exec('SELECT * FROM acknowledged')))).toBe(true);
    expect(isDamage(Object.assign(new Error('SQLITE_CORRUPT'), { code: 'SQLITE_CORRUPT' }))).toBe(false);
    expect(isDamage(new Error('no space'))).toBe(false);
  });

  it('keys that no run has seen for 90 days are removed, seen ones stay', () => {
    const file = place();
    const day = 24 * 60 * 60;
    const first = open(file, 'night 1', { now: 0 });
    send(first, { gone: '1', stays: '1' });
    first.close();
    for (const now of [30 * day, 60 * day, 89 * day, 100 * day]) known(file, { stays: '1' }, { now });
    expect(known(file, { gone: '1', stays: '1' }, { now: 101 * day })).toEqual(['stays']);
  });

  it.each([
    ['no database', Buffer.alloc(20_000, 'x')],
    ['nothing', Buffer.alloc(0)],
    ['half of it', undefined],
  ])('a damaged file (%s) begins anew, and says so where there was something', (_, bytes) => {
    const file = place();
    const night = open(file, 'night 1');
    send(night, Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [`k${i}`, '1'])));
    night.close();
    const whole = readFileSync(file);
    writeFileSync(file, bytes ?? Buffer.concat([whole.subarray(0, 8192), Buffer.alloc(whole.length - 8192, 7)]));
    const next = open(file, 'night 2');
    const found = Array.from({ length: 2_000 }, (_, i) => next.isKnown(next.digest(`k${i}`, '1'))).filter(Boolean);
    expect(found).toEqual([]);
    send(next, { a: '1' });
    expect(next.wasDamaged()).toBe(bytes === undefined || bytes.length > 0);
    next.close();
    expect(known(file, { a: '1' })).toEqual(['a']);
  });

  it('a folder that cannot be written ends with a remedy', () => {
    const file = join(place(), 'x');
    mkdirAsFile(file);
    expect(() => open(file, 'r')).toThrow(/which keeps what the remote acknowledged/);
  });
});

/** A file in the place of a folder. */
function mkdirAsFile(file: string): void {
  const above = join(file, '..', '..', '..');
  writeFileSync(join(above, 'state'), '');
}

/** A step of a process: a request is begun, applied by the remote (at any time after), or settled; a process is killed. */
type Step =
  | { readonly do: 'begin'; readonly process: number; readonly key: number; readonly item: number }
  | { readonly do: 'apply' | 'acknowledge'; readonly which: number; readonly accepted: boolean }
  | { readonly do: 'kill'; readonly process: number };

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('begin' as const),
        process: fc.nat(2),
        key: fc.nat(2),
        item: fc.nat(1),
      }),
    },
    {
      weight: 12,
      arbitrary: fc.record({
        do: fc.constantFrom('apply' as const, 'acknowledge' as const),
        which: fc.nat(2),
        accepted: fc.integer({ min: 0, max: 3 }).map((roll) => roll > 0),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('kill' as const), process: fc.nat(2) }) },
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

interface Request {
  readonly process: number;
  readonly digest: ItemDigest;
  readonly key: string;
  readonly text: string;
  accepted: boolean | undefined;
}

/** Runs steps of three processes on one file; the remote applies what was begun in any order, unless one process waits. */
function run(file: string, given: readonly Step[]): Map<string, string> {
  const remote = new Map<string, string>();
  let runs = 0;
  const processes = [0, 1, 2].map(() => open(file, `run ${runs++}`));
  let requests: Request[] = [];
  for (const step of given) {
    if (step.do === 'begin') {
      const items = processes[step.process] as AcknowledgedItemsFile;
      const [key, text] = [`key ${step.key}`, `item ${step.item}`];
      // Of one process, batches with a key in common never overtake each other.
      if (requests.some((one) => one.process === step.process && one.key === key)) continue;
      const digest = items.digest(key, text);
      items.begin([digest]);
      requests.push({ process: step.process, digest, key, text, accepted: undefined });
    } else if (step.do === 'kill') {
      // What it sent may still arrive.
      processes[step.process]?.close();
      processes[step.process] = open(file, `run ${runs++}`);
      requests = requests.map((one) => (one.process === step.process ? { ...one, process: -1 } : one));
    } else {
      const request = requests[step.which % Math.max(1, requests.length)];
      if (request === undefined) continue;
      if (request.accepted === undefined) {
        request.accepted = step.accepted;
        if (step.accepted) remote.set(request.key, request.text);
      } else if (step.do === 'acknowledge' && request.process >= 0) {
        processes[request.process]?.acknowledge([request.digest], [request.accepted]);
        requests = requests.filter((one) => one !== request);
      }
    }
  }
  for (const one of requests) if (one.accepted === undefined) remote.set(one.key, one.text);
  for (const one of processes) one.close();
  return remote;
}

describe('with concurrent, killed and delayed runs', () => {
  it('a known item equals that of the remote', () => {
    let knownAtAll = 0;
    fc.assert(
      fc.property(steps, (given) => {
        const folder = mkdtempSync(join(tmpdir(), 'acknowledged-'));
        try {
          const file = join(folder, 'a.db');
          const remote = run(file, given);
          const asking = open(file, 'asking');
          for (const key of [0, 1, 2])
            for (const item of [0, 1, 2])
              if (asking.isKnown(asking.digest(`key ${key}`, `item ${item}`))) {
                knownAtAll++;
                expect(remote.get(`key ${key}`)).toBe(`item ${item}`);
              }
          asking.close();
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 100 },
    );
    expect(knownAtAll).toBeGreaterThan(20);
  });
});
