// The condition in a path, `prices[type=net].amount`: its member has to be in the records, and a value that none has is told.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from '../../cli/typed.js';

const feeds = {
  'feed.json': '[{"id":"A","pr":[{"t":"net","a":"1"}]},{"id":"B","pr":[{"t":"net","a":"2"}]}]',
  'feed.ndjson': '{"id":"A","pr":[{"t":"net","a":"1"}]}\n{"id":"B","pr":{"t":"net","a":"2"}}\n',
  'feed.xml':
    '<c><p><id>A</id><pr><t>net</t><a>1</a></pr></p><p><id>B</id><pr><t>net</t><a>2</a></pr><pr><t>x</t><a>3</a></pr></p></c>',
};

describe.each(Object.entries(feeds))('in %s', (name, content) => {
  async function imported(price: string) {
    const map = `to: products\nfields:\n  sku: id\n  currency: { value: EUR }\n  price: ${price}\n`;
    const cwd = folder({ [name]: content, 'm.yaml': map });
    const at = (file: string) => join(cwd, file);
    return typedHere(['products', at(name), '--map', at('m.yaml'), '--db', at('c.db')]);
  }

  it('a member that no record has is a mistake', async () => {
    const { code, stderr } = await imported('"pr[typ=net].a"');
    expect([code, stderr]).toEqual([2, expect.stringContaining('column "pr[typ=net].a" not found')]);
  });

  it.each([
    ['"pr[t=gross].a"', 'pr[t=gross].a'],
    ['{ column: "pr[typ=net].a", optional: true }', 'pr[typ=net].a'],
  ])('%s is told where no record has it', async (price, column) => {
    const { code, stderr } = await imported(price);
    expect([code, stderr]).toEqual([0, expect.stringContaining(`columns of the mapping in no record: "${column}"`)]);
  });

  it('one that records have is read without a word', async () => {
    const { code, stderr } = await imported('"pr[t=net].a"');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('in no record')]);
  });
});
