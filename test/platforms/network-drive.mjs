// Loaded into the program before it starts (node --import), by tests only: every folder is on a network drive.
//   REFRESHED=/path   its time of the last change is another one whenever it is asked for
//   NO_WAL=1          the file system has no memory that processes share
//   IO_ERROR=1        a lock of a new catalog fails
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';

const { fstatSync, readlinkSync, statfsSync } = fs;
fs.statfsSync = (path, ...more) => ({ ...statfsSync(path, ...more), type: 0xff534d42 });

let refreshed = 0n;
fs.fstatSync = (descriptor, ...more) => {
  const found = fstatSync(descriptor, ...more);
  if (more[0]?.bigint === true && readlinkSync(`/proc/self/fd/${descriptor}`) === process.env.REFRESHED)
    found.mtimeNs += ++refreshed;
  return found;
};
syncBuiltinESMExports();

const { NO_WAL, IO_ERROR } = process.env;
if (NO_WAL || IO_ERROR) {
  const require = createRequire(import.meta.url);
  // The one that fits this Node, as src/store/sqlite/driver.ts chooses.
  const Database = require(Number.parseInt(process.versions.node, 10) < 22 ? 'better-sqlite3-12' : 'better-sqlite3');
  const { pragma } = Database.prototype;
  Database.prototype.pragma = function (text, options) {
    if (text !== 'journal_mode = WAL') return pragma.call(this, text, options);
    if (IO_ERROR) throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_LOCK');
    return 'delete';
  };
}
