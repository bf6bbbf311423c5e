// `feeds retire`: ends what a feed lists, as a run that can be undone.
import { type Command, Option } from 'commander';
import { feedName } from '../../import/options/feed-options.js';
import { addReportFiles } from '../../import/options/import-options.js';
import { addLedgerOption } from '../../ledger-target.js';
import { addExamples, addResultOptions } from '../../options.js';

export function defineRetire(command: Command, process: NodeJS.Process): void {
  command
    .summary('end what a feed lists')
    .description(
      'Ends what a feed lists, as when a supplier leaves: records that no other feed lists are suspended, the values of lower ' +
        'feeds apply to the others. It is a run of the feed, and can be undone; the feed may come back with a later import.',
    )
    .argument('<feed>', 'the feed', feedName)
    .addOption(
      new Option('--missing <what>', 'records that only this feed lists: suspend them, or only report them')
        .choices(['suspend', 'report'])
        .default('suspend'),
    )
    .option('-n, --dry-run', 'write nothing; say what would happen');
  addReportFiles(addResultOptions(addLedgerOption(command), 'action'));
  addExamples(command, [
    ['feeds retire acme --dry-run', 'see what it would do'],
    ['feeds retire acme', 'end what the supplier lists'],
    ['feeds retire acme --report-file retired.html', 'with a page that shows each record'],
  ]);
  command.action(async (feed: string, _: unknown, it: Command) => {
    const { retire } = await import('./retire-run.js');
    await retire(feed, it.optsWithGlobals(), process);
  });
}
