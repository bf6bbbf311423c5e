// What a read returns, resource by resource, in the order of the specification. Plain data: /openapi.json is made of
// it, and a test holds every `view` against it. Absent text fields are ''.

/** A member: its JSON type (`integer?` and `string?` may be null), one fixed text (`=product`), a closed list of words, or a list of entries. */
type ReadField =
  | 'string'
  | 'integer'
  | 'integer?'
  | 'string?'
  | 'boolean'
  | `=${string}`
  | readonly string[]
  | { readonly list: ReadFields | 'string' };

/** The members of a read shape by name. */
export interface ReadFields {
  readonly [name: string]: ReadField;
}

const status = ['activated', 'suspended'] as const;
const times = { created_at: 'integer', updated_at: 'integer' } as const;

const value = {
  id: 'string',
  label: 'string',
  hex: 'string',
  position: 'integer',
  status,
  description: 'string',
  link_label: 'string',
  link_page: 'string',
} as const;

const axis = {
  id: 'string',
  name: 'string',
  kind: ['pill', 'swatch', 'card', 'list'],
  source: ['characteristic', 'grade', 'custom'],
  attribute: 'string',
  price_mode: ['price', 'from', 'diff', 'none', ''],
  position: 'integer',
  status,
} as const;

/** Read shapes by the name of their resource. */
export const readShapes: Readonly<Record<string, ReadFields>> = {
  attribute: {
    object: '=attribute',
    id: 'string',
    name: 'string',
    kind: ['custom', 'colour'],
    unit: 'string',
    scope: ['catalog', 'category', 'product'],
    scope_ident: 'string',
    position: 'integer',
    status,
    shared: 'boolean',
    values: { list: value },
    ...times,
  },
  category: {
    object: '=category',
    id: 'string',
    name: 'string',
    parent: 'string',
    description: 'string',
    image: 'string',
    position: 'integer',
    status,
    slug: 'string',
    seo_title: 'string',
    seo_description: 'string',
    seo_image: 'string',
    reference: 'string',
    warranty: 'string',
    ...times,
  },
  product_group: {
    object: '=product_group',
    id: 'string',
    name: 'string',
    status,
    axes: { list: axis },
    ...times,
  },
  product: {
    object: '=product',
    id: 'string',
    sku: 'string',
    status: ['draft', 'activated', 'suspended', 'deleted'],
    name: 'string',
    description: 'string',
    ean: 'string',
    category: 'string',
    group: 'string',
    brand: 'string',
    warranty: 'string',
    condition: 'string',
    price: 'string',
    price_compare: 'string',
    currency: 'string',
    weight: 'string',
    stock: 'integer',
    stock_threshold: 'integer',
    slug: 'string',
    seo_title: 'string',
    seo_description: 'string',
    seo_image: 'string',
    badge: 'string',
    tag: 'string',
    note: 'string',
    ...times,
  },
  product_review: {
    id: 'string',
    object: '=product_review',
    external_id: 'string',
    status: ['pending', 'published', 'rejected', 'deleted'],
    customer: 'string',
    order: 'string',
    order_item: 'string',
    product: 'string',
    product_sku: 'string',
    name: 'string',
    rating: 'integer',
    text: 'string',
    lang: 'string',
    ...times,
  },
};

/** What of the shop the record refers to although the catalog does not know it. */
const unresolved = { unresolved: { list: 'string' } } as const;

/** Members that `include` adds to a read shape, or replaces in it, by resource and word (decisions 4.7). */
export const detailShapes: Readonly<Record<string, Readonly<Record<string, ReadFields>>>> = {
  attribute: { names: { scope_name: 'string' }, values: { values: { list: value } }, unresolved },
  category: { names: { parent_name: 'string' }, unresolved },
  product_group: { names: {}, axes: { axes: { list: { ...axis, attribute_name: 'string' } } } },
  product: {
    names: { category_name: 'string', group_name: 'string' },
    grades: {
      grades: {
        list: {
          grade: ['new', 'like_new', 'very_good', 'good', 'poor'],
          price: 'string',
          stock: 'integer?',
          status,
        },
      },
    },
    attributes: {
      attributes: {
        list: {
          type: 'string',
          type_name: 'string',
          value: 'string',
          unit: 'string',
          position: 'integer',
          unlisted: 'boolean',
        },
      },
    },
    media: { media: { list: { file: 'string', is_main: 'boolean', position: 'integer' } } },
    unresolved,
  },
  product_review: {
    names: {
      customer_external_id: 'string',
      order_external_id: 'string',
      order_item_external_id: 'string?',
    },
  },
};
