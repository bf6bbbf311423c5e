// Whether a file is on a drive of the network. Such a drive may refresh the times of a file by itself, and locks and shared memory
// may not reach the other machines that use it.
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** The numbers by which Linux tells file systems apart. */
const fileSystems: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  16914839: '9p (a folder of the host of a virtual machine, or of Windows in WSL)',
};

/**
 * The kind of network drive that a file is on, for messages.
 * @param path of a file that is there, or in a folder that is
 * @returns undefined on a disk of this machine, and where the system does not tell
 */
export function networkDrive(path: string): string | undefined {
  if (process.platform === 'win32') return /^[\\/]{2}[^\\/?.]/.test(path) ? 'SMB' : undefined;
  if (process.platform !== 'linux') return undefined;
  for (const at of [path, dirname(path)]) {
    try {
      return fileSystems[statfsSync(at).type];
    } catch {
      // There is no such file yet: its folder tells.
    }
  }
  return undefined;
}
