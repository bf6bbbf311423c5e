// What a header says by its words: of amounts, and which field it names.
import { describe, expect, it } from 'vitest';
import { stemsOf } from '../../../../src/source/mapping/suggest/header-stems.js';
import {
  articleTier,
  codeTier,
  idTier,
  isNumberOfOther,
  moneyRole,
  namesOther,
  onlyStem,
  saysMore,
  saysOnly,
  shareWord,
  tierOf,
} from '../../../../src/source/mapping/suggest/read-header.js';

describe('what a header says of amounts', () => {
  it.each([
    ['Verkaufspreis', 'price'],
    ['Average price', 'other'],
    ['MwSt-Betrag', 'other'],
    ['MwSt', 'other'],
    ['Rating', 'other'],
    ['Artikelnummer', 'other'],
    ['Bestand', 'other'],
    ['Inhalt in %', 'other'],
    ['Preis in % vom VK', 'price'],
    ['Preis (kg)', 'per'],
    ['Preis je 100', 'per'],
    ['Цена за литр', 'per'],
    ['Grundpreis', 'per'],
    ['Preis ab 01.02.2026', 'price'],
    ['Farbe', undefined],
  ])('%s: %s', (header, role) => {
    expect(moneyRole(header)).toBe(role);
  });
});

describe('how plainly a header names a key', () => {
  it.each([
    ['SKU', 0],
    ['Varenr', articleTier],
    ['Unsere Artikelnr', articleTier],
    ['Material', articleTier],
    ['Pack code', codeTier],
    ['Seller SKU', idTier],
    ["Manufacturer's SKU", idTier],
    ['Manufacturer', -1],
    ['Kundennr', -1],
  ])('%s: %i', (header, tier) => {
    expect(tierOf(header, 'sku')).toBe(tier);
  });
});

describe('how plainly a header names a stock', () => {
  it.each([
    ['Bestand', 0],
    ['Bestand Kartons', 0],
    ['Stock [cartons]', 0],
    ['Menge [Kartons]', 1],
    ['Carton qty', -1],
    ['Qty per piece', -1],
    ['Seller SKU', -1],
    ['En stock ?', -1],
  ])('%s: %i', (header, tier) => {
    expect(tierOf(header, 'stock')).toBe(tier);
  });
});

describe('a number of something else than a product', () => {
  it.each(['Ihre Kundennummer', 'Order ID', 'Group numbers', 'Voucher code'])('is %s', (header) => {
    expect(isNumberOfOther(header)).toBe(true);
  });

  it.each(['SKU', 'Artikelnummer', 'Kodenummer', 'Artcode', 'Full code', 'Item code'])('is not %s', (header) => {
    expect(isNumberOfOther(header)).toBe(false);
  });
});

describe('words of something else than the field', () => {
  it.each([
    ['En stock ?', 'stock'],
    ['Min stock', 'stock'],
    ['Cartons qty', 'stock'],
    ['Category name', 'name'],
  ])('are in %s for the %s', (header, field) => {
    expect(namesOther(header, field)).toBe(true);
  });

  it.each([
    ['Carton name', 'name'],
    ['Stock', 'stock'],
  ])('are not in %s for the %s', (header, field) => {
    expect(namesOther(header, field)).toBe(false);
  });
});

it('a header says more than a name by words next to it', () => {
  expect(['Internal name', 'Product name', 'Name'].map((header) => saysMore(header, 'name'))).toEqual([
    true,
    false,
    false,
  ]);
});

it('a header says only what its words and those of products, prices and short ones say', () => {
  const headers = ['Währung', 'Währung im Artikel', 'Währung VK', 'Währung der Bank'];
  expect(headers.map((header) => saysOnly(header, stemsOf('währung')))).toEqual([true, true, true, false]);
});

it('a header is one stem next to words of products and short ones, the longest that it has', () => {
  const stems = stemsOf('active inactive');
  expect(['Is active', 'Item inactive', 'Active buyer', 'Is'].map((header) => onlyStem(header, stems))).toEqual([
    ...['active', 'inactive', undefined, undefined],
  ]);
});

it('two headers share a word where one of theirs is the same', () => {
  expect([shareWord('Net price', 'Price'), shareWord('Net price', 'Stock')]).toEqual([true, false]);
});
