// The address of a source: which ones are accepted.
import { CatalogError } from '../../core/errors.js';
import { shownAddress } from '../../core/text/mask-credentials.js';
import { isLoopback } from '../client/agent.js';

/**
 * Reads an address.
 * @throws CatalogError `usage` for one with credentials, which every user of the machine could see, and for one that sends
 *   them and the feed in clear text
 */
export function sourceAddress(word: string, allowHttp: boolean): URL {
  const url = URL.canParse(word) ? new URL(word) : undefined;
  if (url === undefined || url.hostname === '' || !/^https?:$/.test(url.protocol))
    throw new CatalogError(
      'usage',
      `${shownAddress(word)} is not an address that can be fetched. Use one such as https://supplier.example/feed.csv, or the path of a file.`,
    );
  if (url.username !== '' || url.password !== '')
    throw new CatalogError(
      'usage',
      `${shownAddress(word)} contains a user or a password, which other users of this machine can see. Put them into a variable and name it with --source-auth-env, or into the file ~/.netrc.`,
    );
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url))
    throw new CatalogError(
      'usage',
      `${shownAddress(word)} would be fetched in clear text: anybody on the way could change it. Use https://, or --allow-http where the network is trusted.`,
    );
  url.hash = '';
  return url;
}
