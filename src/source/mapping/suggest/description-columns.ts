// Finds texts whose header has a word of descriptions next to others: `Kurzbeschreibung` may say less than a description.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { isNested } from './column-kinds.js';
import { headerWords, namesAny } from './read-header.js';

const stems = headerWords['description'] ?? [];
const ofOthers = /seo|meta|categ|kateg|image|bild|tax|ship|unit|brand/iu;

/** The columns that could be the description. */
export const describingColumns = (columns: readonly ColumnProfile[]): readonly ColumnProfile[] =>
  columns.filter(
    (one) =>
      namesAny(one.name, stems) &&
      !ofOthers.test(one.name) &&
      one.spaced * 2 >= one.filled &&
      one.distinct * 2 > one.filled &&
      !isNested(one),
  );
