// Floor of the same again: rows cut from the file, and their text compared with the one kept by its key, a thousand a query.
// Leaves out: what makes two texts the same product, every check, duplicates, lines and reports, a second thread.
//
//   node compare-rows.mjs <feed> <database of the texts, made if it is not there>
import { existsSync } from 'node:fs';
import { cutRows } from './cut-rows.mjs';
import { Database } from './driver.mjs';
import { tellSeconds } from './tell.mjs';

const [feed, file] = process.argv.slice(2);
const isNew = !existsSync(file);
const database = new Database(file);
if (isNew) {
  database.exec('CREATE TABLE row (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID; BEGIN');
  const insert = database.prepare('INSERT OR REPLACE INTO row VALUES (?, ?)');
  cutRows(feed, (raw, [key]) => insert.run(key, raw));
  database.exec('COMMIT');
}

tellSeconds(performance.now());
const find = database
  .prepare('SELECT json_group_array(r.text) FROM json_each(?) k CROSS JOIN row r ON r.key = k.value')
  .pluck();
let batch = new Map();
let changed = 0;
function compare() {
  const texts = JSON.parse(find.get(JSON.stringify([...batch.keys()])));
  let at = 0;
  for (const text of batch.values()) if (text !== texts[at++]) changed++;
  batch = new Map();
}
cutRows(feed, (raw, [key]) => {
  batch.set(key, raw);
  if (batch.size === 1000) compare();
});
compare();
console.log(changed);
if (changed > 0) process.exitCode = 1;
