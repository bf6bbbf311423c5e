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
