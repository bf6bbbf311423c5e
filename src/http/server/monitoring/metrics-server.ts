// Serves /metrics on a port of its own, on the loopback address only: metrics are not for clients, and a scrape does not
// count against the limits of the catalog's port.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unexpectedQuery } from '../reads/query-selector.js';
import { type MetricValues, metricsText, metricsType } from './metrics.js';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the metrics of one or several processes.
 * @param read the latest values, one entry for each process
 */
export async function serveMetrics(port: number, read: () => Promise<readonly MetricValues[]>): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    const [path, ...query] = (request.url ?? '').split('?');
    const isFound = request.method === 'GET' && path === '/metrics';
    const unexpected = unexpectedQuery(query.join('?'));
    try {
      if (!isFound) response.writeHead(404, { 'content-type': metricsType }).end('GET /metrics\n');
      else if (unexpected !== undefined)
        response.writeHead(unexpected.status, { 'content-type': metricsType }).end(`${unexpected.message}\n`);
      else {
        const text = await metricsText(await read());
        response.writeHead(200, { 'content-type': metricsType }).end(text);
      }
    } catch (error) {
      response.writeHead(500, { 'content-type': metricsType }).end(`${String(error)}\n`);
    }
  });
  await listen(server, port);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}
