// `explain`: shows what a code in a report or an exit code means, and its remedy.
import { type Command, Option } from 'commander';
import { type CodeKind, codeKinds, explain } from '../../core/diagnostics/explain-code.js';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { wrapText } from '../help-layout.js';
import { type ExitStatus, exitStatus } from '../manual/reference-lists.js';
import { addExamples } from '../options.js';
import { outputWidth } from '../output-width.js';

export function defineExplain(command: Command, process: NodeJS.Process): void {
  command
    .description('Explains a code of a report or an exit code, and what to do. Needs no catalog.')
    .argument('<code>', 'the code of a refused line, of a notice or of a warning, or an exit code');
  command.addOption(
    new Option('--output <form>', 'form of the explanation').choices(['table', 'json']).default('table'),
  );
  addExamples(command, [
    ['explain reference_not_found', 'what a refusal means'],
    ['explain 8', 'what an exit code means'],
  ]);
  command.action((typed: string, { output }: { readonly output: 'table' | 'json' }) => {
    const code = typed.trim();
    const exit = exitStatus.find(({ codes }) => codes.some((one) => String(one) === code));
    const { json, words } = exit === undefined ? explainedCode(code) : explainedExit(code, exit);
    process.stdout.write(
      output === 'json' ? `${JSON.stringify(json)}\n` : wrapText(words, outputWidth(process) ?? 100),
    );
  });
}

/** @throws CatalogError `not_found`, with the most similar code */
function messageOf(code: string) {
  const found = explain(code);
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

interface Explained {
  readonly json: object;
  readonly words: string;
}

function explainedCode(code: string): Explained {
  const { title, kind, meaning, remedy } = messageOf(code);
  return {
    json: { object: 'code', code, title, kind, refuses: kind === 'refusal', meaning, remedy },
    words: `${code}: ${title}\n\n  ${kindWords[kind]}\n  ${meaning}\n\n  What to do: ${remedy}\n`,
  };
}

function explainedExit(code: string, status: ExitStatus): Explained {
  const plain = (text: string) => text.replaceAll('`', '');
  const { meaning, remedy } = { meaning: plain(status.meaning), remedy: plain(status.remedy) };
  return {
    json: { object: 'exit_code', code: Number(code), meaning, remedy },
    words: `Exit code ${code}: ${meaning}.\n\n  What to do: ${remedy}.\n`,
  };
}
