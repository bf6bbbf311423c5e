// `copy`: copies a whole catalog to another place, identifiers included.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { groupDigits } from '../../../core/text/sanitize.js';
import { catalogPlace } from '../../../store/catalog-path.js';
import { copyCatalog } from '../../../store/copy/copy-catalog.js';
import { countedRows, tableWords } from '../../../store/table-words.js';
import { addExamples, addResultOptions, type ResultFlags, typedCatalog } from '../../options.js';

interface CopyFlags extends ResultFlags {
  readonly from: string;
  readonly to: string;
}

export function defineCopy(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Copies a whole catalog into an empty one, from a file to PostgreSQL or back: records with their identifiers, data of ' +
        'the shop, API keys, runs and feeds. An interrupted copy continues when it is started again. Both catalogs are ' +
        'compared at the end, by counts and a digest.',
    )
    .requiredOption(
      '--from <catalog>',
      'the catalog to copy: a file, or postgres://user@host/database',
      typedCatalog('--from'),
    )
    .requiredOption(
      '--to <catalog>',
      'the catalog to copy into, which is made where it is missing',
      typedCatalog('--to'),
    )
    .action((flags: CopyFlags) => copy(flags, process));
  addResultOptions(command, 'action');
  addExamples(command, [
    ['copy --from catalog.db --to postgres://importer@db.example/shop', 'move into PostgreSQL'],
    ['copy --from postgres://importer@db.example/shop --to backup.db', 'and back into a file'],
  ]);
}

async function copy({ from, to, quiet = false, output }: CopyFlags, { stderr, stdout }: NodeJS.Process): Promise<void> {
  const [source, target] = [catalogPlace(from, '--from'), catalogPlace(to, '--to')];
  if (source === target) throw new CatalogError('usage', '--from and --to name the same catalog.');
  const { openStore } = await import('../../../store/open.js');
  const base = await openStore({ file: source, create: false });
  try {
    const store = await openStore({ file: target, create: true, takesProducts: true });
    try {
      let reported = performance.now();
      const { counts, present, digest } = await copyCatalog(base, store, (rows) => {
        if (quiet || performance.now() - reported < 5000) return;
        reported = performance.now();
        stderr.write(`${groupDigits(rows)} rows read\n`);
      });
      if (quiet) return;
      if (output === 'json') {
        const rows = [...counts].map(([table, count]) => [tableWords(table).replaceAll(' ', '_'), count] as const);
        const json = { object: 'copy', rows: Object.fromEntries(rows), present, sha256: digest };
        return void stdout.write(`${JSON.stringify(json)}\n`);
      }
      for (const [table, count] of counts) stdout.write(`${countedRows(count, table)}\n`);
      if (present > 0) stdout.write(`${groupDigits(present)} of them were there already\n`);
      stdout.write(`Both catalogs are equal: sha256 ${digest}\n`);
    } finally {
      await store.close();
    }
  } finally {
    await base.close();
  }
}
