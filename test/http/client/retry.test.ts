// What is told where a client gives up.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newConcurrencyLimiter } from '../../../src/http/client/concurrency-limiter.js';
import { defaultRetryPolicy, retryWithBackoff } from '../../../src/http/client/retry.js';

it('an attempt that the end of the time cuts off does not hide why the ones before failed', async () => {
  const policy = { ...defaultRetryPolicy, base: 20, maxTime: 300 };
  let tries = 0;
  const attempt = async ({ within = 0 }: { readonly within?: number }) => {
    if (++tries < 3) return { again: 'could not be reached: the proxy closed the connection' };
    await sleep(within);
    return { again: 'gave no answer within 1 s' };
  };
  const ended = retryWithBackoff(
    attempt,
    policy,
    newConcurrencyLimiter(1, () => undefined),
    new AbortController().signal,
  );
  await expect(ended).rejects.toThrow(/^The remote could not be reached: the proxy closed the connection; gave up/);
});

it('all requests to a remote wait for as long as its answer of 429 asks for, not only the one that got it', async () => {
  const traffic = newConcurrencyLimiter(4, () => undefined);
  const { signal } = new AbortController();
  let tries = 0;
  const attempt = async () => (++tries === 1 ? { again: 'answered 429', after: 60, tooMany: true } : { done: true });
  const began = performance.now();
  const first = retryWithBackoff(attempt, { ...defaultRetryPolicy, base: 1 }, traffic, signal);
  await sleep(5);
  await traffic.run(async () => undefined, signal);
  expect(performance.now() - began).toBeGreaterThan(50);
  await expect(first).resolves.toEqual({ done: true });
});

it('the first attempt has ten seconds, even where all of them may take less, and later ones what is left', async () => {
  const given: number[] = [];
  const attempt = async ({ within = 0 }: { readonly within?: number }) => {
    given.push(Math.round(within / 100));
    return given.length === 3 ? { done: true } : { again: 'answered 503' };
  };
  const policy = { ...defaultRetryPolicy, base: 1, maxTime: 9000 };
  const traffic = newConcurrencyLimiter(1, () => undefined);
  await retryWithBackoff(attempt, policy, traffic, new AbortController().signal);
  expect(given[0]).toBe(100);
  for (const within of given.slice(1)) expect(within).toBeLessThanOrEqual(90);
});
