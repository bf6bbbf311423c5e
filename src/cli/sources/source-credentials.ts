// The credentials for a source by address: in a variable that --source-auth-env names, or in the file that curl and ftp read
// (~/.netrc, or the one of NETRC). They are sent to the origin of the address alone, and shown nowhere.
import { statSync } from 'node:fs';
import { CatalogError } from '../../core/errors.js';
import { inHomeFolder } from '../../files/home-folder.js';
import { readText } from '../../files/read-text.js';

/**
 * The value of the header Authorization; undefined where there are no credentials.
 * @throws CatalogError `usage` for a variable that is not set, and a file that others may read
 */
export function sourceAuthorization(
  { hostname }: URL,
  variable: string | undefined,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (variable === undefined) return fromNetrc(hostname, env);
  const value = (env[variable] ?? '').trim();
  if (!/^[\x20-\x7e]+$/.test(value))
    throw new CatalogError(
      'usage',
      `--source-auth-env ${variable}: the variable has to hold user:password, a token, or a whole value of the header Authorization such as "Bearer …", and ${value === '' ? 'is not set' : 'has other characters'}.`,
    );
  if (value.includes(' ')) return value;
  return value.includes(':') ? basic(value) : `Bearer ${value}`;
}

function basic(pair: string): string {
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function fromNetrc(host: string, env: NodeJS.ProcessEnv): string | undefined {
  const file = env['NETRC'] || inHomeFolder(env, '.netrc');
  const text = file === undefined ? undefined : textOf(file);
  const entry = text === undefined ? undefined : netrcEntry(text, host);
  if (file === undefined || entry === undefined) return undefined;
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new CatalogError('usage', `${file} has the password for ${host}, and others may read it: chmod 600 ${file}.`);
  return basic(`${entry['login'] ?? ''}:${entry['password'] ?? ''}`);
}

function textOf(file: string): string | undefined {
  try {
    return readText(file, { fatal: false });
  } catch {
    return undefined;
  }
}

/** The words after `machine <host>`. An entry `default` is for every host, so that it is not used. */
export function netrcEntry(text: string, host: string): Readonly<Record<string, string>> | undefined {
  const lines = text.replace(/^macdef[\s\S]*?(?:\n\n|$(?![\s\S]))/gm, '').replace(/(^|\s)#.*$/gm, '$1');
  const words = lines.split(/\s+/).filter(Boolean);
  const at = words.findIndex((word, i) => word === 'machine' && words[i + 1] === host);
  if (at === -1) return undefined;
  const entry: Record<string, string> = {};
  for (let i = at + 2; i < words.length && !['machine', 'default'].includes(words[i] ?? ''); i += 2)
    entry[words[i] ?? ''] = words[i + 1] ?? '';
  return entry;
}
