// The messages of refusals and notices: the value first, then the fault, then the remedy. In process a diagnostic is data;
// this is the one place where its text is made.

import { nearest, quote, type Spent } from '../text/text.js';
import { amountRange } from './number-problems.js';
import type { NoticeCode, RefusalCode } from './refusal-codes.js';

/** The parameters of a message in addition to the value. */
export type MessageParams = Readonly<Record<string, string | number | readonly string[]>>;

interface MessageInput {
  readonly field: string;
  /** The sent value, quoted; '' if there is none. */
  readonly value: string;
  readonly params: MessageParams;
  /** The steps of searches for what was meant. */
  readonly spent: Spent | undefined;
}

/** The path of the entry that a field belongs to: `values[0]` for `values[0].hex`. */
const entryOf = (field: string): string => field.replace(/\.[a-z_]+$/, '');

/** "Did you mean …?", if a value is similar enough. */
function meant(value: string, allowed: readonly string[], spent: Spent | undefined): string {
  const near = nearest(value, allowed, spent);
  return near === undefined ? '' : ` Did you mean ${quote(near)}?`;
}

/** Words of a closed list: `card or list`. */
function listed(words: readonly string[]): string {
  const shown = words.map((word) => (word === '' ? "''" : word));
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}`;
}

/** Names of fields, no more than fit a line: `price, stock and 3 more`. */
function listedFields(names: readonly string[]): string {
  const shown = names.slice(0, 5).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function list(value: MessageParams[string] | undefined): readonly string[] {
  return Array.isArray(value) ? value : [];
}

function notListed({ value, params, spent }: MessageInput): string {
  const active = list(params['allowed']);
  const wrong = `${value} is not an active value of ${quote(params['name'])}`;
  if (active.length === 0) return `${wrong}, which has none.`;
  if (active.length === 1) return `${wrong}; its only one is ${quote(active[0])}.`;
  return `${wrong}.${meant(String(params['sent']), active, spent)} (${active.length} values)`;
}

/** How a field may refer to a record. */
export type ReferenceForm = 'identifier' | 'name or identifier' | 'identifier, in a file its name' | 'shop record';

function referenceNotFound({ field, value, params }: MessageInput): string {
  const word = String(params['word']);
  const prefix = params['prefix'];
  const remedies: Readonly<Record<ReferenceForm, string>> = {
    identifier: `Use the identifier of a ${word} (${prefix}).`,
    // The prefix is not shown for a category's parent, which is usually given by name.
    'name or identifier': `Import it first, or use an existing name or identifier${field === 'parent' ? '' : ` (${prefix})`}.`,
    'identifier, in a file its name': `Import it first, or use an existing identifier (${prefix}); in a file also its name.`,
    'shop record': `Load it first, or use a ${word} of the shop.`,
  };
  const named = word.charAt(0).toUpperCase() + word.slice(1);
  return `${named} ${value} not found. ${remedies[params['accepts'] as ReferenceForm]}`;
}

/** The message for a text that does not have the form of its field. */
function wrongForm({ value, params }: MessageInput): string {
  const { form, word, prefix, of, other } = params;
  switch (form) {
    case 'amount':
      return `${value} is not a number. Use a form like 12.50.`;
    case 'colour':
      return `${value} is not a colour. ${sixDigits}`;
    case 'currency':
      return `${value} is not a currency code. Use three letters, such as EUR.`;
    case 'language':
      return `${value} is not a language code. Use three small letters, such as eng.`;
    case 'alias':
      return `${value} differs from ${of} ${quote(other)}. Send one of them, or the same.`;
    default: {
      const example =
        form === 'identifier' ? `an identifier such as ${prefix}7x2k` : `${prefix} and 1 to 64 of A-Z a-z 0-9 _ -`;
      const use = prefix === '' ? '1 to 190 bytes without white space' : example;
      return `${value} is not an identifier of a ${word}. Use ${use}.`;
    }
  }
}

/** Types of fields, with the remedy where the name does not say enough. */
const typeNames: Readonly<Record<string, string>> = {
  boolean: 'a boolean. Use true or false.',
  text: 'text.',
  integer: 'a whole number.',
  number: 'a number. Send a number, or a text like 12.50.',
  list: 'a list of entries.',
  object: 'an object of fields.',
};

/** Closed lists that are too long for a message. */
const listNames: Readonly<Record<string, string>> = {
  currencies: 'Use a current ISO 4217 code.',
  languages: 'Use an ISO 639-3 code.',
};

const leaveOneOut = 'Leave one of them out.';
const sixDigits = 'Use six hexadecimal digits, such as 1e90ff.';

type MessageTemplate = (said: MessageInput) => string;

/** Codes whose sentences are made where they are found: of records as they are read or mapped (source-problems.ts), of a remote, of a plan. */
type CodeOfSources =
  | ('row_shape' | 'item_not_json' | 'record_incomplete' | 'repeated_in_file' | 'category_path_mismatch')
  | ('mapping_list_unexpected' | 'mapping_not_comparable' | 'mapping_operand_empty' | 'mapping_rows_disagree')
  | ('already_applied' | 'not_sent' | 'sent_again');

const messageTemplates: Readonly<Record<Exclude<RefusalCode | NoticeCode, CodeOfSources>, MessageTemplate>> = {
  item_not_object: ({ value }) => `The item is ${value}, not an object of fields.`,
  field_required: ({ field, params }) =>
    params['unless'] === 'kind colour' ? `${field} is required for every kind but colour.` : `${field} is required.`,
  field_type: ({ value, params }) => `${value} is not ${typeNames[String(params['expected'])]}`,
  field_too_long: ({ value, params }) =>
    `${value} is ${params['length']} ${params['unit']} long; the limit is ${params['most']} ${params['unit']}.`,
  field_format: wrongForm,
  field_not_allowed_value: ({ value, params, spent }) => {
    const allowed = list(params['allowed']);
    const use = listNames[String(params['list'])] ?? `Use ${listed(allowed)}.`;
    return `${value} is not allowed.${meant(String(params['wanted']), allowed, spent)} ${use}`;
  },
  field_out_of_range: ({ value, params }) => {
    const range = params['form'] === 'amount' ? amountRange : `from ${params['min']} to ${params['max']}`;
    return `${value} is out of range; it must be ${range}.`;
  },
  field_decimals: ({ value, params }) => `${value} has more than ${params['most']} decimals. Round it first.`,
  invalid_text: ({ value, params }) =>
    `${value} contains ${params['fault'] === 'nul' ? 'a NUL character' : 'half a surrogate pair'}. Remove it.`,
  too_many_entries: ({ field, params }) =>
    `${field} has ${params['length']} entries; the limit is ${params['most']} entries.`,
  too_many_kept: ({ field, params: { kept, most, unit = 'entries' } }) =>
    `${field}: with the entries of earlier lists, the record would keep ${kept} ${unit}; the limit is ${most} ${unit}. Send earlier entries again instead of new ones.`,
  duplicate_entry: ({ field, value, params }) =>
    value === ''
      ? `${field} has the same ${params['word']} as ${params['first']}. ${leaveOneOut}`
      : `${value} of ${quote(params['name'])} is in ${params['first']} already. ${leaveOneOut}`,
  duplicate_in_batch: ({ value, params }) => `${value} is ${otherPosition(params)} already. Send each record once.`,
  reference_not_found: referenceNotFound,
  reference_wrong_type: ({ value, params }) =>
    `${value} is the identifier of another kind of record. Use an identifier that begins with ${params['prefix']}.`,
  category_parent_cycle: ({ value }) =>
    `${value} is the category itself or lies below it. Choose a parent outside its branch.`,
  category_too_deep: ({ value, params }) =>
    `Below ${value} ${params['below'] === 0 ? 'the category' : 'a category below this one'} would be on level ${params['level']}; the limit is ${params['most']} levels.`,
  hex_not_allowed: ({ value }) => `${value} is not allowed on a custom characteristic. Leave hex out.`,
  hex_required: ({ field }) => `${field} is required for a colour. ${sixDigits}`,
  unit_not_allowed: ({ value }) => `${value} is not allowed on a colour characteristic. Leave unit out.`,
  scope_ident_required: ({ field, params }) =>
    `${field} is required for scope ${params['scope']}. Use the identifier of a ${params['scope']} (${params['prefix']}).`,
  scope_ident_not_allowed: ({ value }) => `${value} is not allowed for scope catalog. Leave scope_ident out.`,
  link_incomplete: ({ field }) =>
    `${field} is required: send link_label and link_page together, or both as '' to remove the link.`,
  shared_read_only: ({ value }) => `${value} is shared by the service and cannot be changed. Leave it out.`,
  axis_attribute_required: ({ field }) => `${field} is required for an axis of source characteristic.`,
  axis_attribute_not_allowed: ({ value, params }) =>
    `${value} is not allowed on an axis of source ${params['source']}. Leave attribute out.`,
  axis_name_required: ({ field }) => `${field} is required for an axis of source custom.`,
  axis_kind_not_allowed: ({ value }) => `${value} is not allowed on a grade axis. Use card or list.`,
  axis_price_mode_not_allowed: ({ value, params }) =>
    `${value}${params['isStored'] === 'yes' ? ' (stored)' : ''} is not allowed on a ${params['axis']} axis. Use ${listed(list(params['allowed']))}.`,
  grade_axis_repeated: ({ field, params }) =>
    `${entryOf(field)} is a second grade axis, after ${params['first']}. ${leaveOneOut}`,
  currency_required: ({ value }) =>
    // '' was sent, as it is quoted.
    value !== '""'
      ? 'currency is required for a new product, for example EUR.'
      : 'currency is empty. Use a code such as EUR, or leave it out to keep the stored one.',
  currency_mismatch: ({ value, params }) =>
    `${params['source']}: ${value} names ${params['written']}, and the currency of the product is ${params['currency']}. ` +
    'Correct the amount, or send the currency with it.',
  attribute_value_not_listed: notListed,
  main_media_repeated: ({ field, params }) =>
    `${field} is true, and so is ${params['first']}. Mark one photo as cover.`,
  customer_not_found: ({ value }) => `Customer ${value} not found. Load it first, or correct the reference.`,
  order_not_found: ({ value }) => `Order ${value} not found. Load it first, or leave the order out.`,
  order_item_not_found: ({ value, params }) => `${value} is not a line of order ${quote(params['order'])}.`,
  order_item_without_order: ({ value }) => `${value} needs order_external_id in the same item.`,
  review_not_imported: () => 'Only a review that is imported already can be deleted. Leave the item out.',
  changed_since_plan: ({ value, params }) => {
    if (params['how'] === 'created') return `${value} was created since the plan was made. It was left out.`;
    if (params['how'] === 'gone') return `${value} is not in this catalog. It was left out.`;
    return `${value} changed since the plan was made (${listedFields(list(params['fields']))}). It was left out.`;
  },
  field_ignored: ({ value, params }) => {
    if (value !== '') return `${value} is not a field that can be written here; it was ignored.`;
    const names = list(params['names']);
    const shown = names.map((name) => quote(name)).join(', ');
    const more = Number(params['count']) > names.length ? ' and more' : '';
    return `${params['count']} members are not fields that can be written here; they were ignored: ${shown}${more}.`;
  },
  more_omitted: ({ params }) => {
    const parts = ['problem', 'notice', 'change'].flatMap((word) => {
      const count = params[`${word}s`];
      return count === 0 ? [] : `${count} more ${word}${count === 1 ? '' : 's'}`;
    });
    return `${parts.join(', ')} of this item were left out of the report.`;
  },
  lists_not_compared: () => 'The grades, attributes and photos were not compared; send diff to compare them.',
  not_created: () => 'The catalog has no such record; none is created (only update).',
  not_updated: () => 'The record exists and differs; it stays as it is (only create).',
  superseded: ({ params }) => `Line ${params['line']} has the same key and was imported instead.`,
  price_ignored: () => 'price was not applied: it is the lowest price of the grades.',
  stock_ignored: () => 'stock was not applied: it is the sum of the stock of the grades.',
  product_unknown: ({ value }) => `Product ${value} not found. The review was kept with the SKU only.`,
  kind_ignored: ({ value, params }) => `${value} was not applied: ${quote(params['name'])} stays ${params['kind']}.`,
  name_replaced: ({ value }) => `${value} was replaced by "Colour", the name of every colour characteristic.`,
  created_at_ignored: ({ value, params }) => `${value} was not applied: the record keeps ${params['kept']}.`,
  compare_above_lowest: ({ value, params }) =>
    `${value} is above ${params['lowest']}, the lowest price of the 30 days before the reduction${Number(params['days']) < 30 ? ` (${params['days']} of them are known)` : ''}.`,
  status_ignored: ({ value }) => `${value} was not applied: the product was deleted in the shop.`,
  entries_deactivated: ({ params }) =>
    params['count'] === 1
      ? '1 stored entry is not in the list; it was deactivated.'
      : `${params['count']} stored entries are not in the list; they were deactivated.`,
  status_regained: ({ value }) => `is listed again; its status is ${value} again, as before it was suspended.`,
  owned_by_feed: ({ value, params }) =>
    `${value === '' ? 'The value' : value} was not applied: feed ${params['owner']} owns the field.`,
  passed_to_feed: ({ params }) =>
    `Feed ${params['feed']} no longer sends it: the value of feed ${params['from']} applies.`,
  slug_adjusted: ({ value, params }) => {
    const fault = params['isTaken'] === 'yes' ? 'is taken' : 'is not a valid slug';
    return `${value} ${fault}; ${quote(params['kept'])} is used instead.`;
  },
  repeated_in_batch: ({ params }) => `The same record is ${otherPosition(params)}; this one was applied on top of it.`,
  attribute_out_of_scope: ({ value, params }) =>
    `${value} applies to ${params['scope']} ${params['ident']} only, and this product is not in it.`,
  custom_colour: () => 'A custom characteristic called Colour was created; its values have no hex.',
  check_digit_wrong: ({ value }) => `${value} is not a valid barcode: its check digit is wrong. It was kept as it is.`,
  barcode_shared: ({ value, params }) =>
    `${value} is the barcode of another product, too, ${params['line'] === undefined ? 'as ' : ''}${otherPosition(params)}.`,
  digits_lost: ({ value }) => `${value} is a number shortened by a spreadsheet; it was kept as it is.`,
};

/** Where the other record is: its line if known, else its position in the batch. */
function otherPosition(params: MessageParams): string {
  return params['line'] === undefined ? `item ${params['index']} of this batch` : `on line ${params['line']}`;
}

/** The sentence of a diagnostic. @param spent the steps of searches that its batch has made */
export function messageText(
  code: RefusalCode | NoticeCode,
  field: string,
  value: unknown,
  params: MessageParams = {},
  spent?: Spent,
): string {
  const template = (messageTemplates as Readonly<Partial<Record<string, MessageTemplate>>>)[code];
  if (template === undefined) throw new Error(`${code} has no message`);
  return template({ field, value: value === undefined ? '' : quote(value), params, spent });
}
