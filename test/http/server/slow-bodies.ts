// Large legal bodies for each endpoint, made to be slow: long lists, many unknown members, long texts, deep chains. Each
// is told how many bytes to be.

/** A body of a given length. */
export interface SlowBody {
  readonly name: string;
  readonly path: string;
  readonly make: (bytes: number) => string;
}

/** `head`, then `entry(i)` again and again, then `tail`: about so many bytes. */
function repeated(bytes: number, head: string, entry: (i: number) => string, tail: string): string {
  const parts: string[] = [];
  for (let length = head.length + tail.length, i = 0; length < bytes; i++) {
    const part = entry(i);
    parts.push(part);
    length += part.length + 1;
  }
  return `${head}${parts.join(',')}${tail}`;
}

/** One item of a resource with a list that is made long. */
const longList = (start: string, list: string, entry: (i: number) => string) => (bytes: number) =>
  repeated(bytes, `{"dry_run":true,"items":[{${start},"${list}":[`, entry, ']}]}');

/** One item with as many unknown members as fit. */
const unknownMembers = (start: string) => (bytes: number) =>
  repeated(bytes, `{"dry_run":true,"items":[{${start},`, (i) => `"u${i}":${i}`, '}]}');

/** One item with a text as long as fits. */
const longText = (start: string, field: string, character: string) => (bytes: number) =>
  `{"dry_run":true,"items":[{${start},"${field}":"${character.repeat(bytes / Buffer.byteLength(character))}"}]}`;

/** As many items as the endpoint takes, each with a share of the bytes in a list. */
const everyItem = (count: number, item: (i: number, bytes: number) => string) => (bytes: number) =>
  `{"dry_run":true,"items":[${Array.from({ length: count }, (_, i) => item(i, bytes / count)).join(',')}]}`;

const path = (name: string): string => `/v1/${name}/import`;

const product = '"sku":"slow","currency":"EUR"';
const review = '"external_id":"slow","customer_external_id":"c","product_sku":"s","rating":5';

function bodiesOf(name: string, start: string, makers: Readonly<Record<string, SlowBody['make']>>): SlowBody[] {
  const all = { ...makers, 'unknown members': unknownMembers(start), 'a long name of a member': longMember(start) };
  return Object.entries(all).map(([what, make]) => ({ name: `${name}: ${what}`, path: path(name), make }));
}

const longMember = (start: string) => (bytes: number) =>
  `{"dry_run":true,"items":[{${start},"${'m'.repeat(bytes)}":1}]}`;

/** Every body there is. */
export const slowBodies: readonly SlowBody[] = [
  ...bodiesOf('attribute', '"name":"slow"', {
    'empty values': longList('"name":"slow"', 'values', () => '{}'),
    'values with one label': longList('"name":"slow"', 'values', () => '{"label":"x"}'),
    'values with other labels': longList('"name":"slow"', 'values', (i) => `{"label":"label ${i}"}`),
    'items with empty values': everyItem(25, (i, bytes) =>
      repeated(bytes, `{"name":"slow ${i}","values":[`, () => '{}', ']}'),
    ),
    'a long unit': longText('"name":"slow"', 'unit', 'é'),
  }),
  ...bodiesOf('category', '"name":"slow"', {
    'a long description': longText('"name":"slow"', 'description', '\\u00e9'),
    'a long parent': longText('"name":"slow"', 'parent', ' '),
    'a long slug': longText('"name":"slow"', 'slug', 'Ä'),
    'items with unknown members': everyItem(50, (i, bytes) =>
      repeated(bytes, `{"name":"slow ${i}",`, (m) => `"u${m}":null`, '}'),
    ),
  }),
  ...bodiesOf('product-group', '"name":"slow"', {
    'empty axes': longList('"name":"slow"', 'axes', () => '{}'),
    'one axis again and again': longList('"name":"slow"', 'axes', () => '{"source":"custom","name":"x"}'),
    'axes of unknown characteristics': longList('"name":"slow"', 'axes', (i) => `{"attribute":"none ${i}"}`),
    'numbers for axes': longList('"name":"slow"', 'axes', () => '1'),
  }),
  ...bodiesOf('product', product, {
    'empty attributes': longList(product, 'attributes', () => '{}'),
    'unknown attributes': longList(product, 'attributes', (i) => `{"type":"none ${i}","value":"x"}`),
    'one attribute again and again': longList(product, 'attributes', () => '{"type":"none","value":"x"}'),
    'one photo again and again': longList(product, 'media', () => '{"file":"file_1"}'),
    'other photos': longList(product, 'media', (i) => `{"file":"file_${i}"}`),
    'one grade again and again': longList(product, 'grades', () => '{"grade":"new","price":"1.00"}'),
    'empty lists in lists': longList(product, 'attributes', () => '[]'),
    'a long slug': longText(product, 'slug', 'Ä'),
    'a long description': longText(product, 'description', 'x'),
    'a long price': longText(product, 'price', '9'),
    'items with empty attributes': everyItem(40, (i, bytes) =>
      repeated(bytes, `{"sku":"slow ${i}","currency":"EUR","attributes":[`, () => '{}', ']}'),
    ),
  }),
  ...bodiesOf('product-review', review, {
    'a long text': longText(review, 'text', '😀'),
    'a long reference': (bytes) => `{"dry_run":true,"items":[{"external_id":"${'x'.repeat(bytes)}"}]}`,
    'items with unknown members': everyItem(250, (i, bytes) =>
      repeated(bytes, `{"external_id":"slow ${i}",`, (m) => `"u${m}":[]`, '}'),
    ),
  }),
  {
    name: 'product: empty items',
    path: path('product'),
    make: (bytes) => repeated(bytes, '{"items":[', () => '{}', ']}'),
  },
  { name: 'product: blanks', path: path('product'), make: (bytes) => `{"items":[${' '.repeat(bytes)}]}` },
  {
    name: 'product: members beside items',
    path: path('product'),
    make: (bytes) => repeated(bytes, '{"items":[],', (i) => `"u${i}":{}`, '}'),
  },
];
