// The text of a configuration file, where its owner and its rights say that it can be trusted.
import { statfsSync, statSync } from 'node:fs';
import { CatalogError } from '../../core/errors.js';
import { readText } from '../../files/read-text.js';

/** The maximum size of the file in bytes. */
const bytesAtMost = 256 * 1024;

/** @throws CatalogError `usage` where it cannot be read, or is not to be trusted */
export function readConfigText(file: string): string {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new Error('it is not a file');
    const foreign = hasRights(file) ? ownerFault(found, file) : undefined;
    if (foreign !== undefined) throw new Error(foreign);
    if (found.size > bytesAtMost) throw new Error(`it has ${found.size} bytes; up to ${bytesAtMost} are read`);
    return readText(file);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CatalogError('usage', `The configuration file ${file} cannot be used: ${why}.`, { cause });
  }
}

/**
 * Why a file is not to be trusted: another user could send what is imported, and a key with it, somewhere else. Root's files
 * count, and with sudo those of who typed it.
 * @returns the reason and what to do; undefined where the file is sound
 */
export function ownerFault(
  { uid, mode }: { readonly uid: number; readonly mode: number },
  file: string,
  { getuid, env }: Pick<NodeJS.Process, 'getuid' | 'env'> = process,
): string | undefined {
  const own = getuid?.();
  if (own === undefined) return undefined;
  const trusted = [own, 0, ...(own === 0 ? [Number(env['SUDO_UID'])] : [])];
  if (!trusted.includes(uid))
    return `it belongs to another user (uid ${uid}), who could choose where an import goes; use another folder, make the file yours (sudo chown ${own} ${file}), or use --no-config`;
  if ((mode & 0o002) !== 0)
    return `every user of this machine may change it; take that right away (chmod o-w ${file}), or use --no-config`;
  return undefined;
}

/** File systems whose files show one owner and all rights, whoever they belong to: drives of Windows in WSL, shares, cards. */
const withoutRights = new Set([
  0x0102_1997, // 9p
  0xff53_4d42, // CIFS
  0xfe53_4d42, // SMB 2
  0x4d44, // FAT
  0x2011_bab0, // exFAT
]);

/** Whether owner and rights of a file say who may change it. */
function hasRights(file: string): boolean {
  return !withoutRights.has(statfsSync(file).type >>> 0);
}
