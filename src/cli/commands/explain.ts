// `explain`: shows what a code in a report means, and its remedy.
import { type Command, Option } from 'commander';
import { type CodeKind, codeKinds, explain } from '../../core/diagnostics/explain-code.js';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { wrapText } from '../help-layout.js';
import { addExamples } from '../options.js';
import { outputWidth } from '../output-width.js';

export function defineExplain(command: Command, process: NodeJS.Process): void {
  command
    .description('Explains a code of a report, and what to do. Needs no catalog.')
    .argument('<code>', 'the code of a refused line, of a notice, or of a warning');
  command.addOption(
    new Option('--output <form>', 'form of the explanation').choices(['table', 'json']).default('table'),
  );
  addExamples(command, [['explain reference_not_found', 'what a refusal means']]);
  command.action((code: string, { output }: { readonly output: 'table' | 'json' }) => {
    const { title, kind, meaning, remedy } = messageOf(code);
    const json = { object: 'code', code: code.trim(), title, kind, refuses: kind === 'refusal', meaning, remedy };
    process.stdout.write(
      output === 'json' ? `${JSON.stringify(json)}\n` : wrapText(explanation(code), outputWidth(process) ?? 100),
    );
  });
}

/** @throws CatalogError `not_found`, with the most similar code */
function messageOf(code: string) {
  const found = explain(code.trim());
  if (found === undefined) {
    const near = nearest(
      code,
      Object.values(codeKinds).flatMap((codes) => Object.keys(codes)),
    );
    const hint = near === undefined ? 'Codes are in the report, for example field_required.' : `Did you mean ${near}?`;
    throw new CatalogError('not_found', `Code ${code} not found. ${hint}`);
  }
  return found;
}

const kindWords: Readonly<Record<CodeKind, string>> = {
  refusal: 'The item is refused: nothing of it is stored.',
  notice: 'A notice: the item is accepted.',
  warning: 'A warning about the run as a whole. It changes no exit code, except with --fail-on.',
};

function explanation(code: string): string {
  const found = messageOf(code);
  return `${code.trim()}: ${found.title}\n\n  ${kindWords[found.kind]}\n  ${found.meaning}\n\n  What to do: ${found.remedy}\n`;
}
