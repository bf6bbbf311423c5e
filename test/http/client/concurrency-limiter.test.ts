// How many requests are under way at once after answers of 429, and when the next begins after a pause.
import { expect, it } from 'vitest';
import { newConcurrencyLimiter } from '../../../src/http/client/concurrency-limiter.js';

const { signal } = new AbortController();

/** How many requests a limiter has under way where there are more. */
async function widthOf(limiter: ReturnType<typeof newConcurrencyLimiter>): Promise<number> {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = Array.from({ length: 20 }, () => limiter.run(() => gate, signal));
  const { inFlight } = limiter.state();
  open();
  await Promise.all(running);
  return inFlight;
}

it('is halved once by the answers to a burst, is never nothing, and grows by one after eight successes', async () => {
  const limiter = newConcurrencyLimiter(8, () => undefined);
  const sent = performance.now();
  limiter.reduce(sent);
  for (let i = 0; i < 7; i++) limiter.reduce(sent);
  expect(await widthOf(limiter)).toBe(4);
  for (let i = 0; i < 5; i++) limiter.reduce(performance.now() + 1);
  expect(await widthOf(limiter)).toBe(1);
  for (let i = 0; i < 7; i++) limiter.succeeded();
  expect(await widthOf(limiter)).toBe(1);
  limiter.succeeded();
  expect(await widthOf(limiter)).toBe(2);
  for (let i = 0; i < 200; i++) limiter.succeeded();
  expect(await widthOf(limiter)).toBe(8);
});

it('a shorter pause does not end a longer one', async () => {
  const limiter = newConcurrencyLimiter(8, () => undefined);
  const began = performance.now();
  limiter.pauseAll(60);
  limiter.pauseAll(1);
  await limiter.run(async () => undefined, signal);
  expect(performance.now() - began).toBeGreaterThan(55);
});
