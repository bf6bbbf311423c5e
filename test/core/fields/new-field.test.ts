// What a new field needs beyond its declaration and its column: a test for each place where nothing else would tell.
import { describe, expect, it } from 'vitest';
import { templateExamples } from '../../../src/cli/template/template-examples.js';
import { resources } from '../../../src/core/resources/index.js';
import words from '../../../src/source/mapping/suggest/header-words.json' with { type: 'json' };

const named = new Set([...Object.keys(words.words), ...Object.keys(words.fields), 'price', 'price_compare']);

/** Fields that files of other programs have under their own name or not at all, so that `inspect` needs no words for them. */
const withoutWords = new Set(
  (
    'attributes badge brand created_at customer_external_id grades group image lang media note order_external_id ' +
    'order_item_external_id product_sku scope scope_ident seo_image status text warranty'
  ).split(' '),
);

/** Fields that need a record of the shop, or several of the catalog. */
const withoutExample = new Set(
  (
    'attributes brand category external_id grades group image media order_external_id order_item_external_id scope_ident ' +
    'seo_image warranty'
  ).split(' '),
);

describe.each(resources)('$command', ({ command, fields }) => {
  it('each field has the words of a header by which inspect finds it (suggest/header-words.json), or needs none', () => {
    const lacking = Object.keys(fields).filter((name) => !named.has(name) && !withoutWords.has(name));
    expect(lacking).toEqual([]);
  });

  it('each field has an example (template-examples.ts), or can have none', () => {
    const example = templateExamples[command] ?? {};
    const lacking = Object.keys(fields).filter((name) => !(name in example) && !withoutExample.has(name));
    expect(lacking).toEqual([]);
  });
});

it('the lists of exceptions name fields only', () => {
  const all = new Set(resources.flatMap(({ fields }) => Object.keys(fields)));
  expect([...withoutWords, ...withoutExample].filter((name) => !all.has(name))).toEqual([]);
});
