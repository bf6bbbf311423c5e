// Tells the bench how long the work of a floor took: without the start of Node, and without making its input.
import { writeFileSync } from 'node:fs';

export function tellSeconds(since) {
  process.on('exit', () =>
    writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ seconds: (performance.now() - since) / 1000 })),
  );
}
