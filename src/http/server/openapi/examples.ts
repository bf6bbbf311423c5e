// Examples for every endpoint. They build on each other: imported in this order into a shop that has the customer C-17,
// each is created, and is read back as shown (test/http/server/openapi.test.ts does it).
import type { Resource } from '../../../core/resource.js';

interface Example {
  readonly item: Readonly<Record<string, unknown>>;
  /** The record as a read shows it, without members that are empty. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Why it is refused without its key. */
  readonly refusal: string;
}

const attribute = 'attr_01kdw5n8e0f7tbx2m4h6q9rs1a';
const category = 'cate_01kdw5n8e0f7tbx2m4h6q9rs1b';
const group = 'prgr_01kdw5n8e0f7tbx2m4h6q9rs1c';
const product = 'prod_01kdw5n8e0f7tbx2m4h6q9rs1d';
const times = { created_at: 1_767_225_600, updated_at: 1_767_225_600 } as const;

function value(id: string, label: string, position: number) {
  return { id, label, hex: '', position, status: 'activated', description: '', link_label: '', link_page: '' };
}

/** By the name of the resource, in the order of an import. */
const examples: Readonly<Record<string, Example>> = {
  attribute: {
    refusal: 'name is required for every kind but colour.',
    item: { name: 'Capacity', unit: 'GB', values: [{ label: '64' }, { label: '128' }] },
    record: {
      object: 'attribute',
      id: attribute,
      name: 'Capacity',
      kind: 'custom',
      unit: 'GB',
      scope: 'catalog',
      status: 'activated',
      shared: false,
      values: [value('atvl_01kdw5n8e0f7tbx2m4h6q9rs2a', '64', 0), value('atvl_01kdw5n8e0f7tbx2m4h6q9rs2b', '128', 1)],
      ...times,
    },
  },
  category: {
    refusal: 'name is required.',
    item: { name: 'Phones', description: 'Phones and what belongs to them' },
    record: {
      object: 'category',
      id: category,
      name: 'Phones',
      description: 'Phones and what belongs to them',
      status: 'activated',
      slug: 'phones',
      ...times,
    },
  },
  product_group: {
    refusal: 'name is required.',
    item: { name: 'Phone X', axes: [{ attribute: 'Capacity', price_mode: 'none' }] },
    record: {
      object: 'product_group',
      id: group,
      name: 'Phone X',
      status: 'activated',
      axes: [
        {
          id: 'pgax_01kdw5n8e0f7tbx2m4h6q9rs3a',
          name: '',
          kind: 'pill',
          source: 'characteristic',
          attribute,
          price_mode: 'none',
          position: 0,
          status: 'activated',
        },
      ],
      ...times,
    },
  },
  product: {
    refusal: 'sku is required.',
    item: {
      sku: 'PHONE-64',
      currency: 'EUR',
      name: 'Phone X 64 GB',
      status: 'activated',
      price: '199.90',
      stock: 5,
      attributes: [{ type: 'Capacity', value: '64' }],
    },
    record: {
      object: 'product',
      id: product,
      sku: 'PHONE-64',
      status: 'activated',
      name: 'Phone X 64 GB',
      price: '199.90',
      currency: 'EUR',
      stock: 5,
      slug: 'phone-x-64-gb',
      ...times,
    },
  },
  product_review: {
    refusal: 'external_id is required.',
    item: {
      external_id: 'R-1',
      customer_external_id: 'C-17',
      product_sku: 'PHONE-64',
      rating: 5,
      name: 'Ada',
      text: 'Works like new.',
      lang: 'eng',
      status: 'published',
    },
    record: {
      id: 'prvw_01kdw5n8e0f7tbx2m4h6q9rs1e',
      object: 'product_review',
      external_id: 'R-1',
      status: 'published',
      customer: 'cust_01kdw5n8e0f7tbx2m4h6q9rs1f',
      product,
      product_sku: 'PHONE-64',
      name: 'Ada',
      rating: 5,
      text: 'Works like new.',
      lang: 'eng',
      ...times,
    },
  },
};

export function itemExample({ name }: Resource): Example['item'] {
  return examples[name]?.item ?? {};
}

/** The record as a read shows it. */
export function recordExample({ name, readShape }: Resource): Example['record'] {
  const record = examples[name]?.record ?? {};
  const members = Object.entries(readShape);
  return Object.fromEntries(members.map(([member, type]) => [member, record[member] ?? (type === 'integer' ? 0 : '')]));
}

/** The report on a batch with the item: created, or refused because its key is missing. */
export function reportExamples(resource: string, key: string): Readonly<Record<string, unknown>> {
  const { item = {}, record = {}, refusal: reason } = examples[resource] ?? {};
  const accepted = { index: 0, external_id: item[key], action: 'created', id: record['id'] };
  const refused = { index: 0, external_id: '', action: 'refused', id: null };
  const problem = { code: 'field_required', title: 'Required field missing', reason };
  const none = { code: null, title: null, reason: null };
  return {
    created: { summary: 'The item is stored', value: report(resource, { ...accepted, ...none, notice: [] }) },
    refused: {
      summary: `The item was sent without ${key}: nothing of it is stored, and the other items are`,
      value: report(resource, { ...refused, ...problem, notice: [] }),
    },
  };
}

function report(resource: string, line: Readonly<Record<string, unknown>>): unknown {
  const count = (action: string) => (line['action'] === action ? 1 : 0);
  return success({
    object: 'list',
    resource,
    dry_run: false,
    data: [line],
    created: count('created'),
    updated: 0,
    unchanged: 0,
    refused: count('refused'),
    total: 1,
  });
}

/** A response in its envelope. */
export function success(response: unknown): unknown {
  return { code: 200, title: 'OK', response };
}
