import { expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { hasTrustedKey } from '../../src/core/trusted-key.js';

const key = { names: ['sku', 'number'], given: new Set(['brand:colour']) } as never;
const line = (external_id: string, ...diagnostics: (readonly [field: string, code: string])[]): Line =>
  ({ external_id, diagnostics: diagnostics.map(([field, code]) => ({ field, code })) }) as unknown as Line;

it.each([
  ['without problems', line('A'), true],
  ['without diagnostics', { external_id: 'A' } as Line, true],
  ['without a key', line(''), false],
  ['with a key that another field gives', line('brand:colour', ['sku', 'field_required']), true],
  ['with problems of other fields', line('A', ['price', 'field_format'], ['currency', 'field_required']), true],
  ['with a problem of the key', line('A', ['price', 'field_format'], ['sku', 'field_too_long']), false],
  ['with a problem of another name of the key', line('A', ['number', 'field_too_long']), false],
  ['that repeats another one', line('A', ['sku', 'duplicate_in_batch'], ['sku', 'superseded']), true],
  ['that repeats another one with a wrong key', line('A', ['sku', 'repeated_in_file'], ['sku', 'invalid_text']), false],
])('a line %s', (_, given, is) => expect(hasTrustedKey(given, key)).toBe(is));
