// The reading thread: runs openFile and posts its chunks, at most a few ahead (credit-based flow control), so that memory is
// bounded. It also validates the items if the catalog accepts validated ones, since it has time to spare.
import { once } from 'node:events';
import { compileFunction } from 'node:vm';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type Entry, validatedEntry } from '../../core/entry.js';
import { CatalogError } from '../../core/errors.js';
import { prevalidator } from '../../core/fields/prevalidation.js';
import { hashItem } from '../../core/planning/recognition/fingerprint.js';
import { compileWhereForbidden } from '../../core/rows/compile-function.js';
import { openFile } from '../open-file.js';
import type { Source } from '../source.js';
import { itemEncoder } from './item-codec.js';
import type { ReadOrder, SentForm, ThreadMessage, ThreadState } from './thread-source.js';

/** Entries that take as much memory as a block of text, or more: of short rows a block has thirty times as many. */
const perBlock = 1000;

compileWhereForbidden(compileFunction);
const parent = parentPort as MessagePort;
const [order] = await once(parent, 'message');
const { fields, keyField, options, credit, hashKey, isAwaited, port } = order as ReadOrder;
const validFields = prevalidator(fields);
const encode = itemEncoder();

/** Posts a message, and wakes the main thread if it waits for one. */
function tell(reported: ThreadMessage): void {
  port.postMessage(reported);
  if (Atomics.exchange(isAwaited, 0, 0) === 1) parent.postMessage(null);
}

/** The entry of an item after validation; an item with any diagnostic stays as it was sent. */
function validated(entry: Entry): Entry {
  if (entry.kind !== 'raw' || entry.amounts !== undefined) return entry;
  const item = validFields(entry.item);
  if (item === undefined) return entry;
  if (Atomics.load(hashKey, 0) === 0) return validatedEntry(item);
  const { high, low } = hashItem({ high: hashKey[1] as number, low: hashKey[2] as number }, fields, item);
  return validatedEntry(item, high, low);
}

function stateOf(source: Source): ThreadState {
  return {
    progress: source.progress(),
    unknown: source.unknown(),
    leftOut: source.leftOut(),
    overflowed: source.overflowed(),
    notes: source.notes(),
    warnings: source.warnings(),
    ...(options.countsValues && { columns: source.columns() }),
  };
}

/** The syntax of the file, without its encoder. */
function formOf({ form }: Source): { readonly form?: SentForm } {
  if (form === undefined) return {};
  const { encode: _, ...sent } = form;
  return { form: sent };
}

let source: Source | undefined;
try {
  source = await openFile(fields, keyField, options);
  tell({ kind: 'opened', found: source.found, columns: source.columns(), ...formOf(source) });
  for await (const { entries, lines, raws, numbers, repeats, blocks: read = 1 } of source.chunks) {
    const blocks = Math.max(read, Math.ceil(entries.length / perBlock));
    for (let left = Atomics.load(credit, 0); left <= 0; left = Atomics.load(credit, 0)) Atomics.wait(credit, 0, left);
    Atomics.sub(credit, 0, blocks);
    const encoded = encode(options.mayCheck === true ? entries.map(validated) : entries);
    const more = { ...(raws && { raws }), ...(numbers && { numbers }), ...(repeats && { repeats }) };
    tell({ kind: 'chunk', ...encoded, lines, blocks, ...more, ...stateOf(source) });
  }
  const expected = source.expected?.();
  tell({ kind: 'ended', ...stateOf(source), ...(expected && { expected }) });
} catch (cause) {
  if (!(cause instanceof CatalogError)) throw cause;
  const { code, message } = cause;
  tell({ kind: 'failed', code, message, ...(source && { state: stateOf(source) }) });
} finally {
  port.close();
}
