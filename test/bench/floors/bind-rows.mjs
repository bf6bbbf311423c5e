// Floor of writing: the finished rows of the products of a catalog, bound by better-sqlite3, 20 an INSERT, into the same table of another.
// Leaves out: making the rows, looking up what is there, slugs, the history, the index of slugs, reports.
//
//   node bind-rows.mjs <catalog> <new catalog>
import { Database } from './driver.mjs';
import { tellSeconds } from './tell.mjs';

const atOnce = 20;
const [from, to] = process.argv.slice(2);
const catalog = new Database(from, { readonly: true });
const table = catalog.prepare("SELECT sql FROM sqlite_master WHERE name = 'product'").pluck().get();
const rows = catalog.prepare('SELECT * FROM product ORDER BY seq').raw().all();
catalog.close();

tellSeconds(performance.now());
const database = new Database(to);
for (const pragma of [
  'page_size = 8192',
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = OFF',
  'cache_size = -8000',
])
  database.pragma(pragma, { simple: true });
database.exec(table);
const row = `(${rows[0].map(() => '?').join()})`;
const insert = database.prepare(`INSERT INTO product VALUES ${Array(atOnce).fill(row).join()}`);
const insertOne = database.prepare(`INSERT INTO product VALUES ${row}`);
database.exec('BEGIN');
const whole = rows.length - (rows.length % atOnce);
for (let at = 0; at < whole; at += atOnce) insert.run(...rows.slice(at, at + atOnce).flat());
for (const one of rows.slice(whole)) insertOne.run(one);
database.exec('COMMIT');
database.close();
