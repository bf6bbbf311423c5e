// The reader in a thread of its own: the same openFile, its chunks posted to the thread that asked. It stays a few
// chunks ahead and no more, so that memory is bounded by the slower of the two. It also checks the items, where their
// catalog can take them checked: this thread waits most of the time, and the other has all the rest to do.
import { parentPort, workerData } from 'node:worker_threads';
import { CatalogError } from '../core/errors.js';
import { isRefusedRow } from '../core/refused-row.js';
import { soundFields } from '../core/sound-item.js';
import { openFile } from './file-source.js';
import { type Packed, packer } from './pack.js';
import { chunksAhead, type Order, type Told } from './thread-source.js';

const { fields, keyField, options } = workerData as Order;
const pack = packer();
let credit = chunksAhead;
let wake = () => {};
parentPort?.on('message', () => {
  credit++;
  wake();
});

/** Posts what happened; false where nobody listens any more. */
function tell(told: Told): void {
  parentPort?.postMessage(told);
}

/** Replaces items by their checked fields where there is nothing to be said of them; tells which, and packs most. */
function check(items: unknown[]): { readonly checked: readonly number[]; readonly packed?: Packed } {
  const isChecked = items.map((item, index) => {
    const sound = isRefusedRow(item) ? undefined : soundFields(fields, item);
    if (sound !== undefined) items[index] = sound;
    return sound !== undefined;
  });
  const packed = pack(items, isChecked);
  const checked = isChecked.flatMap((is, index) => (is && items[index] !== undefined ? [index] : []));
  return packed === undefined ? { checked } : { checked, packed };
}

try {
  const source = await openFile(fields, keyField, options);
  tell({ kind: 'opened', found: source.found });
  for await (const { items, lines, raws } of source.chunks) {
    if (credit === 0) await new Promise<void>((resolve) => (wake = resolve));
    credit--;
    // The mark of a refused row is a symbol, which does not travel.
    const refused = items.flatMap((item, index) => (isRefusedRow(item) ? [{ ...item, index }] : []));
    const state = { progress: source.progress(), unknown: source.unknown(), notes: source.notes() };
    const checked = options.mayCheck === true ? check(items) : {};
    tell({ kind: 'chunk', items, lines, refused, ...checked, ...(raws && { raws }), ...state });
  }
  tell({ kind: 'ended', progress: source.progress(), unknown: source.unknown(), notes: source.notes() });
} catch (cause) {
  if (cause instanceof CatalogError) tell({ kind: 'failed', code: cause.code, message: cause.message });
  else throw cause;
} finally {
  parentPort?.close();
}
