// What a power cut leaves: the system calls of a traced import are played back into images of its files. What was
// synced is there; of what was written since, chance decides write by write.
import { Buffer } from 'node:buffer';

/** Only the program's own thread is traced: it is the one that writes the catalog and tells the lines. */
export const straceArgs = ['-y', '-xx', '-s', '100000', '-e', 'trace=write,pwrite64,ftruncate,unlink,fsync,fdatasync'];

interface Write {
  readonly at: number;
  readonly bytes: Buffer;
}

interface File {
  synced: Buffer;
  /** What was written, or cut off (no bytes), since the last sync. */
  pending: Write[];
}

/** The files of the moment, and what was told up to then. */
export interface Moment {
  /** A picture of the files that a power cut at this moment may leave; `keeps` is asked about each unsynced write. */
  image(keeps: () => boolean): ReadonlyMap<string, Buffer>;
  /** The lines told so far. */
  readonly told: readonly string[];
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex');
}

function applied(content: Buffer, { at, bytes }: Write): Buffer {
  if (bytes.length === 0) return content.subarray(0, at);
  const size = Math.max(content.length, at + bytes.length);
  const next = Buffer.alloc(size);
  content.copy(next);
  bytes.copy(next, at);
  return next;
}

const patterns = {
  pwrite: /^pwrite64\(\d+<([^>]*)>, "([^"]*)", \d+, (\d+)\) +=/,
  truncate: /^ftruncate\(\d+<([^>]*)>, (\d+)\) += 0/,
  sync: /^f(?:data)?sync\(\d+<([^>]*)>\) += 0/,
  unlink: /^unlink\("([^"]*)"\) += 0/,
  tell: /^write\(1<[^>]*>, "([^"]*)"/,
};

/**
 * Plays a trace back.
 * @param ours tells the files that are pictured
 * @param look called after every call that may matter: a line told, a file gone, before and after a sync
 */
export function playBack(trace: string, ours: (path: string) => boolean, look: (moment: Moment) => void): void {
  const files = new Map<string, File>();
  let text = '';
  const fileOf = (path: string): File => {
    const file = files.get(path) ?? { synced: Buffer.alloc(0), pending: [] };
    files.set(path, file);
    return file;
  };
  const moment: Moment = {
    image: (keeps) =>
      new Map([...files].map(([path, { synced, pending }]) => [path, pending.filter(keeps).reduce(applied, synced)])),
    get told() {
      return text.split('\n').slice(0, -1);
    },
  };
  for (const call of trace.split('\n')) {
    const [, path = '', bytes = '', at] = patterns.pwrite.exec(call) ?? [];
    const [, cut = '', length] = patterns.truncate.exec(call) ?? [];
    const [, synced] = patterns.sync.exec(call) ?? [];
    const [, gone] = patterns.unlink.exec(call) ?? [];
    const [, words] = patterns.tell.exec(call) ?? [];
    const named = unhex(path || cut || synced || gone || '').toString();
    if (words !== undefined) text += unhex(words).toString();
    else if (!ours(named)) continue;
    else if (at !== undefined) fileOf(named).pending.push({ at: Number(at), bytes: unhex(bytes) });
    else if (length !== undefined) fileOf(named).pending.push({ at: Number(length), bytes: Buffer.alloc(0) });
    else if (synced !== undefined) {
      look(moment);
      const file = fileOf(named);
      files.set(named, { synced: file.pending.reduce(applied, file.synced), pending: [] });
    } else if (gone !== undefined) files.delete(named);
    if (words !== undefined || synced !== undefined || gone !== undefined) look(moment);
  }
}
