// Messages that say more or less by how much there is to say, or by what it is about.
import { expect, it } from 'vitest';
import { type MessageParams, messageText } from '../../../src/core/diagnostics/message-text.js';

const text = (code: Parameters<typeof messageText>[0], sent: string, params: MessageParams): string =>
  messageText(code, 'attributes[0].value', sent, params);

it.each([
  [[], '"Midnihgt" is not an active value of "Colour", which has none.'],
  [['Midnight'], '"Midnihgt" is not an active value of "Colour"; its only one is "Midnight".'],
  [['Red', 'Midnight'], '"Midnihgt" is not an active value of "Colour". Did you mean "Midnight"? (2 values)'],
  [['Red', 'Blue'], '"Midnihgt" is not an active value of "Colour". (2 values)'],
])('of the active values %j', (allowed, shown) => {
  const params = { name: 'Colour', allowed, sent: 'Midnihgt' };
  expect(text('attribute_value_not_listed', 'Midnihgt', params)).toBe(shown);
});

it.each([
  [['price'], 'price'],
  [['a', 'b', 'c', 'd', 'e'], 'a, b, c, d, e'],
  [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d, e and 1 more'],
])('of the changed fields %j', (fields, shown) => {
  expect(text('changed_since_plan', 'A', { how: 'changed', fields })).toBe(
    `"A" changed since the plan was made (${shown}). It was left out.`,
  );
});

it.each([
  ['field_format', { form: 'identifier', word: 'file', prefix: 'file_' }, 'an identifier such as file_7x2k'],
  ['field_format', { form: 'new identifier', word: 'file', prefix: 'file_' }, 'file_ and 1 to 64 of A-Z a-z 0-9 _ -'],
  ['field_format', { form: 'identifier', word: 'file', prefix: '' }, '1 to 190 bytes without white space'],
] as const)('%s of %j', (code, params, use) => {
  expect(text(code, 'x y', params)).toBe(`"x y" is not an identifier of a file. Use ${use}.`);
});

it.each([
  ['field_required', {}, 'attributes[0].value is required.'],
  ['field_required', { unless: 'kind colour' }, 'attributes[0].value is required for every kind but colour.'],
  ['slug_adjusted', { isTaken: 'yes', kept: 'a-2' }, '"a" is taken; "a-2" is used instead.'],
  ['slug_adjusted', { isTaken: 'no', kept: 'a-2' }, '"a" is not a valid slug; "a-2" is used instead.'],
] as const)('%s with %j', (code, params, shown) => {
  expect(text(code, 'a', params)).toBe(shown);
});

it.each([
  [2, ''],
  [3, ' and more'],
])('of %i ignored members the names that there are', (count, more) => {
  expect(messageText('field_ignored', '', undefined, { count, names: ['a', 'b'] })).toBe(
    `${count} members are not fields that can be written here; they were ignored: "a", "b"${more}.`,
  );
});

it.each([
  [29, ' (29 of them are known)'],
  [30, ''],
])('of %i known days before a reduction', (days, more) => {
  expect(text('compare_above_lowest', '99.00', { lowest: '79.00', days })).toBe(
    `"99.00" is above 79.00, the lowest price of the 30 days before the reduction${more}.`,
  );
});
