// The reader in a thread of its own: the same openFile, its chunks posted to the thread that asked. It stays a few
// chunks ahead and no more, so that memory is bounded by the slower of the two. It also checks the items, where their
// catalog can take them checked: this thread waits most of the time, and the other has all the rest to do.
import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { CatalogError } from '../core/errors.js';
import { isRefusedRow, type RefusedRow } from '../core/refused-row.js';
import { soundChecker } from '../core/sound-item.js';
import { openFile } from './file-source.js';
import { type Packed, packer } from './pack.js';
import type { Source } from './source.js';
import type { Order, State, Told } from './thread-source.js';

const [order] = await once(parentPort as MessagePort, 'message');
const { fields, keyField, options, credit, port } = order as Order;
const soundFields = soundChecker(fields);
const pack = packer();

/** Posts what happened. */
function tell(told: Told): void {
  port.postMessage(told);
}

/** Replaces items by their checked fields where there is nothing to be said of them; tells which, and packs most. */
function check(items: unknown[]): { readonly checked: readonly number[]; readonly packed?: Packed } {
  const sound: number[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const checked = isRefusedRow(item) ? undefined : soundFields(item);
    if (checked === undefined) continue;
    items[i] = checked;
    sound.push(i);
  }
  const packed = pack(items, sound);
  const left = sound.filter((index) => items[index] !== undefined);
  return packed === undefined ? { checked: left } : { checked: left, packed };
}

/** The refused rows of a chunk and where they stand: their mark is a symbol, which does not travel. */
function refusedIn(items: readonly unknown[]): (RefusedRow & { index: number })[] {
  const refused: (RefusedRow & { index: number })[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (isRefusedRow(item)) refused.push({ ...item, index });
  }
  return refused;
}

function stateOf(source: Source): State {
  return {
    progress: source.progress(),
    unknown: source.unknown(),
    overflowed: source.overflowed(),
    notes: source.notes(),
  };
}

let source: Source | undefined;
try {
  source = await openFile(fields, keyField, options);
  tell({ kind: 'opened', found: source.found });
  for await (const { items, lines, raws, repeats } of source.chunks) {
    Atomics.wait(credit, 0, 0);
    Atomics.sub(credit, 0, 1);
    const refused = refusedIn(items);
    const checked = options.mayCheck === true ? check(items) : {};
    const more = { ...checked, ...(raws && { raws }), ...(repeats && { repeats }) };
    tell({ kind: 'chunk', items, lines, refused, ...more, ...stateOf(source) });
  }
  tell({ kind: 'ended', ...stateOf(source) });
} catch (cause) {
  if (!(cause instanceof CatalogError)) throw cause;
  const { code, message } = cause;
  tell({ kind: 'failed', code, message, ...(source && { state: stateOf(source) }) });
} finally {
  port.close();
}
