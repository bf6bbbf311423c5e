// Masks credentials in text before it is shown. Anything that looks like an address is masked, because a mistyped address can
// contain a password, too: one slash too few, no scheme, a password whose signs are not percent-encoded, an end that was cut off,
// or user and password as parameters. Takes time in proportion to the text, since paths of requests are masked, too.

/** Whether there may be anything to mask. */
const suspicious = /[@=?]|:[\\/]{2}/;

/** `password=…` and the like; what a value in quotes or braces has more than 500 characters of is rather no password. */
const parameter =
  /((?:pass(?:word|wd|phrase)|pwd|user|secret|token|(?:api|access|account|shared)[-_]?key|signature|credential|\bsig|\bauth)\s{0,9}=\s{0,9})(?:'(?:[^'\\]|\\.){0,500}'|"(?:[^"\\]|\\.){0,500}"|\{[^}]{0,500}\}|[^&\s;"]+?(?=[')>.,:\]]{0,3}(?:[&\s;"]|$)))/gi;

/** The scheme of an address of PostgreSQL, whatever its slashes are. */
const postgres = /postgres(?:ql)?(?:[:;][\\/]*|[\\/]{2,})/i;

/** What is between the scheme of any other address and its host. */
const slashes = /:[\\/]+/;

/** What the query of a PostgreSQL address says that is no secret, and without which a command to paste means another catalog. */
const plainParameters = new Set(['schema', 'sslmode', 'host', 'port', 'dbname']);

/** A text without users, passwords and parameters of addresses. */
export function maskCredentials(text: string): string {
  if (!suspicious.test(text)) return text;
  const parts = text.replace(parameter, '$1…').split(/([\s"]+)/);
  const ends = passwordEnds(parts);
  let masked = '';
  // Every second part separates two words.
  for (let i = 0; i < parts.length; i += 2) {
    let word = parts[i] as string;
    const to = ends[i];
    if (to !== undefined && isCutOff(word)) {
      word = parts.slice(i, to + 1).join('');
      i = to;
    }
    masked += maskWord(word) + (parts[i + 1] ?? '');
  }
  return masked;
}

/** The same of a text that is one address, which may contain spaces. */
export function shownAddress(word: string): string {
  return maskWord(word);
}

/** Whether a word is meant as an address, and not as the path of a file. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(word);
}

/** For each word, the next one on its line that contains an @, with which a password that has spaces or quotes ends. */
function passwordEnds(parts: readonly string[]): (number | undefined)[] {
  const ends = new Array<number | undefined>(parts.length);
  let next: number | undefined;
  for (let i = parts.length - 1; i >= 0; i--) {
    if (i % 2 === 1) {
      if (parts[i]?.includes('\n')) next = undefined;
      continue;
    }
    ends[i] = next;
    if (parts[i]?.includes('@')) next = i;
  }
  return ends;
}

/** An address within a word. */
interface Address {
  /** Up to its authority: what has users, passwords and hosts. */
  readonly scheme: string;
  readonly rest: string;
  readonly isPostgres: boolean;
  /** Two slashes or more: no path of a Windows drive. */
  readonly isSure: boolean;
}

function addressIn(word: string): Address | undefined {
  const ofPostgres = postgres.exec(word);
  const found = ofPostgres ?? slashes.exec(word);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  const isPostgres = ofPostgres !== null;
  return {
    ...{ scheme: word.slice(0, from), rest: word.slice(from) },
    ...{ isPostgres, isSure: isPostgres || found[0].endsWith('//') },
  };
}

/** A host, with or without a port: where something else follows the colon, that is a password. */
const soundHost = /^(?:\[[^\]]*\]|[^\\/?#:[]*)(:\d{0,5})?(?=$|:$|[\\/?#,;.…)\]>'])/;

/** Whether a word is an address with a password that goes on beyond it. */
function isCutOff(word: string): boolean {
  const { rest = '', isSure = false } = addressIn(word) ?? {};
  return isSure && !rest.includes('@') && !soundHost.test(rest);
}

function maskWord(word: string): string {
  const address = addressIn(word);
  if (address === undefined) return withoutScheme(word);
  const rest = withoutUser(address);
  return address.scheme + (address.isSure ? withPlainParameters(rest, address.isPostgres) : rest);
}

/** What follows the scheme, without user and password, which may contain any sign. */
function withoutUser({ rest, isPostgres, isSure }: Address): string {
  const at = rest.lastIndexOf('@');
  const host = soundHost.exec(rest);
  if (at < 0) return host !== null || !isSure ? rest : `${rest.slice(0, rest.indexOf(':') + 1)}…`;
  // The paths of pages and files may have an @, too.
  const isOfPath = !isPostgres && host !== null && host[1] === undefined && host[0].length < rest.indexOf('@');
  return isOfPath ? rest : rest.slice(at + 1);
}

function withPlainParameters(rest: string, isPostgres: boolean): string {
  const [, base = '', query = '', end = ''] = /^([^?#]*)\?([^#]*?)(?:#.*)?([')>.,;:]{0,3})$/s.exec(rest) ?? [];
  if (query === '') return rest;
  const parts = query.split('&').map((part) => {
    if (!part.includes('=')) return '…';
    const name = part.slice(0, part.indexOf('='));
    return isPostgres && plainParameters.has(name) ? part : `${name}=…`;
  });
  return `${base}?${parts.join('&')}${end}`;
}

/** `user:password@host`, also after a sign or as the value of an option. */
function withoutScheme(word: string): string {
  const at = word.lastIndexOf('@');
  const colon = /:(?![\\/])/.exec(word)?.index ?? at;
  if (colon >= at) return word;
  const before = Math.max(...[...`=,('/\``].map((sign) => word.lastIndexOf(sign, colon)));
  return word.slice(0, before + 1) + word.slice(at + 1);
}
