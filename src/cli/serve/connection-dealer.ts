// Accepts the connections of a `serve` with several workers, and hands each to the worker that waits longest for one. Not
// by node:cluster: a connection that it handed to a worker that dies before taking it stays open in this process for ever,
// the listening socket is gone with the last worker, and connections that were handed over while workers end are lost.
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { trackArrivals } from '../../http/server/arrivals.js';
import { connectionMessage } from './worker-messages.js';

/** Milliseconds for which a connection waits where no worker is free; as long as a client may take for its header. */
const longestWait = 10_000;

export interface ConnectionDealer {
  /** Where it listens. */
  readonly address: AddressInfo;
  /** The worker is ready for a connection: it has started, or taken the one before. */
  ready(worker: Worker): void;
  /** The worker has died. */
  remove(worker: Worker): void;
  /** Accepts no more connections, and resolves once workers have taken all that were accepted. */
  close(): Promise<void>;
}

/** Listens. Throws if it cannot. */
export async function dealConnections(host: string, port: number): Promise<ConnectionDealer> {
  const free = new Set<Worker>();
  const waiting = new Set<Socket>();
  // Kept open until the worker has taken it: one that dies before leaves it to another.
  const handedOver = new Map<Worker, Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    waiting.add(socket);
    socket.on('error', () => socket.destroy());
    socket.setTimeout(longestWait, () => socket.destroy());
    socket.once('close', () => waiting.delete(socket));
    deal();
  });

  function deal(): void {
    const [worker] = free;
    const [socket] = waiting;
    if (worker === undefined || socket === undefined) return;
    free.delete(worker);
    waiting.delete(socket);
    handedOver.set(worker, socket);
    // A worker that is gone is removed by its exit.
    worker.send(connectionMessage, socket, { keepOpen: true }, () => {});
    deal();
  }

  function remove(worker: Worker): Socket | undefined {
    free.delete(worker);
    const socket = handedOver.get(worker);
    handedOver.delete(worker);
    return socket;
  }

  const allTaken = trackArrivals(server);
  server.listen({ host, port });
  await once(server, 'listening');
  return {
    address: server.address() as AddressInfo,
    ready(worker) {
      // Closes it here only.
      remove(worker)?.destroy();
      free.add(worker);
      deal();
    },
    remove(worker) {
      const socket = remove(worker);
      if (socket !== undefined && !socket.destroyed) waiting.add(socket);
      deal();
    },
    async close() {
      await allTaken();
      server.close();
      const deadline = performance.now() + longestWait;
      while (handedOver.size > 0 && performance.now() < deadline) await sleep(10);
      for (const socket of [...waiting, ...handedOver.values()]) socket.destroy();
    },
  };
}
