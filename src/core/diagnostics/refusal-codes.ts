// The codes of refusals and notices: fixed title, meaning, remedy. `explain` prints these. A released code never changes its
// meaning; more may be added.
import type { Diagnostic } from '../import-report.js';
import type { CodeMeaning } from './code-meaning.js';
import { notices } from './notice-codes.js';

export { notices };

export const refusals = {
  item_not_object: {
    title: 'Item is not an object',
    meaning: 'An entry of `items` is not a JSON object.',
    remedy: 'Send each record as an object with the fields of its resource.',
  },
  field_required: {
    title: 'Required field missing',
    meaning: 'A field that the record cannot do without was not sent, or is empty after white space was removed.',
    remedy: 'Send the field; in a file, check that its column is there and mapped (--rename).',
  },
  field_type: {
    title: 'Wrong type',
    meaning: 'The value has another JSON type than the field, or a fraction was sent for a whole number.',
    remedy: 'Send the type named in the reason.',
  },
  field_too_long: {
    title: 'Value too long',
    meaning: 'The text is longer than the field allows. Bytes are UTF-8 bytes, characters are code points.',
    remedy: 'Shorten the text to the limit in the reason.',
  },
  field_format: {
    title: 'Wrong format',
    meaning: 'The value is not written as the field asks: a plain decimal, six hex digits, a currency, an identifier.',
    remedy: 'Write it as the reason shows. For 1.234,50 import with --decimal , .',
  },
  field_not_allowed_value: {
    title: 'Value not allowed',
    meaning: 'The value is not one of the closed list the field accepts.',
    remedy: 'Use one of the values in the reason; the nearest one is named.',
  },
  field_out_of_range: {
    title: 'Value out of range',
    meaning: 'The number is smaller or larger than the field accepts.',
    remedy: 'Send a number within the range in the reason.',
  },
  field_decimals: {
    title: 'Too many decimals',
    meaning: 'The amount has more decimals than the field keeps; it is not rounded for you.',
    remedy: 'Round the amount at its source: 2 decimals for prices, 3 for weights.',
  },
  invalid_text: {
    title: 'Invalid text',
    meaning: 'The text holds a NUL, half a surrogate pair, or bytes that are not text in the encoding of the file.',
    remedy: 'Remove the character; for a file in another encoding than UTF-8 name it with --encoding.',
  },
  too_many_entries: {
    title: 'Too many entries',
    meaning: 'A list holds more entries than its record may have.',
    remedy: 'Send at most as many entries as the reason says.',
  },
  too_many_kept: {
    title: 'Too many entries kept',
    meaning: 'A record remembers the entries that its list no longer has, and would remember too many.',
    remedy: 'Send entries that were there before again in place of new ones.',
  },
  duplicate_entry: {
    title: 'Entry repeated',
    meaning: 'Two entries of one list stand for the same thing: the same label, axis, grade or file.',
    remedy: 'Leave one of them out.',
  },
  duplicate_in_batch: {
    title: 'Record repeated in the batch',
    meaning: 'An earlier item of the same batch has the same external_id.',
    remedy: 'Send each review once.',
  },
  reference_not_found: {
    title: 'Reference not found',
    meaning: 'The record that the field refers to is not in the catalog.',
    remedy: 'Import first what is referred to (see --help for the order), or correct the reference.',
  },
  reference_wrong_type: {
    title: 'Reference to another kind of record',
    meaning: 'The identifier belongs to another resource than the field refers to.',
    remedy: 'Send an identifier with the prefix in the reason.',
  },
  category_parent_cycle: {
    title: 'Category would be its own ancestor',
    meaning: 'The parent is the category itself or one of its descendants.',
    remedy: 'Choose a parent outside the category’s own branch.',
  },
  category_too_deep: {
    title: 'Category too deep',
    meaning: 'The category, or one below it, would have more levels above it than a catalog may have.',
    remedy: 'Choose a parent nearer to the top.',
  },
  category_path_mismatch: {
    title: 'Category elsewhere in the tree',
    meaning: 'The path names ancestors that the stored category does not have, or one file puts a name in two places.',
    remedy:
      'Correct the path, or name the two categories apart; in a mapping, with name: {repeated: parent} or {repeated: full} next to path:.',
  },
  hex_not_allowed: {
    title: 'Hex on a custom characteristic',
    meaning: 'Only the values of a colour characteristic have a hex.',
    remedy: 'Leave hex out, or make it a characteristic of kind colour.',
  },
  hex_required: {
    title: 'Hex missing',
    meaning: 'Every value of a colour characteristic has a hex.',
    remedy: 'Send six hexadecimal digits, such as #1e90ff.',
  },
  unit_not_allowed: {
    title: 'Unit on a colour characteristic',
    meaning: 'Only custom characteristics have a unit.',
    remedy: 'Leave unit out.',
  },
  scope_ident_required: {
    title: 'Scope without its record',
    meaning: 'A characteristic of scope category or product says which one it applies to.',
    remedy: 'Send scope_ident with the identifier of that category or product.',
  },
  scope_ident_not_allowed: {
    title: 'Record named for scope catalog',
    meaning: 'A characteristic of scope catalog applies to everything.',
    remedy: 'Leave scope_ident out, or send scope category or product.',
  },
  link_incomplete: {
    title: 'Link incomplete',
    meaning: 'link_label and link_page are sent together; both empty remove the link.',
    remedy: 'Send both, filled or both empty.',
  },
  shared_read_only: {
    title: 'Shared characteristic',
    meaning: 'The characteristic is shared by the service: it can be read and not written.',
    remedy: 'Leave it out of the import, or use another name.',
  },
  axis_attribute_required: {
    title: 'Axis without characteristic',
    meaning: 'An axis of source characteristic names the characteristic it offers.',
    remedy: 'Send attribute with its identifier or name, or another source.',
  },
  axis_attribute_not_allowed: {
    title: 'Characteristic on another source',
    meaning: 'Only an axis of source characteristic has an attribute.',
    remedy: 'Leave attribute out, or send source characteristic.',
  },
  axis_name_required: {
    title: 'Custom axis without name',
    meaning: 'An axis of source custom is recognized by its name.',
    remedy: 'Send name.',
  },
  axis_kind_not_allowed: {
    title: 'Kind not accepted by the axis',
    meaning: 'A grade axis is drawn as card or list.',
    remedy: 'Send card or list.',
  },
  axis_price_mode_not_allowed: {
    title: 'Price mode not accepted by the axis',
    meaning: 'pill and swatch axes accept only none; a grade axis does not accept from. What is stored counts too.',
    remedy: "Send a price mode the reason names, or '' for the default.",
  },
  grade_axis_repeated: {
    title: 'Second grade axis',
    meaning: 'A group has at most one grade axis.',
    remedy: 'Leave one of them out.',
  },
  currency_required: {
    title: 'Currency missing',
    meaning: 'A new product says in which currency its prices are.',
    remedy: 'Send currency, or give it for the whole file: --set currency=EUR.',
  },
  currency_mismatch: {
    title: 'Amount in another currency',
    meaning: 'A currency sign or code next to an amount is not that of the item.',
    remedy: 'Correct the amount or the currency; in a mapping, take it from the amount: currency: {from: price}.',
  },
  attribute_value_not_listed: {
    title: 'Value not in the characteristic’s list',
    meaning: 'The characteristic has a closed list, and the value is not an active one of it.',
    remedy: 'Correct the value, or import the characteristic with this value added first.',
  },
  main_media_repeated: {
    title: 'Second cover photo',
    meaning: 'At most one photo of a product is its cover.',
    remedy: 'Send is_main true on one photo.',
  },
  customer_not_found: {
    title: 'Customer not found',
    meaning: 'No customer has this external_id.',
    remedy: 'Load customers first: catalog-import shop load customers <file>.',
  },
  order_not_found: {
    title: 'Order not found',
    meaning: 'No order has this external_id.',
    remedy: 'Load orders first: catalog-import shop load orders <file>; or leave the order out.',
  },
  order_item_not_found: {
    title: 'Order line not found',
    meaning: 'The order has no line with this external_id.',
    remedy: 'Correct order_item_external_id, or leave it out.',
  },
  order_item_without_order: {
    title: 'Order line without order',
    meaning: 'A line is looked up in the order named in the same item.',
    remedy: 'Send order_external_id too.',
  },
  review_not_imported: {
    title: 'Review not imported yet',
    meaning: 'Status deleted withdraws a review that is there; this one is not.',
    remedy: 'Leave the item out, or import the review first.',
  },
  changed_since_plan: {
    title: 'Record changed since the plan',
    meaning:
      'The item would replace a value that changed since the plan was made, so that it was left out. All other items of the plan were applied.',
    remedy: 'Look at the record (catalog-import why), and make a new plan, or import the file.',
  },
  row_shape: {
    title: 'Row does not fit the header',
    meaning:
      'The row has more or fewer cells than the header, a quoted cell continues after its closing quote, or a quote joins the row with others, so that no cell can be trusted to be in its column.',
    remedy:
      'Quote cells that contain the delimiter, double the quotes inside a quoted cell, and look at the line named in the report.',
  },
  mapping_list_unexpected: {
    title: 'Several values where the mapping reads one',
    meaning:
      'A column of the mapping is a list in this record, or leads through one, and the mapping does not say which of its entries counts.',
    remedy: 'Write the form that the reason names: a path with [], with take: or join:, or each.',
  },
  mapping_not_comparable: {
    title: 'Value cannot be compared',
    meaning:
      'A condition of the mapping compares a value of this record as a number or a date (over:, before:), and it is neither. What follows from the condition would be a guess.',
    remedy: 'Correct the value, or say in of: how it is written: number:, date:.',
  },
  mapping_operand_empty: {
    title: 'One of two numbers is empty',
    meaning:
      'plus: or times: of the mapping has one number and an empty value in this record. One number alone would be a wrong amount.',
    remedy: 'Fill the cell, or write default: in the mapping with the number that an empty one stands for.',
  },
  mapping_rows_disagree: {
    title: 'Rows of one record disagree',
    meaning:
      'Several rows give one value (rows:, once:, a row of a table), and have different ones. The mapping does not say which of them counts.',
    remedy: 'Correct one of the lines in the reason, or write aggregate: in the mapping.',
  },
  record_incomplete: {
    title: 'Record may be incomplete',
    meaning:
      'A row that could not be read is next to the rows of this record, or may hold what this record takes from it: a cell that is repeated from above, a row of a table.',
    remedy:
      'Correct the line that the reason names, and import the file again; or add what that line holds to this record in the file of --refused-file.',
  },
  repeated_in_file: {
    title: 'Record repeated in the file',
    meaning: 'Another row of the same file has the same key, and --on-duplicate does not take both.',
    remedy:
      'Take one of the two rows out, or import with --on-duplicate last. In a mapping, once: merge makes one record of them.',
  },
  item_not_json: {
    title: 'Line is not JSON',
    meaning: 'A line of an NDJSON file is not valid JSON.',
    remedy: 'Correct the line named in the report. Records of several lines each go into an array, in a .json file.',
  },
} as const satisfies Record<string, CodeMeaning>;

export type RefusalCode = keyof typeof refusals;
export type NoticeCode = keyof typeof notices;

/** One thing that is wrong with an item. */
export interface Problem extends Diagnostic {
  readonly code: RefusalCode;
}

/** The `reason` of a refused line: the message, preceded by the path of the field unless it begins with that. */
export function reasonOf({ field, message }: Problem): string {
  return field === '' || message.startsWith(`${field} `) ? message : `${field}: ${message}`;
}
