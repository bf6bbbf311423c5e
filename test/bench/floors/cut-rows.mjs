// Floor of reading: blocks of 64 KiB, decoded, cut into rows and cells, with the numbers of prices and stocks.
// Leaves out: finding the encoding and the delimiter, names of columns, every check, lines, duplicates, fingerprints, a second thread.
//
//   node cut-rows.mjs <feed>
import { closeSync, openSync, readSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { tellSeconds } from './tell.mjs';

const numbers = [8, 9, 10, 11, 12];

/** Calls `onRow` with the text of each row and its cells. */
export function cutRows(file, onRow) {
  const input = openSync(file, 'r');
  const block = Buffer.alloc(65_536);
  const decoder = new TextDecoder();
  let text = '';
  for (let read = readSync(input, block); read > 0; read = readSync(input, block)) {
    text += decoder.decode(block.subarray(0, read), { stream: true });
    let at = 0;
    for (let end = endOf(text, at); end !== -1; end = endOf(text, at)) {
      const raw = text.slice(at, end);
      onRow(raw, raw.includes('"') ? quotedCells(raw) : raw.split(','));
      at = end + 1;
    }
    text = text.slice(at);
  }
  closeSync(input);
}

/** The line break after a row: the first outside quotes; -1 if the rest of the row is in the next block. */
function endOf(text, from) {
  let end = text.indexOf('\n', from);
  let quote = text.indexOf('"', from);
  while (quote !== -1 && quote < end) {
    const close = text.indexOf('"', quote + 1);
    if (close === -1) return -1;
    if (close > end) end = text.indexOf('\n', close);
    quote = text.indexOf('"', close + 1);
  }
  return end;
}

function quotedCells(raw) {
  const cells = raw.match(/"(?:[^"]|"")*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? [];
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  tellSeconds(performance.now());
  let sum = 0;
  cutRows(process.argv[2], (_, cells) => {
    for (const at of numbers) sum += Number(cells[at]) || 0;
  });
  console.log(sum);
}
