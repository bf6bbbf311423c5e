// Categories and their tree.
import { describe, expect, it } from 'vitest';
import { given, problemsOf } from '../../given.js';

describe('a category', () => {
  it('has the stated defaults and reads as decided', () => {
    const record = given().has('category', { name: 'Phones' }).read('category', 'phones');
    expect(record).toEqual({
      object: 'category',
      id: expect.stringMatching(/^cate_/),
      name: 'Phones',
      parent: '',
      description: '',
      image: '',
      position: 0,
      status: 'activated',
      slug: 'phones',
      seo_title: '',
      seo_description: '',
      seo_image: '',
      reference: '',
      warranty: '',
      created_at: expect.any(Number),
      updated_at: expect.any(Number),
    });
    expect(Object.keys(record)).toEqual(
      'object id name parent description image position status slug seo_title seo_description seo_image reference warranty created_at updated_at'.split(
        ' ',
      ),
    );
  });

  it('is recognized by name, case-insensitive', () => {
    const shop = given().has('category', { name: 'Écrans' });
    expect(shop.line('category', { name: 'ÉCRANS', position: 1 })).toMatchObject({
      action: 'updated',
      external_id: 'ÉCRANS',
    });
    expect(shop.read('category', 'écrans')['name']).toBe('Écrans');
  });

  it('what was read can be sent back and changes nothing', () => {
    const shop = given().has('category', { name: 'A' });
    shop.has('category', {
      name: 'B',
      parent: 'A',
      description: 'd',
      image: 'file_1',
      reference: 'r',
      warranty: 'w',
      slug: 'bee',
    });
    expect(shop.line('category', shop.read('category', 'B')).action).toBe('unchanged');
  });

  it('is found by name and by identifier', () => {
    const shop = given().has('category', { name: 'A' });
    expect(shop.find('category', { id: shop.id('category', 'A') })).toMatchObject({ name: 'A' });
    expect(shop.find('category', { id: 'cate_none' })).toBeUndefined();
    expect(shop.find('category', { key: 'B' })).toBeUndefined();
  });
});

describe('parent', () => {
  const shop = () => given().has('category', { name: 'A' }, { name: 'B', parent: 'A' }, { name: 'C', parent: 'B' });

  it('is sent by identifier or by name, and reads as identifier', () => {
    const it = shop();
    const id = it.id('category', 'A');
    expect(it.read('category', 'B')['parent']).toBe(id);
    expect(it.line('category', { name: 'B', parent: id }).action).toBe('unchanged');
    expect(it.line('category', { name: 'B', parent: ' a ' }).action).toBe('unchanged');
    expect(it.line('category', { name: 'D', parent: id }).action).toBe('created');
  });

  it("'' makes the category top-level; not sent keeps it", () => {
    const it = shop();
    expect(it.line('category', { name: 'B' }).action).toBe('unchanged');
    expect(it.line('category', { name: 'B', parent: '' }).action).toBe('updated');
    expect(it.read('category', 'B')['parent']).toBe('');
  });

  it('unknown is reference_not_found, another resource’s identifier reference_wrong_type', () => {
    const it = shop();
    expect(it.line('category', { name: 'D', parent: 'X' })).toMatchObject({ code: 'reference_not_found' });
    expect(it.line('category', { name: 'D', parent: 'cate_none' })).toMatchObject({ code: 'reference_not_found' });
    expect(it.line('category', { name: 'D', parent: 'prod_123' })).toMatchObject({ code: 'reference_wrong_type' });
    expect(it.line('category', { name: 'D', parent: 'X' }).reason).toMatch(/^parent: Category "X" not found\./);
  });

  it('a parent that would make the category its own ancestor is refused', () => {
    const it = shop();
    const before = it.rows();
    for (const parent of ['A', 'B', 'C', it.id('category', 'C'), it.id('category', 'A')]) {
      expect(problemsOf(it.line('category', { name: 'A', parent }))).toEqual(['category_parent_cycle parent']);
    }
    expect(it.rows()).toEqual(before);
    expect(it.line('category', { name: 'C', parent: 'A' }).action).toBe('updated');
  });

  it('a new category cannot be its own parent', () => {
    expect(given().line('category', { name: 'A', parent: 'A' }).action).toBe('refused');
  });

  it('a cycle that would close within one batch is refused where it would close', () => {
    const it = given().has('category', { name: 'A' }, { name: 'B' });
    const report = it.send('category', [
      { name: 'A', parent: 'B' },
      { name: 'B', parent: 'A' },
    ]);
    expect(report.data.map(({ action, code }) => code ?? action)).toEqual(['updated', 'category_parent_cycle']);
  });

  it('a branch reversed in one batch is accepted in the right order', () => {
    const it = shop();
    const report = it.send('category', [
      { name: 'C', parent: '' },
      { name: 'A', parent: 'C' },
    ]);
    expect(report.updated).toBe(2);
  });

  it('a cycle beside further items is refused, however late its rows are loaded', () => {
    const it = given().has('category', { name: 'A' }, { name: 'B', parent: 'A' });
    const report = it.send('category', [
      { name: 'B', position: 1 },
      { name: 'A', parent: it.id('category', 'B') },
      { name: 'C', parent: 'A' },
    ]);
    expect(report.data.map(({ action, code }) => code ?? action)).toEqual([
      'updated',
      'category_parent_cycle',
      'created',
    ]);
  });

  it('a deep chain is followed to its end', () => {
    const it = given();
    const items = Array.from({ length: 50 }, (_, i) => ({ name: `L${i}`, ...(i > 0 && { parent: `L${i - 1}` }) }));
    expect(it.send('category', items).created).toBe(50);
    expect(it.line('category', { name: 'L0', parent: 'L49' }).code).toBe('category_parent_cycle');
  });
});

describe('references into the shop', () => {
  it('while the catalog knows none of a kind, only the form of the identifier is checked', () => {
    expect(
      given().line('category', { name: 'A', image: 'file_1', seo_image: 'file_2', warranty: 'two-years' }).action,
    ).toBe('created');
    expect(given().line('category', { name: 'A', image: 'photo 1' }).action).toBe('refused');
    expect(given().line('category', { name: 'A', warranty: 'two years' }).action).toBe('refused');
    expect(given().line('category', { name: 'A', warranty: 'x'.repeat(190) }).action).toBe('created');
    expect(given().line('category', { name: 'A', warranty: 'x'.repeat(191) }).action).toBe('refused');
    expect(given().line('category', { name: 'A', image: `file_${'x'.repeat(64)}` }).action).toBe('created');
    expect(given().line('category', { name: 'A', image: `file_${'x'.repeat(65)}` }).action).toBe('refused');
    expect(given().line('category', { name: 'A', image: 'file_' }).action).toBe('refused');
  });

  it('once it knows some, an unknown one refuses the item', () => {
    const shop = given().has('files', { id: 'file_1' }).has('warranties', { id: 'w1' });
    expect(shop.line('category', { name: 'A', image: 'file_1', warranty: 'w1' }).action).toBe('created');
    expect(
      problemsOf(shop.line('category', { name: 'A', image: 'file_2', seo_image: 'file_3', warranty: 'w2' })).sort(),
    ).toEqual(['reference_not_found image', 'reference_not_found seo_image', 'reference_not_found warranty']);
  });

  it('the identifier of another kind of record is reference_wrong_type', () => {
    expect(given().line('category', { name: 'A', image: 'prod_1' }).code).toBe('reference_wrong_type');
  });
});

describe('a chain of categories has at most 100 levels', () => {
  const chain = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({
      name: `c${from + i}`,
      parent: from + i === 0 ? '' : `c${from + i - 1}`,
    }));
  /** Categories c0 to c99, one below the other. */
  const full = () =>
    given()
      .has('category', ...chain(0, 50))
      .has('category', ...chain(50, 50));

  it('one level more is category_too_deep', () => {
    expect(problemsOf(full().line('category', { name: 'x', parent: 'c99' }))).toEqual(['category_too_deep parent']);
    expect(full().line('category', { name: 'x', parent: 'c98' }).action).toBe('created');
  });

  it('descendants count where a branch is moved', () => {
    const shop = full().has('category', { name: 'root' }, { name: 'a', parent: 'root' }, { name: 'b', parent: 'a' });
    expect(problemsOf(shop.line('category', { name: 'root', parent: 'c97' }))).toEqual(['category_too_deep parent']);
    expect(shop.copy().line('category', { name: 'root', parent: 'c96' }).action).toBe('updated');
  });

  it('and as they are after the items before, of the same batch or transaction', () => {
    const shop = full().has('category', { name: 'root' }, { name: 'a', parent: 'root' }, { name: 'b' });
    const moves = [
      { name: 'b', parent: 'a' },
      { name: 'root', parent: 'c97' },
      { name: 'a', parent: '' },
      { name: 'root', parent: 'c98' },
    ];
    const codes = ['updated', 'category_too_deep', 'updated', 'updated'];
    const told = (lines: readonly { action: string; code: string | null }[]) =>
      lines.map(({ action, code }) => code ?? action);
    expect(told(shop.copy().send('category', moves).data)).toEqual(codes);
    expect(
      told(
        shop
          .copy()
          .sendBatches(
            'category',
            moves.map((one) => [one]),
          )
          .flatMap(({ data }) => data),
      ),
    ).toEqual(codes);
  });
});
