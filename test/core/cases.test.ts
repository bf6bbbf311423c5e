// Every pair of fixtures/cases, on rows in memory.
import { describe, expect, it } from 'vitest';
import { notices, refusals } from '../../src/core/diagnostics/refusal-codes.js';
import { asExpected, type CaseCatalog, cases, runCase } from '../cases.js';
import { given } from '../given.js';

function inMemory(): CaseCatalog {
  const shop = given();
  return {
    send: async (resource, items, mode) => shop.send(resource, items, mode),
    id: async (resource, key) => shop.id(resource, key),
    deleteProduct: async (sku) => expect(shop.deleteProduct(sku)).toBe(true),
  };
}

describe('cases', () => {
  it.each(cases)('%s', async (_, it) => {
    expect(asExpected(await runCase(it, inMemory()), it.report)).toEqual(it.report);
  });

  it('say in one sentence which rule they show', () => {
    for (const [name, { rule }] of cases) expect(`${name}: ${rule}`).toMatch(/: [A-Z].+[^.]\.$/);
  });
});

describe('every code', () => {
  /**
   * Told by sources and by the client of a remote; of undone runs, in cli/ledger.test.ts; of ranked feeds, in
   * store/ledger-contract.ts; of items left out, in store/only-contract.ts; of plans, in cli/plan.test.ts; of corrected keys, in
   * cli/refused-keys.test.ts; of files, in cli/shared-barcodes.test.ts; and what takes a hundred categories, in
   * resources/category.test.ts, or thousands of entries, in limits.test.ts.
   */
  const ofOthers =
    'row_shape item_not_json repeated_in_file superseded currency_mismatch category_path_mismatch sent_again category_too_deep not_sent status_regained record_incomplete owned_by_feed passed_to_feed changed_since_plan already_applied more_omitted mapping_list_unexpected mapping_rows_disagree mapping_operand_empty not_created not_updated mapping_not_comparable too_many_kept barcode_shared'.split(
      ' ',
    );

  it('of a refusal or a notice occurs in some case', async () => {
    const told = new Set<string>(ofOthers);
    for (const [, it] of cases) {
      for (const line of (await runCase(it, inMemory())).data) {
        if (line.code !== null) told.add(line.code);
        for (const { code } of line.notice) told.add(code);
      }
    }
    expect([...told].sort()).toEqual([...Object.keys(refusals), ...Object.keys(notices)].sort());
  });

  it('is a unique word in snake_case, with a title, a meaning and a remedy that are sentences', () => {
    const all = [...Object.entries(refusals), ...Object.entries(notices)];
    expect(new Set(all.map(([code]) => code)).size).toBe(all.length);
    for (const [code, { title, meaning, remedy }] of all) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      expect(meaning).toMatch(/\.$/);
      expect(remedy).toMatch(/\.$/);
    }
  });

  it('of the specification is defined', () => {
    const decided =
      'item_not_object field_required field_type field_too_long field_format field_not_allowed_value field_out_of_range field_decimals invalid_text too_many_entries duplicate_entry duplicate_in_batch reference_not_found reference_wrong_type category_parent_cycle hex_not_allowed hex_required unit_not_allowed scope_ident_required scope_ident_not_allowed link_incomplete shared_read_only axis_attribute_required axis_attribute_not_allowed axis_name_required axis_kind_not_allowed axis_price_mode_not_allowed grade_axis_repeated currency_required attribute_value_not_listed main_media_repeated customer_not_found order_not_found order_item_not_found order_item_without_order review_not_imported row_shape item_not_json';
    expect(Object.keys(refusals)).toEqual(expect.arrayContaining(decided.split(' ')));
    const told =
      'field_ignored price_ignored stock_ignored product_unknown kind_ignored name_replaced created_at_ignored status_ignored entries_deactivated slug_adjusted repeated_in_batch attribute_out_of_scope custom_colour';
    expect(Object.keys(notices)).toEqual(expect.arrayContaining(told.split(' ')));
  });
});
