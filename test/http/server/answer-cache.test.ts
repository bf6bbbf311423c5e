// The cache of answers to reads: bounded in bytes, true after every change, and not for those who ask for everything once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerCache } from '../../../src/http/server/reads/answer-cache.js';

const answer = (body: string) => ({ body, etag: '"x"' });

describe('the cache of answers', () => {
  it('keeps an answer from its second request on, until anything changes', () => {
    const cache = answerCache(100_000);
    expect(cache.get('/a', 1)).toBeUndefined();
    cache.set('/a', 1, answer('1'));
    expect(cache.get('/a', 1)).toBeUndefined();
    cache.set('/a', 1, answer('1'));
    expect(cache.get('/a', 1)?.body).toBe('1');
    expect(cache.get('/a', 2)).toBeUndefined();
    expect(cache.size()).toBe(0);
  });

  it('does not keep an answer that was read before a change which another request has seen', () => {
    const cache = answerCache(100_000);
    cache.get('/a', 1);
    cache.set('/a', 1, answer('old'));
    cache.get('/b', 2);
    cache.set('/a', 1, answer('old'));
    expect(cache.get('/a', 2)).toBeUndefined();
  });

  it('keeps answers that are requested often, whatever else is requested', () => {
    const cache = answerCache(100_000);
    const ask = (target: string): boolean => {
      const isKnown = cache.get(target, 1) !== undefined;
      if (!isKnown) cache.set(target, 1, answer('x'.repeat(200)));
      return isKnown;
    };
    ask('/hot');
    ask('/hot');
    for (let i = 0; i < 5000; i++) {
      ask(`/cold-${i}`);
      ask(`/cold-${i}`);
      expect(ask('/hot'), `after ${i}`).toBe(true);
    }
    expect(ask('/cold-0')).toBe(false);
  });

  it('returns only the answer stored for this target and count, within its limit of bytes', () => {
    const most = 20_000;
    const step = fc.record({ target: fc.nat(40), length: fc.nat(400), isChange: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const cache = answerCache(most);
        let changes = 0;
        for (const { target, length, isChange } of steps) {
          if (isChange && length < 40) changes++;
          const name = `/${target}`;
          const known = cache.get(name, changes);
          const body = `${target} ${changes}`.padEnd(length);
          if (known === undefined) cache.set(name, changes, answer(body));
          else expect(known.body.trim()).toBe(`${target} ${changes}`);
          expect(cache.size()).toBeLessThanOrEqual(most);
        }
      }),
    );
  });

  it('keeps no answer that would fill a large part of it', () => {
    const cache = answerCache(100_000);
    for (let i = 0; i < 2; i++) {
      cache.get('/a', 1);
      cache.set('/a', 1, answer('x'.repeat(10_000)));
    }
    expect(cache.size()).toBe(0);
  });
});
