// Every cache is bounded in bytes: what is remembered from one item to the next may not grow with what items hold.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textCache } from '../src/core/text/text-cache.js';
import { answerCache } from '../src/http/server/reads/answer-cache.js';
import { collected } from './collected.js';

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** Maps and sets that outlive a call, at the top of a module: each with what bounds it. */
const known: Readonly<Record<string, string>> = {
  'cli/options.ts examplesByCommand': 'by the commands of the program; weak',
  'cli/shared-options.ts repeatable': 'by the options of the program; weak',
  'cli/shared-options.ts written': 'by the options of the program; weak',
  'cli/remote.ts piped': 'by the pipes that the options of the program name',
  'core/ledger/feed-offer.ts noOffer': 'nothing is ever added to it',
  'core/planning/ranking/rank-item.ts noOffer': 'nothing is ever added to it',
  'core/planning/ranking/rank-item.ts noOffers': 'nothing is ever added to it',
  'core/planning/ranking/field-contest.ts known': 'by the resources and fields of the program; weak',
  'core/fields/check-item.ts known': 'by the field lists of the program; weak',
  'core/planning/recognition/fingerprint.ts layouts': 'by the field lists of the program; weak',
  'core/reading/export-item.ts known': 'by the resources of the program; weak',
  'core/rows/column-reader.ts readers': 'by the columns of the tables of the program',
  'store/sqlite/rows/layout.ts known': 'by the tables of the program; weak',
  'store/postgres/copy-text.ts takers': 'by the tables of the program; weak',
  'store/postgres/load-rows.ts makers': 'by the tables of the program; weak',
  'store/postgres/save-rows.ts keyColumns': 'by the tables of the program; weak',
  'http/server/http-server.ts refused': 'by the connections that are open; weak',
  'http/server/http-server.ts taken': 'by the connections that are open; weak',
  'store/sqlite/database.ts copies': 'by the databases that are open; weak',
  'store/sqlite/migrate.ts ownObjects': 'by the versions of the tables',
  'source/mapping/values/parse-number.ts seenWords':
    '1,000 entries, each up to the words that an amount may have beside it',
  'source/mapping/suggest/header-stems.ts indexes': 'by the lists of the program; weak',
  'source/mapping/repeated-segments.ts none': 'nothing is ever added to it',
  'source/inspection/value-counts.ts nothing': 'nothing is ever added to it',
  'source/mapping/values/parse-date.ts clocks': 'by the zones that a mapping names',
  'source/mapping/values/parse-date.ts offsets': '20,000 entries of a zone and a number',
};

describe('caches', () => {
  it('at module level are listed here, with their bounds', () => {
    const found = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => {
        const code = readFileSync(`${source}${path}`, 'utf8');
        // What is filled where it is made (a constant table) does not grow.
        const made = code.matchAll(
          /^(?:export )?(?:const|let) (\w+)[^=\n]*= new (?:Weak)?(?:Map|Set)(?:<[^;]*>)?\(\);/gm,
        );
        return [...made].map(([, name]) => `${path} ${name}`);
      });
    expect(found.filter((cache) => known[cache] === undefined)).toEqual([]);
    expect(found.length).toBeGreaterThan(2);
  });

  it('of texts stay within their limit of characters, whatever is added', () => {
    const text = fc.tuple(fc.string({ maxLength: 3 }), fc.nat(300)).map(([word, times]) => word.repeat(times));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const cache = textCache<string>(2000);
        let held = 0;
        for (const key of texts) {
          const made = key.toUpperCase();
          if (cache.get(key) === undefined) cache.set(key, made);
          expect(cache.size()).toBeLessThanOrEqual(2000);
          const kept = cache.get(key);
          if (kept !== undefined) expect(kept).toBe(made);
          held = Math.max(held, cache.size());
        }
        expect(held).toBeLessThanOrEqual(2000);
      }),
    );
  });

  it('of responses stay within their limit of memory, whatever is requested', () => {
    const most = 8_000_000;
    const cache = answerCache(most);
    const before = collected().heapUsed;
    for (let i = 0; i < 40_000; i++) {
      const target = `/v1/product/import?sku=${i}`;
      for (let time = 0; time < 2; time++) {
        if (cache.get(target, 1) === undefined) cache.set(target, 1, { body: `${i}`.padEnd(2_000), etag: '"x"' });
      }
      if (i % 1000 === 0) expect(cache.size()).toBeLessThanOrEqual(most);
    }
    expect(cache.size()).toBeGreaterThan(most / 4);
    // All answers would be 80 MB.
    expect(collected().heapUsed - before).toBeLessThan(60_000_000);
    // Held until here, so that nothing of it is collected before.
    expect(cache.size()).toBeLessThanOrEqual(most);
  });
});
