// The list of all commands, and the only one. The code of a command is imported when that command was typed, so that
// `get` and `--help` do not load the others.
import type { CommandEntry, Define } from './command-entry.js';

/**
 * The names of the resources, in import order. They repeat the resources' own names (a test compares them): loading the
 * rules of five resources, 23 modules, took a third of the time that `--help` needs beyond Node itself.
 */
const imports = [
  ['characteristics', 'characteristic', 'attribute', 'attributes'],
  ['categories', 'category'],
  ['groups', 'group', 'product-group', 'product-groups', 'product_group', 'product_groups'],
  ['products', 'product'],
  ['reviews', 'review', 'product-review', 'product-reviews', 'product_review', 'product_reviews'],
] as const satisfies readonly (readonly [string, ...string[]])[];

/** Commands under one heading of the help. */
function under(group: string, entries: readonly Omit<CommandEntry, 'group'>[]): CommandEntry[] {
  return entries.map((entry) => ({ ...entry, group }));
}

/** Every command, in the order of the help; the resources come first. */
export const commands: readonly CommandEntry[] = [
  ...under('Import:', [
    ...imports.map((words) => ({
      words,
      summary: `import ${words[0]} from a file`,
      load: async ({ argv }: NodeJS.Process): Promise<Define> => {
        // Starting the thread that reads a large file takes as long as the rest of the start-up.
        const [file] = argv.slice(3);
        if (file !== undefined) (await import('../source/worker/start-thread.js')).startThreadFor(file);
        const { defineImport } = await import('./commands/import/import.js');
        const { findResource } = await import('../core/resources/index.js');
        const resource = findResource(words[0]);
        if (resource === undefined) throw new Error(`no resource is called ${words[0]}`);
        return (command, process) => defineImport(command, process, resource);
      },
    })),
    {
      words: ['run'],
      summary: 'import every file of a folder, in import order',
      load: async () => (await import('./commands/import/run.js')).defineRun,
    },
    {
      words: ['plan'],
      summary: 'rehearse an import into a file, to be looked at and applied',
      load: async () => (await import('./commands/import/plan.js')).definePlan,
    },
    {
      words: ['apply'],
      summary: 'import what a plan holds',
      load: async () => (await import('./commands/import/apply.js')).defineApply,
    },
  ]),
  ...under('Prepare a file:', [
    {
      words: ['inspect'],
      summary: 'show what a file contains, and suggest a mapping',
      load: async () => (await import('./commands/import/inspect.js')).defineInspect,
    },
    {
      words: ['map'],
      summary: 'show what a mapping makes of a file, and test mappings',
      load: async () => (await import('./commands/import/map.js')).defineMap,
    },
    {
      words: ['template'],
      summary: 'print a file to start from, for a resource',
      load: async () => (await import('./commands/import/template.js')).defineTemplate,
    },
    {
      words: ['schema'],
      summary: 'print the JSON Schema of a resource',
      load: async () => (await import('./commands/import/schema.js')).defineSchema,
    },
    {
      words: ['explain'],
      summary: 'explain a code of a report or an exit code, and what to do',
      load: async () => (await import('./commands/explain.js')).defineExplain,
    },
  ]),
  ...under('Read the catalog:', [
    {
      words: ['get'],
      summary: 'print one record',
      load: async () => (await import('./commands/records/get.js')).defineGet,
    },
    {
      words: ['list'],
      summary: 'list records',
      load: async () => (await import('./commands/records/list.js')).defineList,
    },
    {
      words: ['search'],
      summary: 'find records by words of their names and keys',
      load: async () => (await import('./commands/records/search.js')).defineSearch,
    },
    {
      words: ['export'],
      summary: 'write records, or the whole catalog, as files that import as they are',
      load: async () => (await import('./commands/records/export.js')).defineExport,
    },
    {
      words: ['info'],
      summary: 'show what a catalog holds',
      load: async () => (await import('./commands/catalog/info.js')).defineInfo,
    },
  ]),
  ...under('History and feeds:', [
    {
      words: ['runs'],
      summary: 'list imports, show what one changed, forget old ones',
      load: async () => (await import('./commands/ledger/runs.js')).defineRuns,
    },
    {
      words: ['prices'],
      summary: 'show the prices that a product had, and since when',
      load: async () => (await import('./commands/ledger/prices.js')).definePrices,
    },
    {
      words: ['why'],
      summary: 'show which run gave a record its values',
      load: async () => (await import('./commands/ledger/why.js')).defineWhy,
    },
    {
      words: ['undo'],
      summary: 'undo the changes of a run',
      load: async () => (await import('./commands/ledger/undo.js')).defineUndo,
    },
    {
      words: ['missing'],
      summary: 'list what a feed no longer lists',
      load: async () => (await import('./commands/ledger/missing.js')).defineMissing,
    },
    {
      words: ['feeds'],
      summary: 'list feeds, and say whose values count',
      load: async () => (await import('./commands/ledger/feeds.js')).defineFeeds,
    },
  ]),
  ...under('Keep the catalog:', [
    {
      words: ['doctor'],
      summary: 'check a catalog',
      load: async () => (await import('./commands/catalog/doctor.js')).defineDoctor,
    },
    {
      words: ['backup'],
      summary: 'copy a catalog that is in use, to keep',
      load: async () => (await import('./commands/catalog/backup.js')).defineBackup,
    },
    {
      words: ['restore'],
      summary: 'put a backup in the place of the catalog',
      load: async () => (await import('./commands/catalog/restore.js')).defineRestore,
    },
    {
      words: ['copy'],
      summary: 'copy a whole catalog, such as a file into PostgreSQL',
      load: async () => (await import('./commands/catalog/copy.js')).defineCopy,
    },
    {
      words: ['db'],
      summary: 'make the tables of a catalog, or bring them up to date',
      load: async () => (await import('./commands/catalog/db.js')).defineDb,
    },
  ]),
  ...under('Serve it:', [
    {
      words: ['serve'],
      summary: 'serve the catalog over HTTP',
      load: async () => (await import('./commands/catalog/serve.js')).defineServe,
    },
    {
      words: ['keys'],
      summary: 'create, list and revoke API keys',
      load: async () => (await import('./commands/catalog/keys.js')).defineKeys,
    },
    {
      words: ['shop'],
      summary: 'load data of the shop: customers, orders, media files …',
      load: async () => (await import('./commands/catalog/shop.js')).defineShop,
    },
  ]),
  ...under('This program:', [
    {
      words: ['config'],
      summary: 'show which options the configuration file and the environment set',
      load: async () => (await import('./commands/config.js')).defineConfig,
    },
    {
      words: ['completion'],
      summary: 'print a script that completes the command line in a shell',
      load: async () => (await import('./commands/completion.js')).defineCompletion,
    },
    {
      words: ['help'],
      summary: 'show the help of a command, or a page of the manual',
      load: async () => (await import('./commands/help.js')).defineHelp,
    },
  ]),
];
