// The currency of an amount, where a thread of its own reads the file.
import { describe, expect, it } from 'vitest';
import { outcomes } from './outcomes.js';
import { typedAsProcess } from './started.js';
import { folder, typed } from './typed.js';

const map = 'to: products\nfields: { sku: no, description: { column: text, optional: true }, price: p }\n';

describe('a file that is read in a thread of its own', () => {
  it('has its amounts compared with the stored currency, and with that of earlier rows', async () => {
    const long = 'x'.repeat(2000);
    const rows = Array.from({ length: 2400 }, (_, i) => `S${i},5 ${i % 100 === 7 ? 'USD' : 'EUR'},${long}`);
    const stored = Array.from({ length: 2400 }, (_, i) => `S${i},EUR`);
    const cwd = folder({
      'stored.csv': `sku,currency\n${stored.join('\n')}\n`,
      'feed.csv': `no,p,text\n${rows.join('\n')}\n`,
      'map.yaml': map,
    });
    await typed(cwd, ['products', 'stored.csv']);
    // Only a built program has the thread.
    const { stdout } = await typedAsProcess(cwd, ['products', 'feed.csv', '--map', 'map.yaml', '--output', 'ndjson']);
    const refused = outcomes(stdout).filter((one) => one.endsWith('currency_mismatch'));
    expect(refused).toEqual(Array.from({ length: 24 }, (_, i) => `S${i * 100 + 7} currency_mismatch`));
  });
});
