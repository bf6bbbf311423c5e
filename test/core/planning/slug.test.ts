// Address segments of categories and products.
import anyAscii from 'any-ascii';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withdrawnSlug } from '../../../src/core/planning/slug.js';
import { categoryTable } from '../../../src/core/resources/category.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { slugifier } from '../../../src/store/slugifier.js';
import { type Given, given, noticed, problemsOf } from '../../given.js';

const slugOf = (shop: Given, name: string) => shop.read('category', name)['slug'];
const segment = /^[a-z0-9]+(-[a-z0-9]+)*$/;

describe('a slug', () => {
  it.each([
    ['Phones', 'phones'],
    ['Chargers & cables', 'chargers-cables'],
    ['Déjà vu', 'deja-vu'],
    ['Größe', 'grosse'],
    ['  A  --  B  ', 'a-b'],
    ['Kid’s', 'kids'],
    ['Стол', 'stol'],
    ['64 GB', '64-gb'],
  ])('is generated from the name, transliterated to ASCII: %s → %s', (name, slug) => {
    const shop = given().has('category', { name });
    expect(slugOf(shop, name)).toBe(slug);
  });

  it('is generated when empty or omitted on creation, and kept when omitted later', () => {
    const shop = given().has('category', { name: 'A', slug: '' }, { name: 'B', slug: 'bee' });
    expect(slugOf(shop, 'A')).toBe('a');
    expect(shop.line('category', { name: 'B' }).action).toBe('unchanged');
    expect(slugOf(shop, 'B')).toBe('bee');
    expect(shop.line('category', { name: 'B', slug: '' }).action).toBe('updated');
    expect(slugOf(shop, 'B')).toBe('b');
  });

  it('a product’s is generated from its name and does not follow when the name changes', () => {
    const shop = given().has(
      'product',
      { sku: 'X1', currency: 'EUR', name: 'Desk lamp' },
      { sku: 'X2', currency: 'EUR' },
    );
    expect(shop.read('product', 'X1')['slug']).toBe('desk-lamp');
    expect(shop.read('product', 'X2')['slug']).toBe('x2');
    shop.has('product', { sku: 'X1', name: 'Floor lamp' });
    expect(shop.read('product', 'X1')['slug']).toBe('desk-lamp');
  });

  it('that is taken gets -2, -3 …', () => {
    const shop = given().has('category', { name: 'A b' }, { name: 'A-B' }, { name: 'A_b' }, { name: 'á b' });
    expect(['A b', 'A-B', 'A_b', 'á b'].map((name) => slugOf(shop, name))).toEqual(['a-b', 'a-b-2', 'a-b-3', 'a-b-4']);
  });

  it('slug_adjusted is added when a sent one was taken, and not for a generated one', () => {
    const shop = given().has('category', { name: 'A' });
    const line = shop.line('category', { name: 'B', slug: 'a' });
    expect(noticed(line)).toEqual(['slug_adjusted']);
    expect(line.notice[0]?.message).toContain('a-2');
    expect(shop.line('category', { name: 'a!' }).notice).toEqual([]);
  });

  it('that was sent is normalized like a generated one, with slug_adjusted when that changed it', () => {
    const shop = given();
    expect(noticed(shop.line('category', { name: 'A', slug: 'My Slug!' }))).toEqual(['slug_adjusted']);
    expect(slugOf(shop, 'A')).toBe('my-slug');
    expect(shop.line('category', { name: 'B', slug: 'fine-slug-2' }).notice).toEqual([]);
    expect(slugOf(shop, 'B')).toBe('fine-slug-2');
  });

  it('the same slug again is not change, also where it was taken', () => {
    const shop = given().has('category', { name: 'A' });
    const item = { name: 'B', slug: 'a' };
    shop.has('category', item);
    expect(shop.line('category', item).action).toBe('unchanged');
    expect(shop.line('category', { name: 'B', slug: 'a-2' })).toMatchObject({ action: 'unchanged', notice: [] });
    expect(slugOf(shop, 'B')).toBe('a-2');
  });

  it('that was sent and is taken says so, and one that is none says that', () => {
    const shop = given().has('category', { name: 'A' });
    const told = (slug: string) => shop.line('category', { name: `B ${slug}`, slug }).notice[0]?.message;
    expect(told('a')).toBe('"a" is taken; "a-2" is used instead.');
    expect(told('A!')).toBe('"A!" is not a valid slug; "a-3" is used instead.');
  });

  it('with a number keeps it only where it is one of what is sent', () => {
    const shop = given().has('category', { name: 'A' }, { name: 'B', slug: 'b-2' });
    shop.has('category', { name: 'B', slug: 'a' });
    expect(slugOf(shop, 'B')).toBe('a-2');
  });

  it.each([
    ['free', [], 'a-2'],
    ['taken', [{ name: 'C', slug: 'a-2' }], 'a-3'],
  ])('of a record whose creation was undone comes back with its number, if that is %s', (_, others, slug) => {
    const tables = new Map<Table, Map<string, Row>>();
    const shop = given({ tables }).has('category', { name: 'A' }, { name: 'a!' });
    expect(slugOf(shop, 'a!')).toBe('a-2');
    for (const row of tables.get(categoryTable as Table)?.values() ?? [])
      if (row['name'] === 'a!') row['slug'] = withdrawnSlug({ id: String(row['id']), slug: 'a-2' });
    shop.has('category', ...others).has('category', { name: 'a!' });
    expect(slugOf(shop, 'a!')).toBe(slug);
  });

  it('is unique among categories and among products separately', () => {
    const shop = given().has('category', { name: 'Lamp' }).has('product', { sku: 'Lamp', currency: 'EUR' });
    expect(slugOf(shop, 'Lamp')).toBe('lamp');
    expect(shop.read('product', 'Lamp')['slug']).toBe('lamp');
  });

  it('is taken only by the same text, not by another of the same hash', () => {
    const shop = given().has('category', { name: 'costarring' }, { name: 'liquid' }, { name: 'Liquid!' });
    expect(['costarring', 'liquid', 'Liquid!'].map((name) => slugOf(shop, name))).toEqual([
      'costarring',
      'liquid',
      'liquid-2',
    ]);
  });

  it('a number is not assigned twice, also when its slug was released', () => {
    const shop = given().has('category', { name: 'A' }, { name: 'a!' }, { name: 'a?' });
    shop.has('category', { name: 'a?', slug: 'other' }, { name: 'a.' });
    expect(slugOf(shop, 'a.')).toBe('a-4');
  });

  it('numbers that occur in names are skipped', () => {
    const shop = given().has('category', { name: 'A' }, { name: 'A 2' }, { name: 'A 3' }, { name: 'a!' });
    expect(slugOf(shop, 'a!')).toBe('a-4');
  });

  it('however many numbers are taken, the next free one is found', () => {
    for (const taken of [1, 2, 3, 4, 7, 8, 9, 40]) {
      const names = Array.from({ length: taken }, (_, i) => ({ name: `A ${i + 2}` }));
      const shop = given().has('category', { name: 'A' }, ...names);
      const free = shop.copy().has('category', { name: 'a!' }, { name: 'a?' });
      expect([slugOf(free, 'a!'), slugOf(free, 'a?')]).toEqual([`a-${taken + 2}`, `a-${taken + 3}`]);
    }
  });

  it('is found even where no letter of the name is left', () => {
    const shop = given().has('category', { name: '&' }, { name: '…!' }, { name: '🚲' });
    const slugs = ['&', '…!', '🚲'].map((name) => slugOf(shop, name));
    expect(new Set(slugs).size).toBe(3);
    for (const slug of slugs) expect(slug).toMatch(segment);
  });

  it('is not shown at length or with control characters in a notice', () => {
    const line = given().line('category', { name: 'A', slug: `\u001b[31m\u202e${'x'.repeat(180)}` });
    expect(noticed(line)).toEqual(['slug_adjusted']);
    expect(line.notice[0]?.message.length).toBeLessThan(200);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(line.notice[0]?.message).not.toMatch(/[\u0000-\u001f\u202a-\u202e]/);
  });
});

describe('a slug has at most 190 bytes', () => {
  const slugs = (...names: string[]) => {
    const shop = given().has('category', ...names.map((name) => ({ name })));
    return names.map((name) => String(slugOf(shop, name)));
  };

  it('also where letters become several: it is cut, and numbered within the limit', () => {
    const long = '㋿'.repeat(60);
    const [first = '', second = ''] = slugs(long, `${long}!`);
    expect(first.length).toBe(190);
    expect(first).toMatch(segment);
    expect(second).toBe(`${first.slice(0, 188)}-2`);
  });

  it('and is kept when it is sent back as it was read, numbered or not', () => {
    // Each sign becomes five letters.
    const long = '㋿'.repeat(60);
    const shop = given().has('category', { name: long }, { name: `${long}!` });
    for (const name of [long, `${long}!`])
      expect(shop.line('category', { name, slug: slugOf(shop, name) }).action).toBe('unchanged');
    expect(shop.line('category', { name: `${long}!`, slug: '' }).action).toBe('unchanged');
  });

  it('also that of a record whose creation is undone, which is told from any other', () => {
    const id = `prod_${'0'.repeat(26)}`;
    const withdrawn = withdrawnSlug({ id, slug: 'desk-lamp' });
    expect(withdrawn).toBe(`${id}-desk-lamp`);
    expect(withdrawnSlug({ id, slug: withdrawn })).toBe(withdrawn);
    const longest = 'x'.repeat(190 - `${id}-`.length);
    expect(withdrawnSlug({ id, slug: longest })).toBe(`${id}-${longest}`);
    expect(withdrawnSlug({ id, slug: `${longest}x` })).toBe(id);
  });

  it('a longer one that is sent is refused', () => {
    const line = given().line('product', { sku: 'A', currency: 'EUR', slug: 'x'.repeat(191) });
    expect(problemsOf(line)).toEqual(['field_too_long slug']);
  });
});

describe('for any names and slugs', () => {
  const word = fc.oneof(
    fc.constantFrom('Lamp', 'lamp!', 'LAMP', 'lamp-2', 'Lamp 3', '&', 'Ländp'),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  );
  const item = fc.record({ name: word, slug: word }, { requiredKeys: ['name'] });

  it('slugs are URL segments, no two are equal, and the same batch again is unchanged', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(item, { selector: ({ name }) => name.trim().normalize('NFC').toLowerCase(), maxLength: 8 }),
        (items) => {
          const shop = given();
          const first = shop.send('category', items);
          const slugs = shop.table('category').map(({ slug }) => String(slug));
          expect(new Set(slugs).size).toBe(slugs.length);
          for (const slug of slugs) expect(slug).toMatch(segment);
          expect(shop.send('category', items)).toMatchObject({ unchanged: first.created, updated: 0, created: 0 });
          expect(shop.table('category').map(({ slug }) => slug)).toEqual(slugs);
        },
      ),
    );
  });

  it('making a slug of a slug changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const slugify = slugifier(anyAscii);
        const slug = slugify(name);
        expect(slugify(slug)).toBe(slug);
        if (slug !== '') expect(slug).toMatch(segment);
      }),
    );
  });

  it('of a plain ASCII name equals that of the general algorithm', () => {
    const letter = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...'azAZ059 ') },
      fc.string({ unit: 'binary-ascii' }),
    );
    fc.assert(
      fc.property(
        fc.array(letter).map((letters) => letters.join('')),
        fc.nat(250),
        (name, more) => {
          const slugify = slugifier(anyAscii);
          const long = name + 'x'.repeat(more);
          expect(slugify(long)).toBe(slugify(`!${long}`));
        },
      ),
    );
  });
});
