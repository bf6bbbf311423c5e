// What is said of items that are made of several rows, and of their rows, where these are refused.
import { describe, expect, it } from 'vitest';
import { key, text } from '../../../src/core/fields/fields.js';
import { category, characteristic, product } from '../given.js';
import { readMapped } from './given.js';

describe('a cell of another row than the first of its item is named by its line', () => {
  const number = /^column "p": "x" is not a number/;
  const fields = 'fields: { sku: sku, price: p, name: n }';
  // Its rows make one record, which any of them may name.
  const slugged = { ...product, slug: text('its address') };

  it.each([
    ['rows', 'sku,p,n\nA,1,a\nA,x,a\nB,2,b\n', /^line 3: column "p": "x" is not a number/],
    ['rows', 'sku,p,n\nA,x,a\nA,1,a\nB,2,b\n', number],
    ['once', 'sku,p,n\nA,1,a\nB,2,b\nA,x,a\n', /^line 4: column "p": "x" is not a number/],
    ['once', 'sku,p,n\nA,x,a\nB,2,b\nA,1,a\n', number],
  ])('%s: %j', async (word, feed, message) => {
    const how = word === 'rows' ? 'rows: sku' : 'once: merge';
    const { problems, lines, items } = await readMapped(`${how}\n${fields}`, feed, { fields: slugged, raws: true });
    expect(problems).toEqual([expect.objectContaining({ externalId: 'A', message: expect.stringMatching(message) })]);
    expect(lines[items.indexOf('!field_format')]).toBe(2);
  });

  it('each of several cells by its own', async () => {
    const { problems } = await readMapped(`rows: sku\n${fields}`, 'sku,p,n\nA,1,a\nA,x,a\nA,y,a\n');
    expect(problems[0]?.message).toMatch(/^line 3: column "p": "x" .*; also price: line 4: column "p": "y"/);
  });

  it('by the number of its record, where all are on one line', async () => {
    const records = JSON.stringify([
      { sku: 'A', p: '1', n: 'a' },
      { sku: 'A', p: 'x', n: 'a' },
    ]);
    const { problems } = await readMapped(`rows: sku\n${fields}`, records, { name: 'feed.json' });
    expect(problems[0]?.message).toMatch(/^record 2: column "p"/);
  });

  it('once, where groups are merged', async () => {
    const feed = 'sku,p,n\nA,1,a\nB,2,b\nA,1,a\nA,x,a\n';
    const { problems } = await readMapped(`rows: sku\nonce: merge\n${fields}`, feed, { fields: slugged });
    expect(problems[0]?.message).toMatch(/^line 5: column "p"/);
  });

  it('an entry of a list', async () => {
    const grades = 'rows: sku\nfields: { sku: sku, grades: { entry: { grade: g, price: p } } }';
    const { problems } = await readMapped(grades, 'sku,g,p\nA,new,1\nA,good,x\n');
    expect(problems[0]?.message).toMatch(/^line 3: column "p"/);
  });
});

describe('a refused row of once: merge comes back with what it adds', () => {
  const back = async (map: string, feed: string, fields: typeof category) => {
    const { raws, items } = await readMapped(`once: merge\n${map}`, feed, {
      fields: { ...fields, name: key('the key', { anyCase: true }) },
      raws: true,
    });
    return JSON.parse(raws[items.findIndex((item) => typeof item === 'string')] ?? '{}');
  };

  it('its key, as the first row writes it, where its case differs', async () => {
    const map = 'fields: { name: n, kind: k, values: { entry: { label: { column: v, map: { S: S } } } } }';
    const item = await back(map, 'n,k,v\nSize,custom,S\nsize,Custom,M\n', characteristic);
    expect(item).toMatchObject({ name: 'Size', kind: 'custom', _unread: 'values[].label' });
  });

  it('not what another row sets otherwise', async () => {
    const map = 'fields: { name: n, parent: up, reference: { column: r, map: { a: a } } }';
    const item = await back(map, 'n,up,r\nTea,Drinks,a\nTEA,Food,b\n', category);
    expect(item).toEqual({ name: 'Tea', _unread: 'reference', _lines: [3] });
  });
});
