// Loaded into the program before it starts (node --import), by tests only: files behave as on Windows.
//   a file that was opened for reading cannot be synced (EPERM), nor can a folder
//   HELD_FILE=/path             another program has this file open: no rename over it (EBUSY)
//   HELD_FILE=/path HELD_HARD=1 and no writing to it either, as with a workbook in a spreadsheet
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { openSync, fsyncSync, closeSync, renameSync } = fs;
const held = process.env.HELD_FILE;
const readOnly = new Set();

const fault = (code, call, path) =>
  Object.assign(new Error(`${code}: ${call} '${path}'`), { code, syscall: call, path });

fs.openSync = (path, flags, ...more) => {
  if (held !== undefined && process.env.HELD_HARD && path === held && flags !== 'r') throw fault('EBUSY', 'open', path);
  const descriptor = openSync(path, flags, ...more);
  if (flags === 'r' || flags === undefined) readOnly.add(descriptor);
  return descriptor;
};
fs.closeSync = (descriptor) => {
  readOnly.delete(descriptor);
  closeSync(descriptor);
};
fs.fsyncSync = (descriptor) => {
  if (readOnly.has(descriptor)) throw fault('EPERM', 'fsync', String(descriptor));
  fsyncSync(descriptor);
};
fs.renameSync = (from, to) => {
  if (to === held) throw fault('EBUSY', 'rename', to);
  renameSync(from, to);
};
syncBuiltinESMExports();
