// /openapi.json is a valid document, and describes what the server really reads and accepts.
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notices, refusals } from '../../../src/core/diagnostics/refusal-codes.js';
import { rawEntry } from '../../../src/core/entry.js';
import { itemSchema } from '../../../src/core/fields/json-schema.js';
import type { Resource } from '../../../src/core/resource.js';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { openApi } from '../../../src/http/server/openapi/openapi.js';
import { newAjv } from '../../ajv.js';
import { type GivenServer, givenServer } from './given-server.js';

describe('/openapi.json', () => {
  it('has no error that a linter finds', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(openApi(resources)), config });
    expect(
      problems.map(
        ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([]);
  });

  it('limits each list as the contract does', () => {
    const limits = resources.map((resource) => {
      const { properties } = itemSchema(resource) as { properties: Record<string, { maxItems?: number }> };
      return Object.entries(properties).flatMap(([name, { maxItems }]) =>
        maxItems === undefined ? [] : [[name, maxItems]],
      );
    });
    expect(Object.fromEntries(limits.flat())).toEqual({
      values: 400,
      axes: 20,
      grades: 20,
      attributes: 500,
      media: 250,
    });
  });

  it('lists exactly the members that a read returns, in their order', async () => {
    const given = await givenServer();
    const batches: [string, Record<string, unknown>][] = [
      ['attribute', { name: 'Colour', kind: 'colour', values: [{ label: 'Red', hex: 'ff0000' }] }],
      ['category', { name: 'Phones' }],
      ['product_group', { name: 'G', axes: [{ attribute: 'Colour', source: 'characteristic', price_mode: 'none' }] }],
      [
        'product',
        {
          sku: 'P',
          currency: 'EUR',
          grades: [{ grade: 'new', price: 1 }],
          attributes: [{ type: 'Colour', value: 'Red' }],
          media: [{ file: 'file_1' }],
        },
      ],
      ['product_review', { external_id: 'r', customer_external_id: 'c', product_sku: 'P', rating: 5 }],
    ];
    const customers = shopResources.find(({ name }) => name === 'customer') ?? expect.unreachable();
    for await (const _ of given.catalog.importBatches(customers, [[rawEntry({ external_id: 'c' })]]));
    for (const [name, item] of batches) {
      const path = `/v1/${name.replaceAll('_', '-')}/import`;
      const { body } = await given.post(path, { items: [item] });
      expect(body.response.data[0]).toMatchObject({ action: 'created' });
      const record = (await given.get(`${path}?id=${body.response.data[0].id}`)).body.response;
      const shape = resourceNamed(name).readShape;
      expect(Object.keys(record)).toEqual(Object.keys(shape));
      for (const [member, field] of Object.entries(shape)) {
        if (typeof field === 'object' && 'list' in field)
          expect(Object.keys(record[member][0])).toEqual(Object.keys(field.list));
      }
      await expectDetails(given, path, record);
    }
    await given.stop();
  });

  it.each(resources.map((resource) => [resource.name, resource] as const))(
    'describes items of %s: a closed list, a limit, a required field',
    (_name, resource) => {
      const validate = newAjv({ strict: false }).compile(itemSchema(resource));
      const key = resource.name === 'attribute' ? { name: 'x' } : requiredFields(resource.name);
      expect(validate(key)).toBe(true);
      expect(validate({ ...key, status: 'nonsense' })).toBe(false);
      expect(validate({ ...key, [resource.key]: 'x'.repeat(191) })).toBe(false);
      expect(validate({ ...key, status: null })).toBe(true);
      expect(validate({})).toBe(resource.name === 'attribute');
    },
  );
});

function resourceNamed(name: string): Resource {
  return resources.find((resource) => resource.name === name) ?? expect.unreachable();
}

interface Described {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, { 'x-extensible-enum'?: string[] }> };
}

interface Operation {
  readonly requestBody?: { readonly content: { 'application/json': { examples: Record<string, { value: unknown }> } } };
  readonly responses: Record<string, DescribedResponse>;
}

interface DescribedResponse {
  readonly headers: Record<string, unknown>;
  readonly content?: {
    'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> };
  };
}

describe('what /openapi.json shows is what happens', () => {
  const { paths, components } = openApi(resources) as unknown as Described;
  let given: GivenServer;
  beforeAll(async () => {
    given = await givenServer();
    const customers = shopResources.find(({ name }) => name === 'customer') ?? expect.unreachable();
    for await (const _ of given.catalog.importBatches(customers, [[rawEntry({ external_id: 'C-17' })]]));
  });
  afterAll(() => given.stop());

  /** Without what differs from catalog to catalog: tokens of identifiers, times, request ids. */
  function masked(value: unknown): unknown {
    const text = JSON.stringify(value)
      .replace(/\b(attr|atvl|cate|prgr|pgax|prod|prvw|cust)_[0-9a-z]{26}/g, '$1_…')
      .replace(/"(created_at|updated_at)":\d+/g, '"$1":0')
      .replace(/"req_[0-9a-f]+"/g, '"req_…"');
    return JSON.parse(text);
  }

  it('each example of an endpoint, sent in the order of an import, gives the example of its answer', async () => {
    for (const { name, key } of resources) {
      const path = `/v1/${name.replaceAll('_', '-')}/import`;
      const { get, post } = paths[path] ?? expect.unreachable();
      const sent = post?.requestBody?.content['application/json'].examples ?? expect.unreachable();
      const answers = post?.responses['200']?.content?.['application/json'].examples ?? expect.unreachable();
      const rehearsed = await given.post(path, sent['dry_run']?.value);
      expect(rehearsed.body.response).toMatchObject({ dry_run: true, created: 1 });
      const batch = sent['import']?.value as { items: Record<string, unknown>[] };
      const { body } = await given.post(path, batch);
      expect(masked(body)).toEqual(masked(answers['created']?.value));
      const [item = {}] = batch.items;
      const { [key]: _, ...keyless } = item;
      const refused = (await given.post(path, { items: [keyless] })).body;
      expect(masked(refused)).toEqual(masked(answers['refused']?.value));
      const read = await given.get(`${path}?${key}=${encodeURIComponent(String(item[key]))}`);
      expect(masked(read.body)).toEqual(masked(get?.responses['200']?.content?.['application/json'].example));
      const list = await given.get(path.replace('import', 'list'));
      const listed = paths[path.replace('import', 'list')]?.['get']?.responses['200'];
      expect(masked(list.body)).toEqual(masked(listed?.content?.['application/json'].example));
    }
  });

  it('responses have the headers that the description lists', async () => {
    const { get, post } = paths['/v1/product/import'] ?? expect.unreachable();
    const check = ({ status, headers }: { status: number; headers: object }, operation: Operation | undefined) => {
      const told = Object.keys(operation?.responses[status]?.headers ?? {}).map((header) => header.toLowerCase());
      expect(told.length).toBeGreaterThan(0);
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(told));
    };
    const target = '/v1/product/import?sku=PHONE-64';
    const read = await given.get(target);
    check(read, get);
    check(await given.get(target, { headers: { 'if-none-match': String(read.headers['etag']) } }), get);
    check(await given.get(`${target}0`), get);
    check(await given.get(target, { key: '' }), get);
    check(await given.get(target, { key: 'cik_unknown' }), get);
    const { text: key } = await given.keys.create({ name: 'x', scopes: ['category:read'], expiresAt: null });
    check(await given.get(target, { key }), get);
    const sending = { headers: { 'idempotency-key': 'k' } };
    const batch = { items: [{ sku: 'PHONE-64', stock: 4 }] };
    await given.post('/v1/product/import', batch, sending);
    check(await given.post('/v1/product/import', batch, sending), post);
    const limited = await givenServer({ limits: { rate: 1, authFailures: 20 } });
    const answers = await Promise.all([1, 2, 3].map(() => limited.get(target)));
    check(answers.find(({ status }) => status === 429) ?? expect.unreachable(), get);
    await limited.stop();
  });

  it('lists every word of an error, every code of a refused line and every code of a notice', () => {
    const listed = (name: string) => components.schemas[name]?.['x-extensible-enum'] ?? [];
    expect(listed('LineCode')).toEqual(Object.keys(refusals));
    expect(listed('NoticeCode')).toEqual(Object.keys(notices));
    const manual = readFileSync(new URL('../../../src/manual/server.md', import.meta.url), 'utf8');
    // The page has the words of one resource only, those without a request, and these.
    const unsaid = listed('ErrorWord').filter(
      (word) => !manual.includes(`\`${word}\``) && !word.endsWith('_not_found'),
    );
    expect(unsaid).toEqual(['request_timeout', 'headers_too_large']);
    expect(listed('ErrorWord').filter((word) => word.endsWith('_not_found'))).toHaveLength(resources.length + 1);
  });
});

/** Each word of `include` adds the members that the description lists, in their order, and nothing else but names. */
async function expectDetails(given: GivenServer, path: string, record: { id: string; object: string }) {
  const { details } = resourceNamed(record.object);
  const names = details['names']?.shape ?? {};
  for (const [word, { shape }] of Object.entries(details)) {
    const { response } = (await given.get(`${path}?id=${record.id}&include=${word}`)).body;
    const known = Object.keys({ ...record, ...names, ...shape });
    expect(Object.keys(response)).toEqual(known);
    for (const [member, field] of Object.entries(shape)) {
      if (typeof field !== 'object' || !('list' in field) || field.list === 'string') continue;
      expect(response[member].length, `${word} of ${path}`).toBeGreaterThan(0);
      for (const entry of response[member]) expect(Object.keys(entry)).toEqual(Object.keys(field.list));
    }
  }
}

function requiredFields(name: string): Record<string, unknown> {
  if (name === 'product') return { external_id: 'x' };
  if (name === 'product_review') return { external_id: 'x', customer_external_id: 'c', product_sku: 's', rating: 5 };
  return { name: 'x' };
}
