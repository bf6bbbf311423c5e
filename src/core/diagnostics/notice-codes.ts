// The codes of notices: what is reported about an item that was accepted.
import type { CodeMeaning } from './code-meaning.js';

export const notices = {
  field_ignored: {
    title: 'Unknown field ignored',
    meaning: 'The resource has no such field, or it cannot be written.',
    remedy: 'Leave it out, or correct its name.',
  },
  price_ignored: {
    title: 'Price not applied',
    meaning: 'The product has grades: its price is the lowest grade price.',
    remedy: 'Send the price with the grades.',
  },
  stock_ignored: {
    title: 'Stock not applied',
    meaning: 'The product has grades: its stock is the sum of the grades’ stock.',
    remedy: 'Send the stock with the grades.',
  },
  product_unknown: {
    title: 'SKU not in the catalog',
    meaning: 'The review was kept with the SKU only; it is linked once a product with that SKU is imported.',
    remedy: 'Import the product, or correct product_sku.',
  },
  kind_ignored: {
    title: 'Kind not changed',
    meaning: 'The kind of an existing characteristic never changes.',
    remedy: 'Use another name for a characteristic of another kind.',
  },
  name_replaced: {
    title: 'Name replaced',
    meaning: 'A characteristic of kind colour is always called Colour.',
    remedy: 'Send Colour, or no name.',
  },
  created_at_ignored: {
    title: 'Creation time not changed',
    meaning: 'created_at is kept from the first import.',
    remedy: 'Nothing to do.',
  },
  status_ignored: {
    title: 'Status not applied',
    meaning: 'The product was deleted in the shop; an import never brings it back. Its other fields were applied.',
    remedy: 'Restore the product in the shop’s workspace.',
  },
  entries_deactivated: {
    title: 'Entries deactivated',
    meaning: 'Entries that are stored were left out of a list that is the whole set.',
    remedy: 'Send the whole list, or leave it out to keep the stored one.',
  },
  status_regained: {
    title: 'Status regained',
    meaning:
      'The record was suspended since its feed did not list it, or since the run that created it was undone. It is listed again, and has the status it had.',
    remedy: 'Nothing; send a status to choose another one.',
  },
  owned_by_feed: {
    title: 'Owned by another feed',
    meaning:
      'A feed that is ranked higher sends the field of this record, and its value counts. The value that was sent is remembered, and applies once that feed no longer sends it.',
    remedy: 'Nothing to do. catalog-import feeds shows the ranking, feeds set changes it.',
  },
  passed_to_feed: {
    title: 'Passed on to another feed',
    meaning: 'The feed no longer sends the field of this record: the value that a lower feed sends counts now.',
    remedy: 'Nothing to do, unless the feed should still send the field.',
  },
  not_created: {
    title: 'Not created',
    meaning: 'The catalog has no such record, and with --only update none is created. Nothing was saved.',
    remedy: 'Nothing to do. Import it without --only update, where the record is to be created.',
  },
  not_updated: {
    title: 'Not updated',
    meaning: 'The record exists and differs, and with --only create it stays as it is. Nothing was saved.',
    remedy: 'Nothing to do. Import it without --only create, where the record is to be updated.',
  },
  already_applied: {
    title: 'Already applied',
    meaning: 'An earlier run applied this item of the plan.',
    remedy: 'Nothing. Undo that run, or make a new plan, to apply it again.',
  },
  slug_adjusted: {
    title: 'Slug adjusted',
    meaning: 'The slug that was sent is taken or not in the form of an address segment; another was kept.',
    remedy: 'Choose a slug of a-z, 0-9 and hyphens that no other record has.',
  },
  repeated_in_batch: {
    title: 'Record repeated in the batch',
    meaning: 'An earlier item of the same batch was accepted for the same record; this one was applied on top.',
    remedy: 'Send each record once, unless that was meant.',
  },
  attribute_out_of_scope: {
    title: 'Characteristic out of scope',
    meaning: 'The characteristic applies to a category the product is not in, or to another product.',
    remedy: 'Correct the product’s category or the characteristic’s scope.',
  },
  custom_colour: {
    title: 'Custom characteristic called Colour',
    meaning: 'The record was created as a custom characteristic: its values have no hex.',
    remedy: 'For a colour characteristic send kind colour before the first import of it.',
  },
  digits_lost: {
    title: 'Digits lost',
    meaning:
      'The barcode or SKU is a number as a spreadsheet shortens it, such as 8.72E+12; it was kept as it was sent.',
    remedy: 'Format the column as text in the spreadsheet, restore the barcodes or SKUs, and export the file again.',
  },
  check_digit_wrong: {
    title: 'Wrong check digit',
    meaning:
      'The barcode has 8, 12, 13 or 14 digits, and its last one does not follow from the others: one of them is wrong. It was kept as it was sent.',
    remedy: 'Compare it with the article. Put a number that is not a barcode into another field.',
  },
  barcode_shared: {
    title: 'Barcode of another product, too',
    meaning:
      'An earlier row of the file, or an earlier item of the request, has the same barcode for another product. Both were kept as they were sent.',
    remedy: 'Correct the barcode of one of the two.',
  },
  compare_above_lowest: {
    title: 'Reference price above the lowest price',
    meaning:
      'price_compare is higher than the lowest price that was applied in the 30 days before the reduction. In the European Union the price shown with a reduction is that lowest price (Directive 98/6/EC, article 6a).',
    remedy: 'Send the lowest price as price_compare; prices product <sku> --since 30d shows where it comes from.',
  },
  superseded: {
    title: 'Superseded by a later row',
    meaning: 'A later row of the file has the same key; with --on-duplicate keep-last only the last one is applied.',
    remedy: 'Nothing to do, unless the earlier row was meant: then take the later one out.',
  },
  more_omitted: {
    title: 'More was left out',
    meaning: 'More was found, or changed, than is reported of one item; the notice gives the count.',
    remedy: 'Correct what is reported and import again: the rest is reported then.',
  },
  lists_not_compared: {
    title: 'Lists not compared',
    meaning:
      'A plain dry run over HTTP compares the own fields of a product, and not the grades, attributes and photos that were sent: these may change it.',
    remedy: 'Send diff with dry_run to compare everything, as the command line does.',
  },
  not_sent: {
    title: 'Not sent',
    meaning: 'The remote acknowledged the same item before, and with --changed-only it was not sent again.',
    remedy: 'Nothing to do. Use --full to send every item, also where the remote was changed by others.',
  },
  sent_again: {
    title: 'Sent more than once',
    meaning: 'An answer was lost and the item sent again, to a remote that does not know it for the same request.',
    remedy: 'The line says what happened when it was sent last. Read the record where that matters.',
  },
} as const satisfies Record<string, CodeMeaning>;
