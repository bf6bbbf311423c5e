// Slow senders are not waited for.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowed } from '../../tier.js';
import { type GivenServer, givenServer } from './given-server.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

it('a connection that dribbles its header is closed within 15 s with 408, and a silent one is closed, too', async () => {
  const { port } = new URL(given.server.url);
  const outcomes = await Promise.all(
    ['GET /livez HTTP/1.1\r\nHost: x\r\n', ''].map(
      (start) =>
        new Promise<[string, number]>((resolve) => {
          const began = Date.now();
          let text = '';
          const socket = connect(Number(port), '127.0.0.1', () => socket.write(start));
          const drip = setInterval(() => start && socket.writable && socket.write('A: b\r\n'), 500);
          socket.on('data', (data) => {
            text += data;
          });
          socket.on('error', () => {});
          socket.on('close', () => {
            clearInterval(drip);
            resolve([text, Date.now() - began]);
          });
        }),
    ),
  );
  for (const [, took] of outcomes) expect(took).toBeLessThan(allowed(15_000));
  expect(outcomes[0]?.[0]).toMatch(/^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
});
