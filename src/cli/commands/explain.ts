// `explain`: shows what a code in a report means, and its remedy.
import { type Command, Option } from 'commander';
import { explain, notices, refusals } from '../../core/diagnostics/refusal-codes.js';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { addExamples } from '../options.js';

export function defineExplain(command: Command, process: NodeJS.Process): void {
  command
    .description('Explains a code of a report, and what to do. Needs no catalog.')
    .argument('<code>', 'the code of a refused line, or of a notice');
  command.addOption(
    new Option('--output <form>', 'form of the explanation').choices(['table', 'json']).default('table'),
  );
  addExamples(command, [['explain reference_not_found', 'what a refusal means']]);
  command.action((code: string, { output }: { readonly output: 'table' | 'json' }) => {
    const { title, refuses, meaning, remedy } = messageOf(code);
    const json = { object: 'code', code: code.trim(), title, refuses, meaning, remedy };
    process.stdout.write(output === 'json' ? `${JSON.stringify(json)}\n` : explanation(code));
  });
}

/** @throws CatalogError `not_found`, with the most similar code */
function messageOf(code: string) {
  const found = explain(code.trim());
  if (found === undefined) {
    const near = nearest(code, [...Object.keys(refusals), ...Object.keys(notices)]);
    const hint = near === undefined ? 'Codes are in the report, for example field_required.' : `Did you mean ${near}?`;
    throw new CatalogError('not_found', `Code ${code} not found. ${hint}`);
  }
  return found;
}

function explanation(code: string): string {
  const found = messageOf(code);
  const kind = found.refuses ? 'The item is refused: nothing of it is stored.' : 'A notice: the item is accepted.';
  return `${code.trim()}: ${found.title}\n\n  ${kind}\n  ${found.meaning}\n\n  What to do: ${found.remedy}\n`;
}
