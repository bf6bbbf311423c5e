// A served instance and a client of it, for tests: short waits, and nothing of the machine's own settings.
import { httpCatalog, type RemoteCatalog, type RemoteOptions } from '../../../src/http/client/remote-catalog.js';
import { loadEnvironment } from '../../../src/store/environment.js';

/** Opens a client that waits for milliseconds where a real one waits for seconds. */
export function client(url: string, key: string, options: Partial<RemoteOptions> = {}): Promise<RemoteCatalog> {
  return httpCatalog({
    url,
    key,
    env: {},
    loadEnvironment,
    ...options,
    retryPolicy: { base: 4, longest: 20, ...options.retryPolicy },
  });
}
