// A PostgreSQL server of a test's own, to be stopped, killed and started again; and a way to it that can be cut.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.js';
import { until } from '../until.js';
import { copyOf, initialize, start, stop } from './server-files.js';

export interface OwnServer {
  readonly port: number;
  /** Its first process, whose children serve connections. */
  pid(): number;
  /** The address of its catalog. */
  readonly address: string;
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  stop(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** Makes a server and starts it. */
export async function newOwnServer(settings: readonly string[] = []): Promise<OwnServer> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-own-postgres-'));
  chmodSync(folder, 0o755);
  const files = initialize(join(folder, 'server'));
  if ('missing' in files) throw new Error(files.missing);
  const port = await freePort();
  const address = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let pid = await start(files, port, settings);
  return {
    port,
    pid: () => pid,
    address,
    async query(sql) {
      const client = new pg.Client(address);
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    stop: (signal) => stop(pid, signal),
    async start() {
      pid = await start(files, port, settings);
    },
    async remove() {
      await stop(pid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A primary server and its synchronous standby. */
export interface ServerPair {
  /** The address of the catalog, with both hosts. */
  readonly address: string;
  /** That of the standby alone. */
  readonly standby: string;
  /** Kills the primary and makes the standby the primary. */
  failOver(): Promise<void>;
  /** Asks the server that is the primary now. */
  query(sql: string): Promise<readonly Record<string, unknown>[]>;
  remove(): Promise<void>;
}

/** Makes a primary server that waits with each commit for its standby. */
export async function newServerPair(): Promise<ServerPair> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-pair-postgres-'));
  chmodSync(folder, 0o755);
  const primary = initialize(join(folder, 'primary'));
  if ('missing' in primary) throw new Error(primary.missing);
  const standby = copyOf(primary, join(folder, 'standby'));
  const ports = [await freePort(), await freePort()] as const;
  const address = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;
  let pid = await start(primary, ports[0], ['synchronous_standby_names=*']);
  const upstream = `primary_conninfo=host=127.0.0.1 port=${ports[0]} user=postgres application_name=standby`;
  const standbyPid = await start(standby, ports[1], [upstream]);
  let now = ports[0];
  async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
    const client = new pg.Client(address(now));
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
  const following = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'";
  await until('the standby to follow', async () => (await query(following)).length > 0);
  return {
    address: `postgres://postgres@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/postgres`,
    standby: address(ports[1]),
    async failOver() {
      await stop(pid, 'SIGKILL');
      now = ports[1];
      await query('SELECT pg_promote()');
    },
    query,
    async remove() {
      // One that was killed has left memory of the machine behind, which the next start of its files takes back.
      if (now === ports[1]) pid = await start(primary, ports[0]);
      await stop(pid, 'SIGQUIT');
      await stop(standbyPid, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A relay in front of a server. */
export interface Relay {
  readonly address: string;
  /** Called with each piece that a client sends; true cuts the connection once the server has it, before it can answer. */
  cutsAfter: (piece: Buffer) => boolean;
  /** How many connections it cut. */
  cuts(): number;
  close(): void;
}

/** Relays to a port of this machine. */
export async function newRelay(to: number, addressOf: (port: number) => string): Promise<Relay> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1');
    sockets.add(client).add(upstream);
    let isCut = false;
    client.on('data', (piece) => {
      if (!isCut && relay.cutsAfter(piece as Buffer)) {
        isCut = true;
        cuts++;
        // The server is to have all of it, and the client no answer.
        upstream.removeAllListeners('data');
        upstream.write(piece as Buffer, () => client.destroy());
        setTimeout(() => upstream.destroy(), 500);
      } else upstream.write(piece as Buffer);
    });
    upstream.on('data', (piece) => client.write(piece));
    client.on('error', () => undefined).on('close', () => isCut || upstream.destroy());
    upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const bound = server.address();
  const relay: Relay = {
    address: addressOf(typeof bound === 'object' && bound !== null ? bound.port : 0),
    cutsAfter: () => false,
    cuts: () => cuts,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return relay;
}
