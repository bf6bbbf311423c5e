// One example record of each resource for `template`, with every field that can be filled without knowing a shop.

/** Example records by resource name. References to records of the shop are left to the user. */
export const templateExamples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  characteristics: {
    name: 'Capacity',
    kind: 'custom',
    unit: 'GB',
    scope: 'catalog',
    position: 1,
    status: 'activated',
    values: [
      { label: '64', position: 1, status: 'activated', description: 'enough for photos' },
      { label: '128', position: 2, status: 'activated' },
    ],
  },
  categories: {
    name: 'Phones',
    parent: '',
    description: 'Phones and what belongs to them',
    position: 1,
    status: 'activated',
    slug: 'phones',
    seo_title: 'Phones',
    seo_description: 'All phones',
    reference: 'CAT-1',
  },
  groups: {
    name: 'Phone X',
    status: 'activated',
    axes: [
      { source: 'grade', kind: 'card', price_mode: 'price', position: 1, status: 'activated' },
      { source: 'custom', name: 'Warranty', kind: 'pill', price_mode: 'none', position: 2, status: 'activated' },
    ],
  },
  products: {
    sku: 'PHONE-64',
    currency: 'EUR',
    name: 'Phone X 64 GB',
    description: 'A phone',
    ean: '4006381333931',
    status: 'draft',
    condition: 'new',
    price: '229.99',
    price_compare: '249.99',
    weight: '0.180',
    stock: 12,
    stock_threshold: 2,
    slug: 'phone-x-64',
    seo_title: 'Phone X 64 GB',
    seo_description: 'Buy the Phone X',
    badge: 'new',
    tag: 'phone',
    note: 'second supplier',
    created_at: 1_700_000_000,
  },
  reviews: {
    external_id: 'R-1',
    customer_external_id: 'C-1',
    product_sku: 'PHONE-64',
    rating: 5,
    name: 'Ada',
    text: 'Works well.',
    lang: 'eng',
    status: 'published',
    created_at: 1_700_000_000,
  },
};

/** What must be in the catalog before an example can be imported. */
export const templateNeeds: Readonly<Record<string, string>> = {
  reviews: `Load the customer of the example first: echo '{"external_id": "C-1"}' | catalog-import shop load customers -`,
};
