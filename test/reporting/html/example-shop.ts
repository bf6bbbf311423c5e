// A small shop and its next delivery, for pictures of reports: with the faults that feeds have.

const colours = ['Black', 'Silver', 'Midnight', 'Starlight', 'Blue', 'Green'];
const sizes = ['64', '128', '256', '512'];
const names = ['Nova Phone', 'Pulse Headset', 'Aero Cable', 'Zen Buds', 'Orbit Lamp', 'Slate Case'];
const categories = ['Phones', 'Audio', 'Cables'];
const count = 2_400;

/** The price factors of the next delivery; one in 23 is in cents. */
const factors: Readonly<Record<number, number>> = {
  1: 1.04,
  2: 0.96,
  3: 1.12,
  4: 0.85,
  5: 1.02,
  6: 0.98,
  7: 100,
  9: 1.07,
};

function faultsOf(i: number): { colour?: string; size?: string; price?: string; stock?: string; name?: string } {
  return {
    ...(i % 61 === 0 && { colour: 'Midnihgt' }),
    ...(i % 89 === 0 && { colour: 'Rose gold' }),
    ...(i % 101 === 0 && { size: '1024' }),
    ...(i % 73 === 0 && { price: '12,50' }),
    ...(i % 149 === 0 && { stock: 'many' }),
    ...(i % 113 === 0 && { name: 'A very long name '.repeat(12) }),
  };
}

function row(i: number, isNext: boolean): string {
  const price = (9 + ((i * 37) % 900) + 0.9) * (isNext ? (factors[i % 23] ?? 1) : 1);
  const stock = isNext && i % 11 === 0 ? 0 : ((i * 7) % 40) + (isNext && i % 13 === 0 ? 9 : 0);
  const right = {
    name: `${names[i % 6]} ${100 + (i % 900)}`,
    price: price.toFixed(2),
    stock: String(stock),
    colour: colours[i % 6] ?? '',
    size: sizes[i % 4] ?? '',
  };
  const { name, price: amount, stock: units, colour, size } = { ...right, ...faultsOf(i) };
  const category = `Electronics > ${i % 17 === 0 ? 'Laptops' : categories[i % 3]}`;
  const ean = i % 3 === 0 ? '' : `40${10_000_000_000 + i}`;
  const status = isNext && i % 19 === 0 ? 'suspended' : 'activated';
  const key = `NV-${String(i).padStart(5, '0')}`;
  return [key, name, 'EUR', amount, units, category, colour, size, ean, status, i % 5 ? `WH-${i % 9}` : ''].join(';');
}

const head = 'sku;name;currency;price;stock;category;attributes[Colour];attributes[Capacity];ean;status;warehouse';

function feed(rows: number, isNext: boolean): string {
  return `${[head, ...Array.from({ length: rows }, (_, i) => row(i + 1, isNext))].join('\n')}\n`;
}

const values = { hex: ['000000', 'c0c0c0', '191970', 'f8f9ec', '1e50d0', '2e8b57'] };

/** The files of the shop, by their names. */
export const exampleShop: Readonly<Record<string, string>> = {
  '1-characteristics.json': JSON.stringify([
    { kind: 'colour', values: colours.map((label, i) => ({ label, hex: values.hex[i] })) },
    { name: 'Capacity', unit: 'GB', values: sizes.map((label) => ({ label })) },
  ]),
  '2-categories.csv':
    'name,parent,position\nElectronics,,1\nPhones,Electronics,2\nLaptops,Electronics,x\nAudio,Electronics,4\nCables,Electronics,5\n',
  '3-products.csv': feed(count, false),
};

/** The next delivery of its products. */
export const nextDelivery = feed(count + 60, true);
