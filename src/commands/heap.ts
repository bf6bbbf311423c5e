// How much garbage an import lets lie. What it keeps alive is 20 MB whatever the size of the file, but V8 collects the
// old generation only once it is four times what it was; the flag is looked at whenever it decides that.
//
// Peak resident memory of 200,000 new products: as V8 does it 215 to 240 MB, at 100 % growth 194 to 208 MB for 3 % more
// CPU, at 50 % 194 MB. The reading thread has a limit of its own (source/thread-source.ts); with both it is 180 MB.
import { setFlagsFromString } from 'node:v8';

/** Has this process collect its garbage once the heap is twice what was alive. */
export function keepHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
