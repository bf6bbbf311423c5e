// Photos of a product.
import { describe, expect, it } from 'vitest';
import { type Given, given, type Item, problemsOf } from '../../given.js';

const product = (fields: Item = {}) => ({ sku: 'A', currency: 'EUR', ...fields });

describe('media', () => {
  const send = (it: Given, ...media: Item[]) => it.line('product', product({ media }));
  const cover = (it: Given) =>
    it
      .table('product_media')
      .filter(({ is_main }) => is_main === 1)
      .map(({ file }) => file);

  it('the same file twice is duplicate_entry', () => {
    expect(send(given(), { file: 'file_1' }, { file: 'file_1' }).code).toBe('duplicate_entry');
  });

  it('at most one cover: is_main true twice in a list is refused', () => {
    expect(problemsOf(send(given(), { file: 'file_1', is_main: true }, { file: 'file_2', is_main: true }))).toEqual([
      'main_media_repeated media[1].is_main',
    ]);
  });

  it('is_main sent true on one photo takes it from the stored one', () => {
    const it = given();
    send(it, { file: 'file_1', is_main: true }, { file: 'file_2' });
    expect(cover(it)).toEqual(['file_1']);
    expect(send(it, { file: 'file_1' }, { file: 'file_2', is_main: true }).action).toBe('updated');
    expect(cover(it)).toEqual(['file_2']);
  });

  it('is_main absent from a stored photo is kept; false takes it away', () => {
    const it = given();
    send(it, { file: 'file_1', is_main: true }, { file: 'file_2' });
    expect(send(it, { file: 'file_1' }, { file: 'file_2' }).action).toBe('unchanged');
    expect(cover(it)).toEqual(['file_1']);
    send(it, { file: 'file_1', is_main: false }, { file: 'file_2' });
    expect(cover(it)).toEqual([]);
  });

  it('the form of a file is checked while none is known, the file itself once some are', () => {
    expect(problemsOf(send(given(), { file: 'photo.jpg' }))).toEqual(['field_format media[0].file']);
    expect(send(given(), { file: 'prod_1' }).code).toBe('reference_wrong_type');
    const it = given().has('files', { id: 'file_1' });
    expect(send(it, { file: 'file_1' }).action).toBe('created');
    expect(problemsOf(send(it, { file: 'file_1' }, { file: 'file_2' }))).toEqual(['reference_not_found media[1].file']);
  });
});
