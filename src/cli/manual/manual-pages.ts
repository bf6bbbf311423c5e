// The pages of the manual in reading order. Each is `src/manual/<name>.md`; the README links them all.

/** A page that `help <name>` shows. */
export interface ManualPage {
  readonly name: string;
  readonly summary: string;
}

export const manualPages: readonly ManualPage[] = [
  { name: 'install', summary: 'install, upgrade, complete; a first import' },
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
  { name: 'configuration', summary: 'a file of options: defaults and profiles' },
  { name: 'nightly-sync', summary: 'the same feed every night' },
  { name: 'shop-data', summary: 'customers, orders, media files: what imports refer to' },
  { name: 'commands', summary: 'every command with all its options' },
  { name: 'rules', summary: 'every rule of records and endpoints, with what shows it' },
  { name: 'codes', summary: 'codes of refusals and notices' },
  { name: 'exit-codes', summary: 'exit codes' },
  { name: 'promises', summary: 'what is guaranteed, and how it is proven' },
  { name: 'figures', summary: 'speed and memory, measured' },
  { name: 'troubleshooting', summary: 'symptoms and remedies' },
  { name: 'changes', summary: 'what changed from version to version' },
];
