// A template is a file that can be imported; a schema takes what the importer takes.
import { describe, expect, it } from 'vitest';
import { resources } from '../../src/core/resources/index.js';
import { newAjv } from '../ajv.js';
import { folder, typed } from './typed.js';

describe('template', () => {
  it.each(['csv', 'json'])('as %s can be imported as it is, for every resource', async (format) => {
    const cwd = folder({ 'customers.csv': 'external_id\nC-1\n' });
    await typed(cwd, ['shop', 'load', 'customers', 'customers.csv']);
    for (const { command } of resources) {
      const template = await typed(cwd, ['template', command, '--output', format]);
      expect(template.code).toBe(0);
      const imported = await typed(cwd, [command, '-', '--output', 'json'], { input: template.stdout });
      expect(JSON.parse(imported.stdout).response, command).toMatchObject({ created: 1, refused: 0, total: 1 });
    }
  });

  it('of a review says how the customer that it names gets into the catalog', async () => {
    const cwd = folder();
    const { stderr } = await typed(cwd, ['template', 'reviews', '--to', 'r.csv']);
    const [, input = '', load = ''] = /echo '(.+)' \| catalog-import (.+)/.exec(stderr) ?? [];
    expect((await typed(cwd, load.split(' '), { input })).code).toBe(0);
    expect((await typed(cwd, ['reviews', 'r.csv'])).code).toBe(0);
  });

  it('explains every field on stderr, and only there', async () => {
    const { stdout, stderr } = await typed(folder(), ['template', 'groups']);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toMatch(/^# name \(required\): text, up to 190 bytes; /m);
    expect(stderr).toMatch(/^# axes\[…\]\.source: characteristic, grade, custom; /m);
  });
});

describe('schema', () => {
  it('takes the record of the template, and refuses one without its key', async () => {
    const cwd = folder();
    for (const { command, key } of resources) {
      const schema = await typed(cwd, ['schema', command]);
      const [record] = JSON.parse((await typed(cwd, ['template', command, '--output', 'json', '-q'])).stdout);
      const check = newAjv({ strict: false }).compile(JSON.parse(schema.stdout));
      expect(check(record), command).toBe(true);
      if (command !== 'characteristics') expect(check({ ...record, [key]: undefined }), command).toBe(false);
    }
  });
});
