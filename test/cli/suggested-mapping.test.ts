// The mapping that inspect writes: it loses nothing of a file that is called as the tool calls it, finds amounts by their
// cells, and takes no name for an identifier.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dumpOf } from '../proof/dump.js';
import { folder, typedHere } from './typed.js';

interface Suggested {
  readonly resource: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly map: string;
}

async function suggested(content: string, name = 'feed.csv'): Promise<Suggested> {
  const cwd = folder({ [name]: content });
  const { stdout } = await typedHere(['inspect', join(cwd, name), '--output', 'json']);
  return JSON.parse(stdout).suggestion;
}

describe('a file with the headers of the tool', () => {
  it.each([
    [
      'products',
      'sku,name,currency,price,stock,grades[good].price,grades[good].stock,grades[new].price,attributes[Colour],attributes[Size].unit,attributes[Size],media[0],media[1].is_main\n' +
        'A,Phone,EUR,,,10.50,3,20.00,Red,cm,5,file_a,\nB,Cable,EUR,3.00,4,,,,,,,,\nC,Bad,EUR,x,4,,,,,,,,\nD,Worse,EUR,3.00,4,abc,,,,,,,\n',
    ],
    ['characteristics', 'name,unit,values[0].label,values[1].label,values[1].position\nSize,cm,S,M,7\nLength,m,1,2,\n'],
    ['characteristics', 'name,values\nSize,S|M|L\nFinish,"[{""label"":""Matt""}]"\n'],
    ['categories', 'name,parent,position\nHome,,1\nPhones,Home,2\n'],
  ])('%s come in by the suggested mapping as they do without it', async (resource, content) => {
    const cwd = folder({ 'feed.csv': content, 'characteristics.csv': 'name,values\nColour,Red|Blue\nSize,5|6\n' });
    const at = (name: string) => join(cwd, name);
    const inspected = await typedHere(['inspect', at('feed.csv'), '--write-map', at('map.yaml')]);
    expect(inspected.code).toBe(0);
    const catalogOf = async (db: string, map: readonly string[]) => {
      if (resource === 'products') await typedHere(['characteristics', at('characteristics.csv'), '--db', at(db)]);
      const { stdout } = await typedHere([resource, at('feed.csv'), ...map, '--db', at(db), '--output', 'json']);
      const { created, updated, refused } = JSON.parse(stdout).response;
      return { counts: { created, updated, refused }, records: [...dumpOf(at(db)).records].sort() };
    };
    const plain = await catalogOf('plain.db', []);
    const mapped = await catalogOf('mapped.db', ['--map', at('map.yaml')]);
    expect(mapped).toEqual(plain);
    expect(plain.records.length).toBeGreaterThan(1);
    expect(readFileSync(at('map.yaml'), 'utf8')).not.toContain('fill nothing yet');
  });
});

describe('columns are found', () => {
  it.each([
    ['Prezzo', 'Codice,Descrizione,Prezzo\nA1,Sedia,"1.234,50"\nA2,Tavolo,"99,90"\n'],
    ['Цена', 'Артикул;Название;Цена\nA1;Стул;1234,50\nA2;Стол;99,90\n'],
    ['PVP', 'Referencia;Nombre;PVP\nA1;Silla;12,50 €\nA2;Mesa;99,90 €\n'],
    ['VKPreis', 'ArtNr;Bez;VKPreis\nA1;Stuhl;12,50\nA2;Tisch;99,90\n'],
    ['Betrag X', 'ArtNr;Bez;Lager;Betrag X\nA1;Stuhl;3;12,50\nA2;Tisch;4;99,90\n'],
    ['Net price', 'sku,name,Net price\nA,Tea,1.20\nB,Milk,3.40\n'],
  ])('amounts under %s', async (column, content) => {
    const { resource, fields } = await suggested(content);
    expect(resource).toBe('products');
    expect(fields['price']).toBe(column);
  });

  it('a column of words is not a price, whatever it is called; Long text is a description', async () => {
    const { fields } = await suggested(
      'sku,price,Long text,VK\nA,on request,Soft and long,1.50\nB,on request,Hard,2.50\n',
    );
    expect(fields).toMatchObject({ price: 'VK', description: 'Long text' });
  });

  it('brand is suggested where its values can be identifiers, and not where they are names', async () => {
    expect((await suggested('sku,brand,price\nA,Acme Ltd,1.00\nB,Bodo,2.00\n')).fields).not.toHaveProperty('brand');
    expect((await suggested('sku,brand,price\nA,Acme,1.00\nB,Bodo,2.00\n')).fields).not.toHaveProperty('brand');
    expect((await suggested('sku,brand,price\nA,brand_1,1.00\nB,brand_2,2.00\n')).fields).toHaveProperty('brand');
  });

  it('the currency beside amounts is used; optional is suggested for sparse columns', async () => {
    const { map } = await suggested('sku;Preis;Langtext\nA;12,50 €;x\nB;1,00 €;\nC;2,00 €;\n');
    expect(map).toContain('currency: { from: "Preis" }');
    expect(map).toContain('description: { column: "Langtext", optional: true }');
  });
});

describe('the resource of a file', () => {
  it.each([
    ['themes.csv', 'id,name,parent_id\n1,Castle,\n2,Knights,1\n', 'categories'],
    ['attribute_options.csv', 'code;label-en_US;attribute;sort_order\na;A;size;1\nb;B;size;2\n', 'characteristics'],
    ['colors.csv', 'id,name,rgb,is_trans\n1,Blue,0055BF,f\n2,Green,237841,f\n', 'characteristics'],
    ['part_categories.csv', 'id,name\n1,Baseplates\n2,Bricks\n', 'categories'],
    ['sets.csv', 'set_num,name,year,theme_id,num_parts\n001-1,Gears,1965,1,43\n002-1,Town,1978,84,12\n', 'products'],
    ['reviews.csv', 'sku,rating_code,rating_value,review,title,nickname\nA,Rating,5,Good,Yes,Ann\n', 'reviews'],
    ['inventory.csv', 'sku,quantityOnStock\nA,1\nB,2\n', 'products'],
    ['x.csv', 'ID,Type,SKU,Name,Regular price,Stock\n1,simple,A,Tee,9.90,4\n', 'products'],
    ['family_variants.csv', 'code;family;label-en_US;variant-axes_1;variant-attributes_1\na;b;A;color;x\n', 'groups'],
    ['taxonomy.csv', 'id,title,level,left\n1,Home,1,1\n2,Garden,1,2\n', 'categories'],
  ])('%s', async (name, content, resource) => {
    expect((await suggested(content, name)).resource).toBe(resource);
  });
});
