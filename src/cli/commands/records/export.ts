// `export`: writes records to a file, or the whole catalog to a folder, in a form that can be imported as it is.
import { type Command, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import type { LeftOut } from '../../../core/reading/export-item.js';
import type { Resource } from '../../../core/resource.js';
import { resources, shopResources } from '../../../core/resources/index.js';
import { counted } from '../../../core/text/counted.js';
import { groupDigits, sanitizeText } from '../../../core/text/sanitize.js';
import { nearest } from '../../../core/text/text.js';
import { exportFolder } from '../../export/export-folder.js';
import { exportedItems } from '../../export/exported-items.js';
import { type ExportForm, exportForms, itemWriter } from '../../export/item-writer.js';
import { addExamples, addTargetOptions, type CatalogTarget, openTarget, type TargetOptions } from '../../options.js';
import { waitNotices } from '../../remote.js';
import { resourceByWord } from '../../resource-argument.js';
import { addTextOutputOptions, type TextOutputOptions, textForm, withTextOutput } from '../../text-output.js';

interface ExportFlags extends TargetOptions, TextOutputOptions {
  readonly output?: ExportForm;
  readonly quiet?: boolean;
}

const everything = [...resources, ...shopResources];

export function defineExport(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Writes the records of a resource to stdout, or the whole catalog into a folder, as files that import as they are: ' +
        'into the same catalog every record is unchanged, into an empty one it becomes the same catalog. References are ' +
        'written by name. Deleted records are left out, and counted.',
    )
    .argument(
      '<resource|folder>',
      `${everything.map((resource) => resource.command).join(', ')}; or an empty folder, as ./backup`,
    )
    .addOption(
      new Option('--output <form>', 'form of the files (default: by the ending of --to, else ndjson)').choices(
        exportForms,
      ),
    )
    .option('-q, --quiet', 'print nothing but the records and errors');
  addTextOutputOptions(command);
  addTargetOptions(command, 'read from');
  addExamples(command, [
    ['export products > products.ndjson', 'all products, with grades, characteristic values and photos'],
    ['export products --bom --to products.csv', 'a table for Excel; lists are JSON in their cells'],
    ['export ./backup', 'the whole catalog; `run ./backup` imports it'],
  ]);
  command.action((what: string, flags: ExportFlags) => exportWhat(what, flags, process));
}

/** A word similar to a resource's name is treated as a typing error; any other word is a folder. */
function chosen(what: string): { readonly resource: Resource } | { readonly folder: string } {
  const resource = resourceByWord(what, everything);
  if (resource !== undefined) return { resource };
  const near = /[/\\]/.test(what)
    ? undefined
    : nearest(
        what,
        everything.flatMap(({ command, words }) => [command, ...words]),
      );
  if (near === undefined) return { folder: what };
  throw new CatalogError('usage', `${what} is not a resource. Did you mean ${near}? For a folder, write ./${what}.`);
}

async function exportWhat(what: string, flags: ExportFlags, process: NodeJS.Process): Promise<void> {
  const choice = chosen(what);
  if ('folder' in choice && flags.to !== undefined)
    throw new CatalogError('usage', `--to is for the records of one resource; a folder needs no --to: export ${what}.`);
  const say = (words: string) => flags.quiet !== true && process.stderr.write(`${words}\n`);
  const target = await openTarget(flags, process.env, { create: false, onWait: waitNotices(say) });
  const leftOut = tally();
  try {
    if ('resource' in choice) await exportResource(target, choice.resource, { flags, leftOut }, process);
    else {
      const isRemote = target.remote !== undefined;
      const form = { form: textForm(flags, exportForms), bom: flags.bom === true, isRemote };
      const exported = await exportFolder(target.catalog, choice.folder, form, leftOut.add);
      const counts = [...exported]
        .reverse()
        .map(([{ command }, count]) => counted(count, command.replaceAll('-', ' ')));
      say(
        counts.length === 0
          ? 'The catalog is empty: no file was written.'
          : `Exported ${counts.join(', ')} to ${sanitizeText(choice.folder)}.`,
      );
      if (isRemote)
        say(
          `Not in the folder, since it lives in the shop of the remote: ${shopResources.map(({ command }) => command).join(', ')}.`,
        );
    }
  } finally {
    await target.catalog.close();
  }
  for (const words of leftOut.words()) say(words);
}

async function exportResource(
  { catalog, remote }: CatalogTarget,
  resource: Resource,
  { flags, leftOut }: { readonly flags: ExportFlags; readonly leftOut: ReturnType<typeof tally> },
  process: NodeJS.Process,
): Promise<void> {
  if (remote !== undefined && !resources.includes(resource))
    throw new CatalogError('usage', `${resource.command} live in the shop of the remote, which does not list them.`);
  const writer = itemWriter(textForm(flags, exportForms), resource);
  await withTextOutput(flags, process, async (write) => {
    await write(writer.begin());
    for await (const items of exportedItems(catalog, resource, (why) => leftOut.add(resource, why))) {
      // The reader has closed the pipe (`| head`).
      if (flags.to === undefined && process.stdout.destroyed) return;
      await write(writer.items(items));
    }
    await write(writer.end());
  });
}

const reasons: Readonly<Record<LeftOut, string>> = {
  deleted: 'were left out, since they are deleted',
  unlisted_value: 'characteristic values were left out, since their lists no longer have them',
  unresolved_reference: 'references were left out, since the shop no longer knows the record',
  scope_of_deleted: 'scopes were left out, since their product is deleted',
};

/** Counts the omitted parts by resource and reason. */
function tally() {
  const counts = new Map<string, number>();
  return {
    add({ command }: Resource, why: LeftOut): void {
      const key = `${command} ${why}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    words: () =>
      [...counts].map(([key, count]) => {
        const [command = '', why = ''] = key.split(' ');
        const of = why === 'deleted' ? command : `of ${command}:`;
        return why === 'deleted'
          ? `${groupDigits(count)} ${of} ${reasons.deleted}.`
          : `${of} ${groupDigits(count)} ${reasons[why as LeftOut]}.`;
      }),
  };
}
