// P7: no bytes sent to the server produce a 5xx.
import { expect, it } from 'vitest';
import { seedOf } from '../../random.js';
import { repetitions } from '../../tier.js';
import { fuzz } from './fuzz.js';
import { givenServer } from './given-server.js';

const count = repetitions('FUZZ_BODIES', { fast: 800, moderate: 800, full: 50_000 });
const seed = seedOf('FUZZ_SEED');

it(
  `no bytes sent to the server produce a 5xx, and every answer is one that /openapi.json tells (P7): ${count} bodies, seed ${seed}`,
  async () => {
    const given = await givenServer();
    const statuses = await fuzz(given, count, seed);
    await given.stop();
    // The bodies reach the rules, and the refusals of the envelope, too: 4 of 9 mutations and 2 of 22 envelopes are refused,
    // so half of the bodies are accepted, give or take a few.
    expect(statuses.get(200) ?? 0).toBeGreaterThan(count * 0.4);
    expect(statuses.get(400) ?? 0).toBeGreaterThan(count / 50);
  },
  900_000 + count * 10,
);
