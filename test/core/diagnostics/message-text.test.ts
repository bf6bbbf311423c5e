// Messages that say more or less by how much there is to say.
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
