// Loaded into the program before it starts (node --import), by tests only: takes a safety out, so that a proof can be
// shown to fail without it, makes the disk small, or writes down what the process took.
//   TAMPER=tell-before-commit   a report is written while its transaction is still open
//   TAMPER=tell-before-commit:x the same, and the program dies after a line with x, before that transaction ends
//   TAMPER=no-transaction       every statement is committed by itself
//   TAMPER=synchronous-off      nothing is synced
//   TAMPER=no-file-sync        the program itself syncs no file and no folder; SQLite does
//   TAMPER=pages:300            the database file may have this many pages, as on a full disk
//   TAMPER=version:3.51.2      SQLite says that it is this version
//   TAMPER=peak:/path           the peak of the resident memory, in KiB, and behind it the processor time, in ms, are
//                               written there at the end
//   TAMPER=turns:/path          the longest turn of the event loop is written there at the end, in ms of the processor, which
//                               others on the machine do not prolong (Linux)
import fs, { readFileSync, writeFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { peakMemory } from '../peak-memory.mjs';

const require = createRequire(import.meta.url);

/** The same instance that src/store/sqlite/driver.ts loads: on Node 20 it has another name in a clone. */
function driver() {
  if (Number.parseInt(process.versions.node, 10) >= 22) return require('better-sqlite3');
  try {
    return require('better-sqlite3-12');
  } catch {
    return require('better-sqlite3');
  }
}

const Sqlite = driver();

const [mode, value] = process.env.TAMPER?.split(/:(.*)/s) ?? [];
const { prepare, pragma } = Sqlite.prototype;

function tellBeforeCommit(words) {
  let pending;
  const settle = () => {
    pending?.run();
    pending = undefined;
  };
  Sqlite.prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    if (sql === 'COMMIT') return { run: () => (pending = statement) };
    if (sql === 'ROLLBACK') return { run: () => pending ?? statement.run() };
    if (sql.startsWith('BEGIN')) return { run: () => [settle(), statement.run()] };
    return statement;
  };
  const { close } = Sqlite.prototype;
  Sqlite.prototype.close = function () {
    settle();
    return close.call(this);
  };
  if (words === undefined) return;
  const { write } = process.stdout;
  process.stdout.write = function (text, ...more) {
    const isTaken = write.call(this, text, ...more);
    if (pending !== undefined && String(text).includes(words)) process.kill(process.pid, 'SIGKILL');
    return isTaken;
  };
}

function noTransaction() {
  Sqlite.prototype.prepare = function (sql) {
    return sql === 'BEGIN IMMEDIATE' || sql === 'COMMIT' ? { run: () => {} } : prepare.call(this, sql);
  };
}

function onPragma(change) {
  Sqlite.prototype.pragma = function (source, options) {
    return pragma.call(this, change(source, this), options);
  };
}

function noFileSync() {
  fs.fsyncSync = () => {};
  syncBuiltinESMExports();
}

// A server imports in a thread of its own.
if (isMainThread || mode === 'synchronous-off') {
  if (mode === 'tell-before-commit') tellBeforeCommit(value);
  else if (mode === 'no-transaction') noTransaction();
  else if (mode === 'synchronous-off') onPragma((source) => source.replace('synchronous = FULL', 'synchronous = OFF'));
  else if (mode === 'no-file-sync') noFileSync();
  else if (mode === 'pages') {
    onPragma((source, database) => {
      if (source === 'synchronous = FULL') pragma.call(database, `max_page_count = ${value}`);
      return source;
    });
  } else if (mode === 'version') {
    Sqlite.prototype.prepare = function (sql) {
      return prepare.call(this, sql.replace('sqlite_version()', `'${value}'`));
    };
  } else if (mode === 'peak') {
    process.on('exit', () => {
      const { userCPUTime, systemCPUTime } = process.resourceUsage();
      writeFileSync(value, `${peakMemory()} ${Math.round((userCPUTime + systemCPUTime) / 1000)}`);
    });
  } else if (mode === 'turns') {
    const spent = () => Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
    const tick = 5;
    let [before, longest] = [spent(), 0];
    const watching = setTimeout(() => {
      // What the start takes is no turn of a request.
      before = spent();
      setInterval(() => {
        const now = spent();
        longest = Math.max(longest, now - before - tick);
        before = now;
      }, tick).unref();
    }, 2000);
    watching.unref();
    process.on('exit', () => writeFileSync(value, String(longest)));
  } else throw new Error(`TAMPER=${process.env.TAMPER} is not known`);
}
