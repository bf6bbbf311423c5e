// /openapi.json is a sound document, and tells what is really read and accepted.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import { itemSchema } from '../../../src/core/fields/json-schema.js';
import type { Resource } from '../../../src/core/resource.js';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { openApi } from '../../../src/http/server/openapi.js';
import { type GivenServer, givenServer } from './given-server.js';

describe('/openapi.json', () => {
  it('has no error in the eyes of a linter', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const problems = await lintFromString({ source: JSON.stringify(openApi(resources)), config });
    expect(
      problems.map(
        ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([]);
  });

  it('tells exactly the members that a read returns, in their order', async () => {
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
      const validate = new Ajv2020({ strict: false }).compile(itemSchema(resource));
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

/** Each word of `include` adds the members that are told of it, in their order, and nothing else but names. */
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
