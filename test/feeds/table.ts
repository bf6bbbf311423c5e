// `npm run feeds`: imports every feed and prints the results. Without feeds on this machine it says so and succeeds; they are
// beside the project, or where CATALOG_TEST_CORPORA says (test/corpora.ts).
import { typedAsProcess } from '../cli/started.js';
import { feedFolder } from '../corpora.js';
import { feeds, present } from './feeds.js';
import { importFeed } from './import-feed.js';

if (!present) process.stdout.write(`There are no feeds in ${feedFolder}: nothing to import, and nothing is wrong.\n`);
else {
  const widths = [24, 6, 9, 38, 8] as const;
  const row = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('')
      .trimEnd();
  process.stdout.write(`${row(['feed', 'items', 'accepted', 'refused by code', 'seconds'])}\n`);
  for (const feed of feeds) {
    const { rows, refused, created, seconds } = await importFeed(feed, typedAsProcess);
    const lost = Object.values(refused).reduce((sum, count) => sum + count, 0);
    const codes = Object.entries(refused).map(([code, count]) => `${code} ${count}`);
    const right =
      JSON.stringify(created) === JSON.stringify(feed.created) &&
      JSON.stringify(refused) === JSON.stringify(feed.refused ?? {});
    if (!right) process.exitCode = 1;
    const cells = [feed.name, String(rows), String(rows - lost), codes.join(', ') || '–', seconds.toFixed(1)];
    process.stdout.write(`${row(cells)}${right ? '' : '  not what was counted'}\n`);
  }
}
