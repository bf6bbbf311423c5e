// `map`: shows what a mapping makes of a file, and tests mappings by their examples. Needs no catalog.
import { type Command, Option } from 'commander';
import type { MapTestFlags } from '../../map/test-mappings.js';
import { addExamples, addQuiet, wholeNumber } from '../../options.js';

export function defineMap(command: Command, process: NodeJS.Process): void {
  command.description(
    'Shows what a mapping makes of the rows of a file, and tests mappings by their examples, without a catalog.',
  );
  addExamples(command, [
    ['map show feed.csv --map feed.yaml', 'each row with its item, and the steps that made each field'],
    ['map test feed.yaml', 'compares the examples: of the mapping'],
    ['map test *.yaml --output junit > maps.xml', 'for CI'],
  ]);
  defineShow(command.command('show'), process);
  defineTest(command.command('test'), process);
}

interface MapShowFlags {
  readonly map: string;
  readonly limit: number;
  readonly output: 'table' | 'json' | 'ndjson';
}

function defineShow(command: Command, process: NodeJS.Process): void {
  command
    .summary('show rows with the items that a mapping makes of them')
    .description(
      'Shows the first rows of a file with the items that a mapping makes of them, and the steps that made each field.',
    )
    .argument('<file>', 'the file, or the folder with the files that the sections of the mapping name')
    .requiredOption('--map <file>', 'the mapping')
    .option('--limit <number>', 'items of each section', wholeNumber, 5)
    .addOption(
      new Option('--output <form>', 'form of the result').choices(['table', 'json', 'ndjson']).default('table'),
    );
  addExamples(command, [['map show feed.csv --map feed.yaml --limit 5', 'before the first import']]);
  command.action(async (file: string, { map, limit, output }: MapShowFlags) => {
    const { showRows } = await import('../../map/show-rows.js');
    await showRows({ file, map, limit, output }, process);
  });
}

function defineTest(command: Command, process: NodeJS.Process): void {
  command
    .summary('run the examples of mappings')
    .description(
      'Runs the examples of mappings, and shows what differs from the items and problems that they expect. Exit code 3 where any differs.',
    )
    .argument('<mappings...>', 'mapping files')
    .option('--update', 'write what comes out into the mappings; their comments stay')
    .addOption(
      new Option('--output <form>', 'form of the result').choices(['table', 'tap', 'junit', 'json']).default('table'),
    );
  addQuiet(command, 'action');
  addExamples(command, [
    ['map test feed.yaml', ''],
    ['map test feed.yaml --update', 'after a change that is meant'],
  ]);
  command.action(async (maps: readonly string[], flags: MapTestFlags) => {
    const { testMappings } = await import('../../map/test-mappings.js');
    await testMappings(maps, flags, process);
  });
}
