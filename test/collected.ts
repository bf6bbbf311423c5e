// Memory that is still in use, whenever the last collection was.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The memory of this process after a collection of what nobody uses. */
export function collected(): NodeJS.MemoryUsage {
  collect();
  return process.memoryUsage();
}
