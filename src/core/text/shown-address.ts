// Addresses among words, and how one is shown: the values of its query may be secrets.

/** Whether a word is meant as an address, and not as the path of a file. */
export function isAddress(word: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(word);
}

/** What the query of a PostgreSQL address says that is no secret, and without which a command to paste means another catalog. */
const plainParameters = new Set(['schema', 'sslmode', 'host', 'port', 'dbname']);

/** An address without credentials and without the values of its query: `https://x.example/feed.csv?token=…`. */
export function shownAddress(word: string): string {
  const [, base = '', query] = /^([^?#]*)(?:\?([^#]*))?/.exec(word) ?? [];
  const masked = base.replace(/^([^:]+:\/\/)[^/]*@/, '$1');
  if (query === undefined) return masked;
  const isPostgres = /^postgres(?:ql)?:/i.test(word);
  const parts = query.split('&').map((part) => {
    if (!part.includes('=')) return '…';
    const name = part.slice(0, part.indexOf('='));
    return plainParameters.has(name) && isPostgres ? part : `${name}=…`;
  });
  return `${masked}?${parts.join('&')}`;
}
