// A guess: which resource a file holds, and which of its columns fills which field. Words of the languages that
// suppliers write in; what is guessed is written down as a mapping for a person to correct.
import type { Fields } from '../../core/fields.js';
import type { ColumnFacts } from '../column-facts.js';
import type { Inspection } from '../inspect.js';

/** What a file seems to be. */
export interface Suggestion {
  /** The word of the resource. */
  readonly resource: string;
  /** Field → column. */
  readonly fields: ReadonlyMap<string, string>;
  /** The decimal sign that the numbers of the file speak for, with the reason. */
  readonly decimal: '.' | ',' | undefined;
  readonly decimalWhy: string;
  /** The mapping, as a YAML text. */
  readonly yaml: string;
}

const words: Readonly<Record<string, readonly string[]>> = {
  sku: [
    'sku',
    'artnr',
    'artikelnummer',
    'artikelnr',
    'articlenumber',
    'itemnumber',
    'itemno',
    'partnumber',
    'productcode',
    'variantsku',
    'bestellnummer',
    'referenz',
    'reference',
    'référence',
    'codeart',
    'codigo',
    'productid',
    'stylecode',
  ],
  external_id: ['externalid', 'reviewid'],
  name: [
    'name',
    'bezeichnung',
    'artikelbezeichnung',
    'titel',
    'title',
    'produktname',
    'productname',
    'itemname',
    'nom',
    'désignation',
    'designation',
    'nombre',
    'nazwa',
    'naam',
    'labelenus',
    'productdisplayname',
  ],
  description: [
    'description',
    'beschreibung',
    'langtext',
    'bodyhtml',
    'longdescription',
    'productdescription',
    'descripción',
    'omschrijving',
  ],
  ean: ['ean', 'ean13', 'eancode', 'gtin', 'gtin13', 'barcode', 'variantbarcode', 'upc', 'isbn'],
  price: [
    'price',
    'preis',
    'vk',
    'vkbrutto',
    'verkaufspreis',
    'bruttopreis',
    'preisbrutto',
    'variantprice',
    'regularprice',
    'prix',
    'prixttc',
    'precio',
    'cena',
    'priceeur',
    'unitprice',
  ],
  price_compare: [
    'pricecompare',
    'uvp',
    'msrp',
    'rrp',
    'listprice',
    'listenpreis',
    'variantcompareatprice',
    'streichpreis',
  ],
  stock: [
    'stock',
    'bestand',
    'lagerbestand',
    'menge',
    'quantity',
    'qty',
    'variantinventoryqty',
    'stockonhand',
    'quantité',
    'inventory',
  ],
  weight: ['weight', 'gewicht', 'gewichtkg', 'weightkg', 'poids', 'peso'],
  category: ['category', 'categories', 'kategorie', 'warengruppe', 'type', 'catégorie', 'categoría'],
  currency: ['currency', 'währung', 'waehrung', 'devise'],
  status: ['status'],
  condition: ['condition', 'zustand'],
  seo_title: ['seotitle', 'metatitle'],
  seo_description: ['seodescription', 'metadescription'],
  slug: ['slug', 'urlkey', 'handle', 'urlrewritten'],
  tag: ['tag', 'tags', 'schlagworte'],
  parent: ['parent', 'parentcategory', 'parentid', 'übergeordnet', 'oberkategorie'],
  position: ['position', 'sortorder', 'sortierung'],
  reference: ['reference', 'categoryid', 'code'],
  unit: ['unit', 'einheit', 'unité'],
  kind: ['kind', 'attributetype'],
  values: ['values', 'options', 'werte'],
  axes: ['axes', 'options'],
  rating: ['rating', 'stars', 'bewertung', 'note'],
  text: ['text', 'review', 'comment', 'kommentar', 'detail'],
  customer_external_id: ['customer', 'customerid', 'customerexternalid', 'kunde', 'kundennummer'],
  product_sku: ['productsku', 'sku', 'product'],
};

/** Fields that speak for their resource, beside its key. */
const telling: Readonly<Record<string, readonly string[]>> = {
  products: ['sku', 'price', 'stock', 'ean', 'weight', 'currency'],
  categories: ['parent'],
  characteristics: ['values', 'unit'],
  groups: ['axes'],
  reviews: ['rating', 'customer_external_id', 'product_sku'],
};

/**
 * Guesses what a file is.
 * @param resources the resources by the word that `to:` names them with
 */
export function suggest(
  { found, columns }: Inspection,
  resources: Readonly<Record<string, { readonly key: string; readonly fields: Fields }>>,
): Suggestion {
  const guesses = Object.entries(resources).map(([resource, { fields, key }]) => {
    const matched = matches(columns, fields);
    const score = (telling[resource] ?? []).filter((field) => matched.has(field)).length + (matched.has(key) ? 1 : 0);
    return { resource, key, matched, score: score + matched.size / 100 };
  });
  const best = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  const { decimal, why } = decimalOf(columns, best.matched);
  const yaml = yamlOf({ found, columns }, best, decimal);
  return { resource: best.resource, fields: best.matched, decimal, decimalWhy: why, yaml };
}

/** A header without what does not tell: case, blanks, points, brackets. */
function plainWord(header: string): string {
  return header
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Each field with the column that fits it best; a column fills one field. */
function matches(columns: readonly ColumnFacts[], fields: Fields): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  // Of the columns that fit, the one whose word stands first: Categories before Type.
  const take = (place: (column: string, field: string) => number): void => {
    for (const field of Object.keys(fields)) {
      if (found.has(field)) continue;
      const [column] = columns
        .filter(({ name, filled }) => filled > 0 && !taken.has(name))
        .map(({ name }) => ({ name, at: place(plainWord(name), field) }))
        .filter(({ at }) => at !== -1)
        .sort((one, other) => one.at - other.at);
      if (column === undefined) continue;
      found.set(field, column.name);
      taken.add(column.name);
    }
  };
  take((column, field) => (column === plainWord(field) ? 0 : -1));
  take((column, field) => (words[field] ?? []).indexOf(column));
  take((column, field) => (words[field] ?? []).findIndex((word) => word.length > 4 && column.startsWith(word)));
  return new Map(Object.keys(fields).flatMap((field) => (found.has(field) ? [[field, found.get(field) ?? '']] : [])));
}

const amountsHave = (count: number): string => (count === 1 ? '1 amount has' : `${count} amounts have`);

function decimalOf(columns: readonly ColumnFacts[], matched: ReadonlyMap<string, string>) {
  const amounts = new Set(['price', 'price_compare', 'weight'].map((field) => matched.get(field)));
  const watched = columns.filter(({ name }) => amounts.has(name));
  const sum = (of: 'point' | 'comma' | 'either') => watched.reduce((total, { numbers }) => total + numbers[of], 0);
  const [point, comma, either] = [sum('point'), sum('comma'), sum('either')];
  if (point > 0 && comma === 0)
    return { decimal: '.' as const, why: `${amountsHave(point)} a decimal point, none a comma` };
  if (comma > 0 && point === 0)
    return { decimal: ',' as const, why: `${amountsHave(comma)} a decimal comma, none a point` };
  if (point + comma > 0)
    return {
      decimal: undefined,
      why: `${amountsHave(point)} a decimal point, ${comma} a comma: each is read by itself`,
    };
  const why = either > 0 ? `${either} amounts such as 1.234 could have either: say decimal:` : 'no amount has decimals';
  return { decimal: undefined, why };
}

function yamlOf(
  { found, columns }: Pick<Inspection, 'found' | 'columns'>,
  { resource, key, matched }: { resource: string; key: string; matched: ReadonlyMap<string, string> },
  decimal: string | undefined,
): string {
  const read = [
    `  format: ${found.format}`,
    ...(found.encoding === 'utf-8' ? [] : [`  encoding: ${found.encoding}`]),
    ...(found.delimiter === undefined ? [] : [`  delimiter: ${JSON.stringify(found.delimiter)}`]),
    ...(decimal === undefined
      ? ['  # decimal: ","    # what could be either is refused until this says it']
      : [`  decimal: ${JSON.stringify(decimal)}`]),
  ];
  const used = new Set(matched.values());
  const fields = [...matched].map(([field, column]) => {
    const facts = columns.find(({ name }) => name === column);
    const step =
      field === 'ean' && (facts?.apostrophes ?? 0) > 0
        ? `{ column: ${JSON.stringify(column)}, apostrophe: strip }`
        : JSON.stringify(column);
    return `  ${field}: ${step}${note(facts)}`;
  });
  if (!matched.has(key)) fields.unshift(`  # ${key}: which column is it?`);
  if (resource === 'products' && !matched.has('currency'))
    fields.push('  currency: { value: EUR }   # which one is it?');
  const rest = columns.filter(({ name, filled }) => filled > 0 && !used.has(name));
  return [
    '# A suggestion by catalog-import inspect: read it, correct it.',
    `to: ${resource}`,
    'read:',
    ...read,
    'fields:',
    ...fields,
    ...(rest.length === 0 ? [] : ['# Columns that fill nothing yet:']),
    ...rest.map((facts) => `#   ${JSON.stringify(facts.name)}${note(facts)}`),
    '',
  ].join('\n');
}

/** A sample behind a line, so that one need not look back at the file. */
function note(facts: ColumnFacts | undefined): string {
  const sample = facts?.samples[0];
  return sample === undefined ? '' : `   # ${sample.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 40)}`;
}
