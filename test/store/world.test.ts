// Identifiers, whatever the clock and chance do.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idsFrom, loadLanguages } from '../../src/store/world.js';
import { resourceCalled } from '../given.js';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const suffix = fc.string({ unit: fc.constantFrom(...digits), minLength: 26, maxLength: 26 });

it('what is counted up from a drawn identifier is unique, in order and as long as the drawn one', () => {
  fc.assert(
    fc.property(suffix, fc.integer({ min: 2, max: 300 }), (drawn, count) => {
      let draws = 0;
      const newId = idsFrom(() => {
        draws++;
        // As time goes on the drawn ones grow, as those of a UUIDv7 do.
        return String(draws).padStart(10, '0') + drawn.slice(10);
      });
      const ids = Array.from({ length: count }, () => newId('prod_'));
      expect(new Set(ids).size).toBe(count);
      expect(ids).toEqual([...ids].sort());
      for (const id of ids) expect(id).toMatch(/^prod_[0-9a-hjkmnp-tv-z]{26}$/);
    }),
  );
});

it('the list of languages is loaded where a field is a language, and knows current codes only', async () => {
  const isLanguage = await loadLanguages(resourceCalled('reviews').fields);
  expect(['deu', 'eng', 'fra', 'xxx', 'de', 'DEU', ''].filter(isLanguage)).toEqual(['deu', 'eng', 'fra']);
  const nowhere = await loadLanguages(resourceCalled('products').fields);
  expect(nowhere('deu')).toBe(false);
});
