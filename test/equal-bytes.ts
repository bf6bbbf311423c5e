// Bytes are compared as a whole: by itself `toEqual` looks up every byte by its name, which takes seconds for a megabyte.
import { expect } from 'vitest';

expect.addEqualityTesters([
  (a, b) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : undefined),
]);
