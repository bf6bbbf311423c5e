// The catalog over HTTP: starts and stops the server. Fastify routes requests and runs their hooks. Bodies, errors and
// logging are handled here, so that every response has the envelope and every limit is ours.
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Keys } from '../../core/api-key.js';
import type { Catalog } from '../../core/catalog.js';
import { type Failure, failures } from '../protocol.js';
import { newAuthorize, type RateLimits } from './admission/authorize.js';
import { byteBudget } from './admission/byte-budget.js';
import { clientAddresses } from './admission/client-address.js';
import { malformedRequest } from './admission/malformed-request.js';
import { trackArrivals } from './arrivals.js';
import { type CrossOrigin, crossOrigin } from './cors.js';
import {
  beginTaking,
  endTaking,
  newHttpServer,
  type OnConnectionFault,
  originForm,
  refuseConnection,
  requestIdOf,
  type Tls,
  takeConnection,
} from './http-server.js';
import type { Importer } from './imports/import-batch.js';
import { stderrLines } from './monitoring/log-lines.js';
import { type MetricValues, newMetrics } from './monitoring/metrics.js';
import { newRequestLog } from './monitoring/request-log.js';
import { trackRequests } from './monitoring/track-requests.js';
import { answerCache } from './reads/answer-cache.js';
import { respondFailure, respondThrown } from './respond.js';
import { serveDescription, serveHealth, serveResources, unserved } from './routes.js';

/** The catalog, keys and importer that are served. */
export interface Served {
  /** Read from. */
  readonly catalog: Catalog;
  readonly keys: Keys;
  /** The writer, in a thread of its own if reads should not wait for it. */
  readonly importBatch: Importer;
}

export interface ServerOptions {
  /** Where to listen; port 0 chooses a free one. Undefined where others accept the connections (`Server.take`). */
  readonly address?: { readonly host: string; readonly port: number };
  /** How many processes serve the catalog, and how many there are to be, for /readyz. */
  readonly workers?: () => { readonly wanted: number; readonly serving: number };
  readonly tls?: Tls;
  /** Addresses and networks of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[];
  readonly limits: RateLimits;
  /** Origins whose pages may call the interface from a browser: `https://shop.example`, or `*`; none if undefined. */
  readonly cors?: readonly string[];
  /** Maximum bytes of bodies held at once, and of answers that are not small; 128 MiB of each if undefined. */
  readonly bytesInFlight?: number;
  /** Receives the lines of the request log; stderr if undefined. */
  readonly log?: { write(line: string): void };
}

export interface Server {
  /** Where it listens: `http://127.0.0.1:8080`; '' if it does not. */
  readonly url: string;
  /** Serves a connection that another process has accepted. */
  take(socket: Socket): void;
  metrics(): Promise<MetricValues>;
  /** Waits for requests in flight, then closes. New ones are answered 503 meanwhile. */
  stop(): Promise<void>;
}

/** Eight of the largest batches of products, or hundreds of usual ones. */
const defaultBytesInFlight = 128 * 1024 * 1024;

/** Bytes of cached responses to reads: some 15,000 products. */
const bytesOfAnswers = 32 * 1024 * 1024;

const onlyOne = () => ({ wanted: 1, serving: 1 });

/** Milliseconds for requests in flight when the server is stopping. */
const drainTime = 25_000;

/** Serves a catalog until it is stopped. Throws if it cannot listen on the address. */
export async function serveCatalog(served: Served, options: ServerOptions): Promise<Server> {
  const { catalog, keys, importBatch } = served;
  const bodies = byteBudget(options.bytesInFlight ?? defaultBytesInFlight);
  const answers = byteBudget(options.bytesInFlight ?? defaultBytesInFlight);
  const log = newRequestLog(options.log ?? stderrLines());
  const metrics = newMetrics({ bytesHeld: () => bodies.used() + answers.used(), linesDropped: log.dropped });
  const origins = crossOrigin(options.cors ?? []);
  const addressOf = clientAddresses(options.trustedProxies);
  const requests = trackRequests(metrics, log, { answers, origins, addressOf });
  const state = { stopping: false };
  const authorize = newAuthorize(keys, options.limits);
  const reading = { catalog, authorize, answers: answerCache(bytesOfAnswers) };
  const onFault: OnConnectionFault = (fault, status, address) => {
    metrics.connectionFailed(fault);
    log.write({ status, address, error: `connection_${fault}` });
  };
  const app = newApp(options.tls, { begin: requests.begin, onFault });
  app.addHook('onRequest', (request, reply, done) => {
    requests.begin(request, reply);
    const failure = unserved(request, state.stopping);
    if (failure === undefined) done();
    else if (request.method === 'OPTIONS' && failure.status === 405) tellMethods(request, reply, { failure, origins });
    else respondFailure(request, reply, failure);
  });
  serveResources(app, { ...reading, keys, importBatch, budget: bodies, imported: metrics.batchImported });
  serveHealth(app, catalog, { isStopping: () => state.stopping, workers: options.workers ?? onlyOne });
  serveDescription(app);
  const allTaken = trackArrivals(app.server);
  if (options.address === undefined) await app.ready().then(() => beginTaking(app.server));
  else await app.listen(options.address);
  return {
    url: options.address === undefined ? '' : urlOf(app.server.address() as AddressInfo, options.tls !== undefined),
    take: (socket) => takeConnection(app.server, socket),
    metrics: metrics.values,
    async stop() {
      // Requests that have been sent already are served, not refused.
      await allTaken();
      state.stopping = true;
      const deadline = performance.now() + drainTime;
      while (requests.inFlight() > 0 && performance.now() < deadline) await sleep(10);
      // Idle and slow connections are not waited for.
      const late = setTimeout(() => app.server.closeAllConnections(), 1000);
      await app.close();
      if (options.address === undefined) await endTaking(app.server);
      clearTimeout(late);
      await log.flush();
    },
  };
}

/** What a request meets outside its route. */
interface AppContext {
  readonly begin: (request: FastifyRequest, reply: FastifyReply) => void;
  readonly onFault: OnConnectionFault;
}

/** Fastify without its own error responses: bodies arrive as streams, and every error gets our envelope. */
function newApp(tls: Tls | undefined, { begin, onFault }: AppContext): FastifyInstance {
  const app = fastify({
    logger: false,
    return503OnClosing: false,
    genReqId: requestIdOf,
    rewriteUrl: originForm,
    routerOptions: { querystringParser: () => ({}) },
    serverFactory: (listener) => newHttpServer(listener, tls, onFault),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, onFault),
    // An address that cannot be decoded; no hook is called for it.
    frameworkErrors: (_error, request, reply) => refuseAddress(request, reply),
  });
  function refuseAddress(request: FastifyRequest, reply: FastifyReply): void {
    begin(request, reply);
    respondFailure(request, reply, malformedRequest(request.raw) ?? failures.route_not_found());
  }
  app.decorateRequest('address', '');
  app.decorateRequest('answers');
  app.decorateRequest('apiKey', null);
  app.decorateRequest('failure', '');
  app.decorateRequest('details', '');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  app.setNotFoundHandler((request, reply) => respondFailure(request, reply, failures.route_not_found()));
  app.setErrorHandler((thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    if (isForeignType(thrown)) respondFailure(request, reply, failures.unsupported_content_type());
    else respondThrown(request, reply, thrown);
  });
  return app;
}

/** A Content-Type that Fastify cannot parse. */
function isForeignType(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE';
}

/** Answers OPTIONS: the methods of the path, and what a page of another origin may send. */
function tellMethods(
  request: FastifyRequest,
  reply: FastifyReply,
  { failure, origins }: { readonly failure: Failure; readonly origins: CrossOrigin },
): void {
  const { headers = {} } = failure;
  origins.preflight(request, reply, headers['allow'] ?? '');
  reply.code(204).headers(headers).send();
}

/** The address of a server as a URL. */
export function urlOf({ address, family, port }: AddressInfo, isTls: boolean): string {
  return `${isTls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
