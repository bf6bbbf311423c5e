// The words of a header, and whether it has one of the given stems.
import { expect, it } from 'vitest';
import { hasAny, stemsOf, withoutAccents, wordsOf } from '../../../../src/source/mapping/suggest/header-stems.js';

it.each([
  ['Brutto-VK', ['brutto', 'vk']],
  ['grossPrice', ['gross', 'price']],
  ['EANCode', ['ean', 'code']],
  ['Item #', ['item', 'no']],
  ['P.V.P.', ['pvp']],
  ['offers[minQuantity=1].price', ['offers', 'price']],
  ['offers[active=true].price', ['offers', 'price']],
  ['offers[active=false].price', ['offers', 'price']],
  ['Prix d’achat', ['prix', 'd’achat']],
  ['PREÇO', ['preço']],
  ['Τιμή', ['τιμη']],
])('the words of %s are %j', (header, words) => expect(wordsOf(header)).toEqual(words));

it('stems are separated by spaces, and lists of them by bars', () => {
  expect(stemsOf('preço =cent | list_price')).toEqual(['preço', '=cent', 'list_price']);
});

it.each([
  ['preço', 'preco'],
  ['ár', 'ar'],
  ['재고', '재고'],
])('%s without accents is %s', (word, plain) => expect(withoutAccents(word)).toBe(plain));

it.each([
  ['port', 'Port', true],
  ['port', 'Portokosten', true],
  ['port', 'Transport', true],
  ['port', 'Transportart', false],
  ['ean', 'EAN', true],
  ['ean', 'European', false],
  ['=cent', 'Cent', true],
  ['=cent', 'Center', false],
  ['list_price', 'List price', true],
  ['list_price', 'Price list', false],
  ['価格', '販売価格表', true],
  ['=価格', '価格', true],
  ['=価格', '販売価格', false],
  ['preço', 'Preco', true],
  ['preço', 'Preço', true],
  ['ціна', 'Ціна', true],
  ['prêt', 'Pret', false],
  ['prêt', 'Prêt', true],
  ['ár', 'AR', false],
  ['ár', 'Ár', true],
])('the stem %s, in %s: %s', (stem, header, is) => expect(hasAny(wordsOf(header), stemsOf(stem))).toBe(is));
