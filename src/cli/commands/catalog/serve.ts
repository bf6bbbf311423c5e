// `serve`: serves the catalog over HTTP until a signal stops it. With workers, this process only supervises them
// (serve-workers.ts), and each worker runs this same command.
import cluster from 'node:cluster';
import { readFile } from 'node:fs/promises';
import { isIP, type Socket } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import type { Tls } from '../../../http/server/http-server.js';
import type { Importer } from '../../../http/server/imports/import-batch.js';
import type { Server, ServerOptions } from '../../../http/server/server.js';
import type { LocalCatalog } from '../../../store/open.js';
import { stopSignals } from '../../exit-codes.js';
import { limitOldGeneration } from '../../import/heap-limit.js';
import { addExamples, addLocalOption, localFile, openLocal, portNumber, wholeNumber } from '../../options.js';
import { listenFailure, type ServeOptions, startMetrics, stopSignal } from '../../serve/listening.js';
import { startImports } from '../../serve/serve-imports.js';
import { connectionMessage, stopMessage, type WorkerCount, type WorkerMessage } from '../../serve/worker-messages.js';
import { repeated } from '../../shared-options.js';

/** Milliseconds in which a process that has stopped serving ends. */
const endTime = 1000;

export function defineServe(command: Command, process: NodeJS.Process): void {
  addLocalOption(command)
    .description('Serves the catalog over HTTP: batch import and single read under /v1, with API keys.')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 takes a free one', portNumber, 8080)
    .option('--tls-cert <file>', 'certificate chain (PEM); with --tls-key, serves https')
    .option('--tls-key <file>', 'private key (PEM)')
    .option(
      '--behind-proxy [addresses]',
      'a proxy in front does TLS and sets X-Forwarded-For, which counts when it comes from these addresses or networks (comma list; default: loopback)',
    )
    .option('--rate <n>', 'requests a second for each key (each worker counts separately)', positive, 500)
    .option('--auth-failures <n>', 'failed authentications a minute for each address', positive, 20)
    .option('--workers <n>', 'number of processes that serve', positive, 1)
    .addOption(
      repeated(
        new Option(
          '--cors <origin>',
          'pages of this origin may call the interface from a browser (https://shop.example, or * for all); may be repeated',
        ).argParser(addOrigin),
      ),
    )
    .option('--metrics-port <n>', 'serve /metrics for Prometheus on this port of 127.0.0.1', portNumber)
    .action(async (options: ServeOptions) => {
      // Its channel to the supervising process would keep a worker that cannot start.
      if (cluster.isWorker) process.channel?.unref();
      await serve(options, process);
      // A log that nobody reads would keep the process: the write that it waits for is not given up otherwise.
      setTimeout(() => process.exit(), endTime).unref();
    });
  addExamples(command, [
    ['serve', 'serve ./catalog.db on http://127.0.0.1:8080'],
    ['serve --db shop.db --port 0 --workers 2', 'two processes on one file, on a free port'],
    ['serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem', 'serve other machines'],
  ]);
}

/** An origin as a browser sends it: without a path, a default port, or capital letters. */
function addOrigin(value: string, before: readonly string[] = []): readonly string[] {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  const isOrigin = isWeb && url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
  if (value === '*') return [...before, value];
  if (isOrigin) return [...before, url.origin];
  throw new InvalidArgumentError('Use an origin such as https://shop.example, without a path, or *.');
}

function positive(value: string): number {
  return Math.max(1, wholeNumber(value));
}

async function serve(options: ServeOptions, process: NodeJS.Process): Promise<void> {
  // A signal to the whole group of processes reaches the supervising one, too, which ends the workers in order.
  if (cluster.isWorker) for (const signal of stopSignals) process.on(signal, () => {});
  refuseOpenDoor(options);
  const trustedProxies = await proxiesOf(options);
  const tls = await readTls(options);
  const catalog = await openLocal(options, process.env, { create: true });
  if (options.workers > 1 && cluster.isPrimary) {
    // The file exists and is migrated now, so that the workers do not race to do it.
    await catalog.close();
    const { watchWorkers } = await import('../../serve/serve-workers.js');
    await watchWorkers(options, process);
    return;
  }
  // Large records that are read are garbage at once: V8 let 35 MB of live data grow to 215.
  limitOldGeneration();
  // The catalog exists and is migrated now, so that the thread does not race to do it.
  const imports = await startImports({ file: localFile(options, process.env) }, (reason) => {
    const message = `the importing thread died and is replaced: ${reason}`;
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level: 'error', message })}\n`);
  });
  try {
    const count: WorkerCount = { wanted: options.workers, serving: 1 };
    const access = { trustedProxies, ...(tls !== undefined && { tls }) };
    const server = await startServer({ catalog, importBatch: imports.importBatch, count }, options, access);
    if (cluster.isWorker) await serveAsWorker(server, count, process);
    else await serveAlone(server, options, process);
  } finally {
    await imports.stop();
    await catalog.close();
  }
}

/** Keys and catalogs must not be sent unencrypted beyond this machine. */
function refuseOpenDoor({ host, tlsCert, tlsKey, behindProxy }: ServeOptions): void {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new CatalogError('usage', '--tls-cert and --tls-key belong together; give both.');
  }
  const loopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  if (loopback || tlsCert !== undefined || behindProxy) return;
  throw new CatalogError(
    'usage',
    `${host} can be reached by other machines, and keys would travel in clear text; give --tls-cert and --tls-key, or --behind-proxy where a proxy does TLS.`,
  );
}

/** The proxies whose X-Forwarded-For counts, in the form that Fastify reads. */
async function proxiesOf({ behindProxy }: ServeOptions): Promise<readonly string[]> {
  if (behindProxy === undefined) return [];
  if (behindProxy === true) return ['loopback'];
  const { isAddressOrNetwork } = await import('../../../http/server/admission/client-address.js');
  const proxies = behindProxy.split(',').map((proxy) => proxy.trim());
  const wrong = proxies.find((proxy) => !isAddressOrNetwork(proxy));
  if (wrong === undefined) return proxies;
  throw new CatalogError(
    'usage',
    `--behind-proxy: "${wrong}" is not an IP address or network. Use addresses such as 10.0.0.5 or 10.0.0.0/24, separated by commas.`,
  );
}

async function readTls({ tlsCert, tlsKey }: ServeOptions): Promise<Tls | undefined> {
  if (tlsCert === undefined || tlsKey === undefined) return undefined;
  try {
    const [cert, key] = await Promise.all([readFile(tlsCert), readFile(tlsKey)]);
    return { cert, key };
  } catch (error) {
    throw new CatalogError(
      'input_unreadable',
      `The certificate or its key cannot be read: ${(error as Error).message}. Name both with --tls-cert and --tls-key.`,
    );
  }
}

async function startServer(
  {
    catalog,
    importBatch,
    count,
  }: { readonly catalog: LocalCatalog; readonly importBatch: Importer; readonly count: WorkerCount },
  options: ServeOptions,
  access: Pick<ServerOptions, 'trustedProxies' | 'tls'>,
): Promise<Server> {
  const { serveCatalog } = await import('../../../http/server/server.js');
  try {
    return await serveCatalog(
      { catalog, keys: await catalog.keys(), importBatch },
      {
        ...(cluster.isPrimary && { address: { host: options.host, port: options.port } }),
        workers: () => count,
        ...access,
        limits: { rate: options.rate, authFailures: options.authFailures },
        cors: options.cors ?? [],
      },
    );
  } catch (error) {
    throw listenFailure(error);
  }
}

async function serveAlone(server: Server, { metricsPort }: ServeOptions, process: NodeJS.Process): Promise<void> {
  const stopped = stopSignal(process);
  try {
    const metrics = await startMetrics(metricsPort, async () => [await server.metrics()]);
    process.stdout.write(`listening on ${server.url}\n`);
    if (metrics !== undefined) process.stdout.write(`metrics on ${metrics.url}\n`);
    await stopped;
    await metrics?.stop();
  } finally {
    await server.stop();
  }
}

/** Serves the connections that the supervising process hands over. */
async function serveAsWorker(server: Server, count: WorkerCount, process: NodeJS.Process): Promise<void> {
  const tell = (message: WorkerMessage) => void process.send?.(message, undefined, undefined, () => {});
  const stopped = new Promise<void>((resolve) => {
    // A worker ends when its supervising process is gone, too.
    process.once('disconnect', resolve);
    process.on('message', (message: unknown, socket?: Socket) => {
      if (message === stopMessage) resolve();
      else if (message !== connectionMessage) Object.assign(count, message);
      else {
        // Undefined where its client has gone meanwhile.
        if (socket !== undefined) server.take(socket);
        tell({ ready: true });
      }
    });
  });
  const timer = setInterval(() => void server.metrics().then((metrics) => tell({ metrics })), 1000);
  tell({ ready: true });
  await stopped;
  clearInterval(timer);
  await server.stop();
  tell({ metrics: await server.metrics() });
}
