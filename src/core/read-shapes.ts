// What a read returns, resource by resource, in the order of the specification. Plain data: /openapi.json is made of
// it, and a test holds every `view` against it. Absent text fields are ''.

/** A member: its JSON type, one fixed text (`=product`), a closed list of words, or a list of entries. */
type ReadField = 'string' | 'integer' | 'boolean' | `=${string}` | readonly string[] | { readonly list: ReadFields };

/** The members of a read shape by name. */
export interface ReadFields {
  readonly [name: string]: ReadField;
}

const status = ['activated', 'suspended'] as const;
const times = { created_at: 'integer', updated_at: 'integer' } as const;

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
    values: {
      list: {
        id: 'string',
        label: 'string',
        hex: 'string',
        position: 'integer',
        status,
        description: 'string',
        link_label: 'string',
        link_page: 'string',
      },
    },
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
    axes: {
      list: {
        id: 'string',
        name: 'string',
        kind: ['pill', 'swatch', 'card', 'list'],
        source: ['characteristic', 'grade', 'custom'],
        attribute: 'string',
        price_mode: ['price', 'from', 'diff', 'none', ''],
        position: 'integer',
        status,
      },
    },
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
