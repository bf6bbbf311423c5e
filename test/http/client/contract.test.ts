// The contract of a catalog, at both ends of the wire.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCatalog } from '../../../src/store/open.js';
import { catalogContract } from '../../contract.js';
import { givenServer } from '../server/given-server.js';
import { client } from './given-remote.js';

catalogContract('a local file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-contract-'));
  const catalog = await openCatalog({ file: join(folder, 'catalog.db'), create: true });
  return {
    catalog,
    local: catalog,
    async close() {
      await catalog.close();
      rmSync(folder, { recursive: true });
    },
  };
});

catalogContract('a served instance', async () => {
  const given = await givenServer();
  const catalog = await client(given.server.url, given.key);
  return {
    catalog,
    local: given.catalog,
    async close() {
      await catalog.close();
      await given.stop();
    },
  };
});
