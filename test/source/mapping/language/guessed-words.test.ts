// Expressions whose texts or steps mean something else in other notations: refused before the first row, with the form to write.
import { describe, expect, it } from 'vitest';
import { readMapped } from '../given.js';

const header = 'Marke,Modell,Alt Name,img,img\n';
const row = 'Acme,"X1,X2",old,f1,f2\n';
const read = async (name: string) => readMapped(`fields: { sku: Marke, name: ${name} }`, header + row);

describe('refused before the first row', () => {
  it.each([
    [
      '{ column: Marke, suffix: " {Modell}" }',
      'suffix: "{Modell}" would be a text here; write {template: "{Marke} {Modell}"}.',
    ],
    [
      '{ column: Marke, prefix: "{modell} " }',
      'prefix: "{modell}" would be a text here; write {template: "{modell} {Marke}"}.',
    ],
    [
      '{ columns: [Marke, Modell], join: " {Alt Name} " }',
      'join: "{Alt Name}" would be a text here; write {template: " {Alt Name} "}.',
    ],
    [
      '{ column: Marke, default: "{Modell}" }',
      'default: "{Modell}" would be a text here; write {first: [Marke, {template: "{Modell}"}]}.',
    ],
    ['{ value: "New {Marke}" }', 'value: "{Marke}" would be a text here; write {template: "New {Marke}"}.'],
    [
      '{ when: [{ if: { of: Marke, is: x }, then: "{Modell}" }] }',
      'when[0].then.value: "{Modell}" would be a text here',
    ],
    ['{ when: [{ else: "{Modell}" }] }', 'when[0].else.value: "{Modell}" would be a text here'],
    ['{ template: "Marke Modell" }', 'has no column in braces; write "{Marke} {Modell}", or value:'],
    ['{ template: "Marke, Modell." }', 'write "{Marke}, {Modell}.", or value:'],
    ['{ template: Alt Name }', 'write "{Alt Name}", or value:'],
    ['{ template: "{{Marke}} {Modell}" }', 'a column is in one pair of braces; write "{Marke} {Modell}".'],
    ['{ column: Modell, take: 2, split: "," }', 'name.take: the value is one text here; write split: before take:'],
    ['{ column: Modell, join: "+", split: "," }', 'name.join: the value is one text here; write split: before join:'],
    ['{ column: modell, starting: X, split: "," }', 'name.starting: the value is one text here'],
    ['{ template: "{Modell}", take: first, split: "," }', 'name.take: the value is one text here'],
    ['{ column: Modell, take: 2 }', 'name.take: the value is one text here; write split: before take:'],
  ])('%s', async (name, message) => {
    await expect(read(name)).rejects.toThrow(message);
  });

  it('a variable in a text', async () => {
    const list = 'media: { each: { split: Modell, by: "," }, entry: { file: { column: $value, suffix: "{$value}" } } }';
    await expect(readMapped(`fields: { sku: Marke, ${list} }`, header + row)).rejects.toThrow(
      'suffix: "{$value}" would be a text here; write {template: "{$value}{$value}"}.',
    );
  });
});

describe('texts and lists that are meant', () => {
  it.each([
    ['{ column: Marke, suffix: " {Other}" }', 'Acme {Other}'],
    ['{ value: "{$value} {}" }', '{$value} {}'],
    ['{ template: "Marke neu" }', 'Marke neu'],
    ['{ value: Marke }', 'Marke'],
    ['{ column: img, take: 2 }', 'f2'],
    ['{ column: img, take: first, split: "f" }', '1'],
    ['{ columns: [Marke, Modell], join: ",", split: ",", take: last }', 'X2'],
    ['{ column: Modell, split: ",", take: 2 }', 'X2'],
    ['{ column: Marke, take: first }', 'Acme'],
  ])('%s gives %s', async (name, value) => {
    expect((await read(name)).items).toEqual([{ sku: 'Acme', name: value }]);
  });

  it('a text that is the name of a column which nothing reads is told', async () => {
    const places = { Modell: 'fields.name.value' };
    const { warnings } = await read('{ value: Modell }');
    expect(warnings).toMatchObject([{ code: 'column_as_text', params: { places } }]);
    expect((await read('{ column: Modell, default: Marke }')).warnings).toEqual([]);
    expect((await read('{ column: Marke, default: Modell }')).warnings).toMatchObject([{ code: 'column_as_text' }]);
  });

  it('members of JSON may be lists', async () => {
    const map = 'fields: { sku: sku, name: { column: tags, take: 2, split: "," } }';
    const { items } = await readMapped(map, '[{"sku": "A", "tags": ["a", "b,c"]}]', { name: 'feed.json' });
    expect(items).toEqual([{ sku: 'A', name: 'b, c' }]);
  });
});
