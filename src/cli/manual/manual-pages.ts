// The pages of the manual in reading order. Each is `src/manual/<name>.md`; the README links them all.

/** A page that `help <name>` shows. */
export interface ManualPage {
  readonly name: string;
  readonly summary: string;
}

export const manualPages: readonly ManualPage[] = [
  { name: 'install', summary: 'install, upgrade, shell completion; a first import' },
  { name: 'tutorial', summary: 'from an unknown CSV file to an import' },
  { name: 'concepts', summary: 'what the words mean: records, keys, batches, whole lists' },
  { name: 'fields', summary: 'the fields of each resource, with types and limits' },
  { name: 'files', summary: 'formats, columns, cells' },
  { name: 'mapping', summary: 'mapping files, with an example for each word' },
  { name: 'reports', summary: 'dry runs, reports, refused records' },
  { name: 'records', summary: 'export, list and look up what a catalog has' },
  { name: 'remote', summary: 'import into a served catalog' },
  { name: 'server', summary: 'serve a catalog; its HTTP interface' },
  { name: 'postgresql', summary: 'a catalog in PostgreSQL: several importers and servers' },
  { name: 'library', summary: 'import from a program: openCatalog, importFile' },
  { name: 'configuration', summary: 'a file of options: defaults and profiles' },
  { name: 'nightly-sync', summary: 'the same feed every night' },
  { name: 'guards', summary: 'a broken export is stopped before its first write' },
  { name: 'contracts', summary: 'what a file has to keep: its values, rows, columns and age' },
  { name: 'plans', summary: 'what an import would change, as a file to look at and apply' },
  { name: 'history', summary: 'which run changed what, and how to take it back' },
  { name: 'price-evidence', summary: 'the lowest price before a reduction, and its origin' },
  { name: 'missing-records', summary: 'what a feed no longer lists: report it, suspend it' },
  { name: 'several-feeds', summary: 'which feed wins where several send the same SKU' },
  { name: 'operations', summary: 'cron, systemd, Windows, macOS, logs, metrics' },
  { name: 'backups', summary: 'back up and restore' },
  { name: 'shop-data', summary: 'customers, orders, media files: what imports refer to' },
  { name: 'commands', summary: 'every command with all its options' },
  { name: 'rules', summary: 'every rule of records and endpoints, with what shows it' },
  { name: 'codes', summary: 'codes of refusals and notices' },
  { name: 'exit-codes', summary: 'exit codes' },
  { name: 'promises', summary: 'what is guaranteed, and how it is proven' },
  { name: 'figures', summary: 'speed and memory, measured' },
  { name: 'faq', summary: 'questions and answers' },
  { name: 'troubleshooting', summary: 'symptoms and remedies' },
  { name: 'changes', summary: 'what changed from version to version' },
];
