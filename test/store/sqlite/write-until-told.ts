// A process that changes a catalog and checkpoints often, until its input ends. It prints `ready`, and `enough` once it has
// restarted its log many times.
import { moveAnchor } from '../../../src/store/sqlite/file/log-anchor.js';
import { openRaw } from '../../proof/dump.js';

const database = openRaw(process.argv[2] ?? '');
database.exec('PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 8');
const move = database.prepare(moveAnchor);
const add = database.prepare(`INSERT INTO file VALUES (hex(randomblob(16)), 'a picture', 1, 1)`);
const manyLogs = 25;
let transactions = 0;
let isEnding = false;
process.stdin.on('end', () => {
  isEnding = true;
});
process.stdin.resume();

function work(): void {
  for (let i = 0; i < 20; i++) {
    database.exec('BEGIN');
    add.run();
    move.run();
    database.exec('COMMIT');
    // Each transaction changes two pages or more: after four of them the log is checkpointed and restarted.
    if (++transactions === 4 * manyLogs) process.stdout.write('enough\n');
  }
  if (isEnding) database.close();
  else setImmediate(work);
}

process.stdout.write('ready\n', () => setTimeout(work));
