// Characteristics of a suggestion that records have as names with values: amounts of money are none, since what the shop pays
// would be shown to its customers.
import { describe, expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** The lines `each` of the suggestion for three products with the given list. */
async function characteristics(names: Readonly<Record<string, readonly string[]>>) {
  const records = [0, 1, 2].map((i) => ({
    ...{ sku: `A-${i}`, name: ['Red cup', 'Blue pot', 'Tea tin'][i], price: `${i + 9}.50`, currency: 'EUR' },
    specs: Object.entries(names).map(([name, values]) => ({ name, value: values[i] })),
  }));
  const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
  return yaml.split('\n').filter((line) => /^\s*each:/.test(line));
}

describe('the characteristics', () => {
  it.each([
    ['Einkaufspreis', ['4.50', '5.50', '6.00']],
    ['Nákupní cena', ['100,00 Kč', '120,50 Kč', '99,90 Kč']],
    ['Cost', ['4.50', '5.50', '6.00']],
    ['Mindestpreis', ['4', '5', '6']],
  ])('have no %s', async (name, values) => {
    const [section, entry, ...more] = await characteristics({ Colour: ['red', 'blue', 'red'], [name]: values });
    expect(section).toContain(`{ of: $name, is: ["${name}"] }] }   # without amounts of money: ${name}`);
    expect(entry).toContain(`{ of: $name, is: ["${name}"] }] }`);
    expect(more).toEqual([]);
  });

  it.each([
    ['Special size', ['12', '14', '16']],
    ['Gross weight', ['1.25', '2.50', '3.75']],
    ['Purchase', ['in the shop', 'online', 'online']],
    ['Price range', ['low', 'high', 'low']],
  ])('have %s', async (name, values) => {
    const each = await characteristics({ Colour: ['red', 'blue', 'red'], [name]: values });
    expect(each).toHaveLength(2);
    expect(each.join()).not.toContain('$name, is:');
  });

  it('are none of lists with an entry that is null', async () => {
    const records = [0, 1].map((i) => ({ sku: `A-${i}`, specs: [{ name: 'Colour', value: 'red' }, null] }));
    const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
    expect(yaml).not.toContain('characteristics');
  });

  it('are none where there are only amounts', async () => {
    expect(await characteristics({ Cost: ['4.50', '5.50', '6.00'], 'Dealer price': ['7', '8', '9'] })).toEqual([]);
  });

  it('are no prices with a type', async () => {
    const item = (name: string, i: number) =>
      `<item no="A-${i}"><name>${name}</name><price type="EK">${i + 2},00</price><price type="VK">${i + 5},00</price></item>`;
    const { yaml } = await suggested(`<c>${['Cup', 'Pot', 'Tin'].map(item).join('')}</c>`, 'feed.xml');
    expect(yaml).toContain('  price: "price[@type=VK]"');
    expect(yaml).not.toContain('characteristics');
    expect(yaml).toContain('#   "price"   # ["2,00","5,00"]');
  });
});
