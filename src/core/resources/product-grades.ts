// Condition grades of a product, and the price and stock that follow from them.
import { choice, decimal, type ItemOf, integer, statuses } from '../fields/fields.js';
import { kept, stored } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import { type ListRules, mergeList, noticeDeactivated } from '../planning/merge-list.js';
import type { RowOf } from '../rows/table.js';
import type { ProductRow } from './product-table.js';

const grades = ['new', 'like_new', 'very_good', 'good', 'poor'] as const;

export const gradeRecord = defineRecord(
  'product_grade',
  {
    product: kept(''),
    grade: stored(choice('new, like_new, very_good, good or poor; each at most once', grades, { required: true }), {
      decided: true,
    }),
    price: stored(decimal('the grade’s price', 2)),
    stock: stored(integer('the grade’s stock'), { initial: null, read: 'integer?' }),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated', decided: true }),
    listed: kept(1),
    position: kept(0),
  },
  { id: ['product', 'grade'], parent: 'product' },
);

export const gradeTable = gradeRecord.table;

type GradeRow = RowOf<typeof gradeTable>;

type GradeEntry = ItemOf<typeof gradeRecord.fields>;

const none: readonly string[] = [];

interface GradedItem {
  readonly price?: number | null;
  readonly stock?: number;
  readonly grades?: readonly GradeEntry[];
}

/**
 * Applies grades, price and stock. The price of a product with grades is the lowest grade price, and its stock the sum
 * of the grades' stock; a top-level price or stock is then not applied, and a notice says so.
 * @returns the product's columns that follow from its grades, and which a dry run does not compare
 */
export function applyGrades(
  task: Task,
  item: GradedItem,
  stored: ProductRow | undefined,
  next: ProductRow,
): readonly string[] {
  const listed = item.grades && decideGrades(task, item.grades, stored, next);
  if (listed !== undefined) next.listed_grades = listed.length;
  if (next.listed_grades === 0) {
    // A price that was never set reads as 0.00; sent back like this, it counts as unchanged.
    if (item.price !== undefined && (item.price ?? 0) !== (next.price ?? 0)) next.price = item.price;
    if (item.stock !== undefined) next.stock = item.stock;
  } else {
    tellIgnored(task, item);
    if (listed !== undefined) priceAndStock(listed, next);
  }
  if (task.mode.comparesLists || listed === undefined) return none;
  return next.listed_grades === 0 ? ['listed_grades'] : ['listed_grades', 'price', 'stock'];
}

function tellIgnored(task: Task, item: GradedItem): void {
  if (item.price !== undefined) {
    task.notice('price_ignored', 'price');
  }
  if (item.stock !== undefined) {
    task.notice('stock_ignored', 'stock');
  }
}

/**
 * Over listed grades with status activated, or all listed ones if none is; a grade without price or stock counts only
 * in the other.
 */
function priceAndStock(listed: readonly GradeRow[], next: ProductRow): void {
  const active = listed.filter(({ status }) => status === 'activated');
  const counted = active.length > 0 ? active : listed;
  const prices = counted.flatMap(({ price }) => (price === null ? [] : [price]));
  const stocks = counted.flatMap(({ stock }) => (stock === null ? [] : [stock]));
  if (prices.length > 0) next.price = Math.min(...prices);
  if (stocks.length > 0) next.stock = stocks.reduce((sum, stock) => sum + stock, 0);
}

const rules: ListRules<GradeRow, GradeEntry> = {
  field: 'grades',
  word: 'grade',
  positions: 'index',
  keyOf: ({ grade }) => grade,
  keyOfRow: ({ grade }) => grade,
  create(entry, product) {
    const row = gradeRecord.newRow('', 0);
    row.product = product;
    row.grade = entry.grade ?? '';
    return correct(row, entry);
  },
  correct,
};

/** @returns the grades that are listed now */
function decideGrades(
  task: Task,
  entries: readonly GradeEntry[],
  stored: ProductRow | undefined,
  next: ProductRow,
): GradeRow[] {
  const merged = mergeList(task, rules, {
    record: next.id,
    stored: stored === undefined ? [] : task.snapshot.children(gradeTable, stored.id),
    // Grades are stored from new to poor, in whatever order they were sent.
    entries: entries.map((entry) => ({ ...entry, position: grades.indexOf(entry.grade as (typeof grades)[number]) })),
  });
  const compared = task.mode.comparesLists;
  if (compared) noticeDeactivated(task, 'grades', merged);
  for (const { before, next: row } of merged) {
    task.saveChild(gradeTable, before, row, change, compared);
  }
  return merged.filter(({ next: row }) => row.listed === 1).map(({ next: row }) => row);
}

function correct(row: GradeRow, entry: GradeEntry): GradeRow {
  const next = { ...row };
  gradeRecord.applySent(entry, next);
  return next;
}

const change: ChildChange = {
  path: (row) => `grades[${row['grade']}]`,
  show(row, snapshot) {
    const { grade: _, ...shown } = gradeRecord.view(row, snapshot);
    return { ...shown, stock: shown['stock'] ?? '' };
  },
};
