// The currency of an amount, where a thread of its own reads the file.
import { describe, expect, it } from 'vitest';
import { outcomes } from './outcomes.js';
import { folder, typed } from './typed.js';

const map = 'to: products\nfields: { sku: no, name: { column: name, optional: true }, price: p }\n';

describe('a file that is read in a thread of its own', () => {
  it('has its amounts compared with the stored currency, and with that of earlier rows', async () => {
    const long = 'x'.repeat(180);
    const rows = Array.from({ length: 24_000 }, (_, i) => `S${i},5 ${i % 1000 === 7 ? 'USD' : 'EUR'},${long}`);
    const stored = Array.from({ length: 24_000 }, (_, i) => `S${i},EUR`);
    const cwd = folder({
      'stored.csv': `sku,currency\n${stored.join('\n')}\n`,
      'feed.csv': `no,p,name\n${rows.join('\n')}\n`,
      'map.yaml': map,
    });
    await typed(cwd, ['products', 'stored.csv']);
    const { stdout } = await typed(cwd, ['products', 'feed.csv', '--map', 'map.yaml', '--output', 'ndjson']);
    const refused = outcomes(stdout).filter((one) => one.endsWith('currency_mismatch'));
    expect(refused).toEqual(Array.from({ length: 24 }, (_, i) => `S${i * 1000 + 7} currency_mismatch`));
  });
});
