// A server in between that delays requests by a whole round trip, in order, and as many at once as are sent. Answers pass at once:
// a timer knows no half of a millisecond.
import { connect, createServer, type Socket } from 'node:net';

export interface DelayingProxy {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Listens on loopback, before a server there.
 * @param roundTrip whole milliseconds that an answer takes longer
 */
export function delayingProxy(port: number, roundTrip: number): Promise<DelayingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const behind = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.add(client).add(behind);
    client.on('data', (bytes) =>
      roundTrip === 0 ? behind.write(bytes) : setTimeout(() => behind.write(bytes), roundTrip),
    );
    client.on('end', () => setTimeout(() => behind.end(), roundTrip));
    client.on('error', () => behind.destroy());
    behind.on('error', () => client.destroy()).pipe(client);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
      resolve({
        port: address.port,
        close() {
          for (const socket of sockets) socket.destroy();
          return new Promise((closed) => server.close(() => closed()));
        },
      });
    });
  });
}
