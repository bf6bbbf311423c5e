// The lists of the environment.
import { expect, it } from 'vitest';
import { loadLanguages } from '../../src/store/environment.js';
import { resourceCalled } from '../given.js';

it('the list of languages is loaded where a field is a language, and knows current codes only', async () => {
  const isLanguage = await loadLanguages(resourceCalled('reviews').fields);
  expect(['deu', 'eng', 'fra', 'xxx', 'de', 'DEU', ''].filter(isLanguage)).toEqual(['deu', 'eng', 'fra']);
  const nowhere = await loadLanguages(resourceCalled('products').fields);
  expect(nowhere('deu')).toBe(false);
});
