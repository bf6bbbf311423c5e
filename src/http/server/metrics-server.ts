// /metrics, on a port of its own that only this machine reaches: numbers are nobody else's business, and no scrape
// competes with the catalog's limits.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { metricsText, type Series } from './metrics.js';

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Serves the counts of one or several processes on the loopback address.
 * @param read the latest counts, one entry a process
 */
export async function serveMetrics(port: number, read: () => readonly Series[]): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const found = request.method === 'GET' && request.url === '/metrics';
    response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
    response.end(found ? metricsText(read()) : 'GET /metrics\n');
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
