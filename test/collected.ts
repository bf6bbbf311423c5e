// Memory that is still in use, whenever the last collection was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory usage of this process after a full garbage collection. */
export function collected(): NodeJS.MemoryUsage {
  collect();
  return process.memoryUsage();
}
