// Commands that people paste, quoted for the shell in front of them.
import { isAddress, shownAddress } from '../core/text/mask-credentials.js';

type Shell = 'posix' | 'cmd' | 'powershell';

/** The shell in which this program was typed. On Windows only cmd has a prompt in its environment. */
export function shellAtHand({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): Shell {
  if (platform !== 'win32') return 'posix';
  return env['PROMPT'] === undefined ? 'powershell' : 'cmd';
}

/** What each shell reads as it stands in a word. A path of Windows has `\`; PowerShell reads `@` and `,` itself. */
const plain: Readonly<Record<Shell, RegExp>> = {
  posix: /^[\w@%+=:,./-]+$/,
  cmd: /^[\w@+:.\\/-]+$/,
  powershell: /^[\w+=:.\\/-]+$/,
};

/** A word as a shell reads it as one. */
export function shellWord(word: string, shell: Shell = shellAtHand(process)): string {
  if (plain[shell].test(word)) return word;
  switch (shell) {
    case 'posix':
      return `'${word.replaceAll("'", "'\\''")}'`;
    case 'powershell':
      // It takes these apostrophes for its own, too.
      return `'${word.replaceAll(/['‘’‚‛]/g, '$&$&')}'`;
    case 'cmd':
      return `"${word.replaceAll('"', '\\"')}"`;
  }
}

/** A command of this program, to be pasted. The values of an address's query may be secrets, and are left out. */
export function shellCommand(words: readonly string[], shell: Shell = shellAtHand(process)): string {
  return ['catalog-import', ...words.map((word) => shellWord(isAddress(word) ? shownAddress(word) : word, shell))].join(
    ' ',
  );
}
