// `db`: maintenance of a catalog's tables, for database administrators.
import type { Command } from 'commander';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  printDone,
  type ResultFlags,
} from '../../options.js';

export function defineDb(command: Command, process: NodeJS.Process): void {
  command.description('Makes the tables of a catalog, or brings them up to date.');
  const migrate = addLocalOption(
    command
      .command('migrate')
      .summary('make the tables, or bring them up to date')
      .description(
        'Makes the tables of a catalog where there are none, and brings older ones up to date. Every command that writes does ' +
          'so by itself where it may: this is for a PostgreSQL user who may create tables, where the one who imports may not.',
      ),
  ).action((options: LocalOptions & ResultFlags) => migrateTables(options, process));
  addResultOptions(migrate, 'action');
  addExamples(migrate, [
    ['db migrate --db postgres://owner@db.example/shop', 'as the owner of the database'],
    ['db migrate --db shop.db', 'bring a file up to date'],
  ]);
  addExamples(command, [['db migrate --db postgres://owner@db.example/shop', 'make or update the tables']]);
}

async function migrateTables(options: LocalOptions & ResultFlags, { env, stdout }: NodeJS.Process): Promise<void> {
  const file = localFile(options, env);
  const { migrateCatalog } = await import('../../../store/open.js');
  const { from, to } = await migrateCatalog(file);
  const done =
    from === to
      ? `is up to date: version ${to}`
      : from === 0
        ? `was made: version ${to}`
        : `was brought from version ${from} to ${to}`;
  printDone({ stdout }, options, { words: `The catalog ${done}`, json: { object: 'catalog', from, to } });
}
