// What a power cut leaves: the system calls of traced programs are played back into images of their files. What was
// synced is there; of what was written since, chance decides sector by sector, and of names that were made, moved or
// removed since their folder was synced, how many of them the disk has.
import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { execFileSync } from '../child.js';

const calls = 'trace=openat,write,writev,pwrite64,ftruncate,rename,renameat,renameat2,unlink,unlinkat,fsync,fdatasync';

/** Every thread is traced, since a journal is written by the pool of threads, and children where a shell starts them. */
export function straceArgs(trace: string, inject?: string): string[] {
  const injected = inject === undefined ? [] : ['-e', `inject=${inject}`];
  return ['strace', '-f', '-y', '-xx', '-s', '1000000', '-e', calls, ...injected, '-o', trace];
}

/** Why nothing can be traced here; undefined where it can. */
export function whyNoTrace(): string | undefined {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'strace is not there, or may not trace';
  }
}

interface Write {
  readonly at: number;
  readonly bytes: Buffer;
}

interface Inode {
  synced: Buffer;
  /** What was written, or cut off (no bytes), since the last sync. */
  pending: Write[];
}

type Names = Map<string, Inode>;

/** A change of names that its folder was not synced after yet. */
type Renaming = (names: Names) => unknown;

/** The bytes of a sector: a disk writes one whole or not at all. */
const sector = 512;

/** The files at a moment, and what was reported before it. */
export interface Moment {
  /**
   * A picture of the files that a power cut at this moment may leave. `keeps` is asked about each sector that is not
   * synced, and about each change of a name until it says no.
   */
  image(keeps: () => boolean): ReadonlyMap<string, Buffer>;
  /** All that went to stdout or to a socket so far. */
  readonly told: string;
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function pathOf(text: string): string {
  return text.includes('\\x') ? unhex(text).toString() : text;
}

/** A content after writes, copied once for all of them: a catalog of megabytes takes hundreds. */
function applied(content: Buffer, writes: readonly Write[]): Buffer {
  if (writes.length === 0) return content;
  const next = Buffer.alloc(writes.reduce((end, { at, bytes }) => Math.max(end, at + bytes.length), content.length));
  content.copy(next);
  let size = content.length;
  for (const { at, bytes } of writes) {
    if (bytes.length === 0) {
      // What is written behind the cut later leaves zeros before it.
      next.fill(0, Math.min(at, size), size);
      size = Math.min(at, size);
    } else {
      bytes.copy(next, at);
      size = Math.max(size, at + bytes.length);
    }
  }
  return next.subarray(0, size);
}

/** A write as the sectors it touches; cutting a file off is one change. */
function sectorsOf({ at, bytes }: Write): Write[] {
  if (bytes.length === 0) return [{ at, bytes }];
  const parts: Write[] = [];
  for (let from = 0; from < bytes.length; ) {
    const upto = Math.min(bytes.length, from + sector - ((at + from) % sector));
    parts.push({ at: at + from, bytes: bytes.subarray(from, upto) });
    from = upto;
  }
  return parts;
}

const text = '"([^"]*)"(?:\\.\\.\\.)?';
const patterns = {
  pwrite: new RegExp(`^pwrite64\\(\\d+<([^>]*)>, ${text}, \\d+, (\\d+)\\) += \\d`),
  write: new RegExp(`^write\\((\\d+)<([^>]*)>, ${text}, \\d+\\) += \\d`),
  writev: /^writev\((\d+)<([^>]*)>, \[(.*)\], \d+\) += \d/,
  truncate: /^ftruncate\(\d+<([^>]*)>, (\d+)\) += 0/,
  sync: /^f(?:data)?sync\(\d+<([^>]*)>\) += 0/,
  open: new RegExp(`^openat\\(AT_FDCWD(?:<[^>]*>)?, ${text}, ([A-Z_|]+)[^)]*\\) += \\d`),
  unlink: new RegExp(`^unlink(?:at)?\\((?:AT_FDCWD(?:<[^>]*>)?, )?${text}(?:, 0)?\\) += 0`),
  rename: new RegExp(
    `^rename(?:at2?)?\\((?:AT_FDCWD(?:<[^>]*>)?, )?${text}, (?:AT_FDCWD(?:<[^>]*>)?, )?${text}(?:, [^)]*)?\\) += 0`,
  ),
};

/** The calls of a trace in the order they ended; one that others interrupted is put together again. */
function* callsIn(trace: string): Generator<{ readonly call: string; readonly begun: number; readonly index: number }> {
  const open = new Map<string, { readonly head: string; readonly begun: number }>();
  let index = 0;
  for (const line of trace.split('\n')) {
    index++;
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const head = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
    if (head !== undefined) open.set(pid, { head, begun: index });
    const tail = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    const begun = tail === undefined ? undefined : open.get(pid);
    if (begun !== undefined) yield { call: begun.head + tail, begun: begun.begun, index };
    else if (head === undefined && rest !== '') yield { call: rest, begun: index, index };
  }
}

/** A disk that traces are played back on. */
export interface Disk {
  /** Plays a trace back; its reports are added to those before. */
  play(trace: string): void;
  /** How the files are when all that was traced is over. */
  readonly end: Moment;
}

/**
 * Makes a disk.
 * @param ours whether a file is part of the pictures
 * @param before files that are there, synced
 * @param look called after every call that may matter: a report, a sync (before and after), a change of names
 */
export function newDisk(
  ours: (path: string) => boolean,
  before: readonly string[],
  look: (moment: Moment) => void,
): Disk {
  const durable: Names = new Map(before.map((path) => [path, { synced: readFileSync(path), pending: [] }]));
  const names: Names = new Map(durable);
  let renamings: { readonly folder: string; readonly change: Renaming }[] = [];
  const told: string[] = [];
  const moment: Moment = {
    image(keeps) {
      const kept = new Map(durable);
      for (const { change } of renamings) {
        if (!keeps()) break;
        change(kept);
      }
      return new Map(
        [...kept].map(([path, { synced, pending }]) => [
          path,
          applied(synced, pending.flatMap(sectorsOf).filter(keeps)),
        ]),
      );
    },
    get told() {
      return told.join('');
    },
  };

  function rename(path: string, change: Renaming): void {
    change(names);
    renamings.push({ folder: path.slice(0, path.lastIndexOf('/')), change });
  }

  function sync(path: string, begun: number, writes: ReadonlyMap<Write, number>): void {
    look(moment);
    const inode = names.get(path);
    if (inode !== undefined) {
      // What was written while it was under way may not be in it.
      const covered = inode.pending.filter((write) => (writes.get(write) ?? 0) < begun);
      inode.synced = applied(inode.synced, covered);
      inode.pending = inode.pending.slice(covered.length);
    }
    for (const { folder, change } of renamings) if (folder === path) change(durable);
    renamings = renamings.filter(({ folder }) => folder !== path);
    look(moment);
  }

  function sizeOf({ synced, pending }: Inode): number {
    return pending.reduce(
      (size, { at, bytes }) => (bytes.length === 0 ? at : Math.max(size, at + bytes.length)),
      synced.length,
    );
  }

  function play(trace: string): void {
    const writes = new Map<Write, number>();
    let now = 0;
    const put = (path: string, write: Write): void => {
      if (!ours(path)) return;
      names.get(path)?.pending.push(write);
      writes.set(write, now);
    };
    const append = (descriptor: string, path: string, bytes: Buffer): void => {
      const inode = names.get(path);
      if (inode !== undefined) put(path, { at: sizeOf(inode), bytes });
      else if (descriptor === '1' || path.startsWith('socket:')) {
        told.push(bytes.toString());
        look(moment);
      }
    };
    const handlers: readonly (readonly [RegExp, (parts: readonly string[], begun: number) => void])[] = [
      [patterns.pwrite, ([path = '', bytes = '', at]) => put(pathOf(path), { at: Number(at), bytes: unhex(bytes) })],
      [patterns.write, ([descriptor = '', path = '', bytes = '']) => append(descriptor, pathOf(path), unhex(bytes))],
      [
        patterns.writev,
        ([descriptor = '', path = '', pieces = '']) =>
          append(descriptor, pathOf(path), Buffer.concat((pieces.match(/(?:\\x[0-9a-f]{2})+/g) ?? []).map(unhex))),
      ],
      [patterns.truncate, ([path = '', size]) => put(pathOf(path), { at: Number(size), bytes: Buffer.alloc(0) })],
      [patterns.sync, ([path = ''], begun) => sync(pathOf(path), begun, writes)],
      [patterns.open, ([path = '', flags = '']) => openedWith(pathOf(path), flags, put)],
      [
        patterns.unlink,
        ([path = '']) => {
          if (names.has(pathOf(path))) rename(pathOf(path), (all) => all.delete(pathOf(path)));
        },
      ],
      [patterns.rename, ([from = '', to = '']) => moved(pathOf(from), pathOf(to))],
    ];
    for (const { call, begun, index } of callsIn(trace)) {
      now = index;
      for (const [pattern, handle] of handlers) {
        const found = pattern.exec(call);
        if (found === null) continue;
        handle(found.slice(1), begun);
        break;
      }
    }
    look(moment);
  }

  function openedWith(path: string, flags: string, put: (path: string, write: Write) => void): void {
    if (!ours(path)) return;
    if (names.has(path)) {
      if (flags.includes('O_TRUNC')) put(path, { at: 0, bytes: Buffer.alloc(0) });
    } else if (flags.includes('O_CREAT')) {
      const inode = { synced: Buffer.alloc(0), pending: [] };
      rename(path, (all) => all.set(path, inode));
    }
  }

  function moved(from: string, to: string): void {
    const inode = names.get(from);
    if (inode === undefined) return;
    rename(to, (all) => {
      all.delete(from);
      all.set(to, inode);
    });
  }

  return { play, end: moment };
}
