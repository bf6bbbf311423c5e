// Four pages of the manual are made from the program itself and held equal to it. After a change of an option, of the
// words of a code or of a field, `npm run manual` writes them again.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from '../../src/cli/command-list.js';
import { environment, exitStatus } from '../../src/cli/manual/reference-lists.js';
import { fieldLines } from '../../src/cli/template/field-table.js';
import type { CodeMeaning } from '../../src/core/diagnostics/code-meaning.js';
import { codeKinds } from '../../src/core/diagnostics/explain-code.js';
import { isRoutine } from '../../src/core/diagnostics/warning-codes.js';
import type { Resource } from '../../src/core/resource.js';
import { resources } from '../../src/core/resources/index.js';
import { root } from './documentation.js';
import { typedHere } from './in-process.js';

const page = (name: string): string => join(root, `src/manual/${name}.md`);
const remedy = 'where this is meant, write the page anew with: npm run manual';

it('the page of commands is generated from the help of each', async () => {
  const text = await commandsPage();
  expect(text).not.toContain('undefined');
  await expect(text, remedy).toMatchFileSnapshot(page('commands'));
});

it('the page of codes is generated from the texts of `explain`', async () => {
  await expect(codesPage(), remedy).toMatchFileSnapshot(page('codes'));
});

it('the page of fields is generated from the descriptors of each resource', async () => {
  await expect(fieldsPage(), remedy).toMatchFileSnapshot(page('fields'));
});

it('the page of exit codes is generated from the texts of `explain`', async () => {
  await expect(exitCodesPage(), remedy).toMatchFileSnapshot(page('exit-codes'));
});

async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  /** Options that were shown already, and with which command. */
  const shown = new Map<string, string>();
  for (const { words } of commands) {
    const [name = '', ...others] = words;
    const also =
      others.length === 0 ? '' : `Other words for it: ${others.map((word) => `\`${word}\``).join(', ')}.\n\n`;
    sections.push(`## ${name}\n\n${also}${await helpOf([name], shown)}`);
    for (const inner of subcommands((await typedHere([name, '--help'])).stdout))
      sections.push(`### ${name} ${inner}\n\n${await helpOf([name, inner], shown)}`);
  }
  return `${commandsHead}\n${sections.join('\n\n')}\n`;
}

/** The help of a command; of options that an earlier command has too, only which command that is. */
async function helpOf(words: readonly string[], shown: Map<string, string>): Promise<string> {
  const { stdout } = await typedHere([...words, '--help']);
  const [options = ''] =
    /^(?:(?:Options|Input|Mapping|Run|Feed|Report|Target|Remote):\n(?: {2}.*\n)+\n?)+/m.exec(stdout) ?? [];
  const earlier = shown.get(options);
  shown.set(options, earlier ?? words.join(' '));
  const text = earlier === undefined ? stdout : stdout.replace(options, `Options: as of ${earlier}\n\n`);
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``;
}

/** The subcommands that a help lists. */
function subcommands(help: string): string[] {
  const [, list = ''] = /^Commands:\n((?: {2}.*\n?)+)/m.exec(help) ?? [];
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help');
}

const commandsHead = `# Commands

This page is made from the help of the program: \`catalog-import <command> --help\` shows the same text.

## Environment

Options win over variables. \`--db\` and \`--remote\` cannot be given together, and neither can \`CATALOG_DB\` and
\`CATALOG_REMOTE\` be set together without one of these options.

| variable | meaning |
|---|---|
${environment.map(([names, meaning]) => `| ${names.split(', ').map(code).join(', ')} | ${meaning.replace(/--[a-z-]+/g, code)} |`).join('\n')}

What is neither typed nor in a variable comes from the [configuration file](configuration.md).
`;

function code(text: string): string {
  return `\`${text}\``;
}

function codesPage(): string {
  return `# Codes

This page is made from the texts of the program: \`catalog-import explain <code>\` shows them one by one. A released code
never changes its meaning; new ones may be added.

## Refusals

The item is refused: nothing of it is stored, and the other items are not affected.

${table(codeKinds.refusal)}

## Notices

The item is accepted.

${table(codeKinds.notice)}

## Warnings

What was noticed about a run as a whole. It is in the summary of every report, in \`runs show\` and in the status file, and changes no
exit code, except with \`--fail-on\`. Warnings that ordinary runs have, too, are marked: \`--fail-on warnings\` leaves them out.

${table(codeKinds.warning)}
`;
}

function exitCodesPage(): string {
  const rows = exitStatus.map(({ codes, meaning, remedy }) => `| ${codes.join(', ')} | ${meaning} | ${remedy} |`);
  return `# Exit codes

This page is made from the texts of the program: \`catalog-import explain 8\` shows one of them.

${['| exit | meaning | what to do |', '|---|---|---|', ...rows].join('\n')}

For a script: 0 and 3 mean that the whole file was read.

\`\`\`sh
catalog-import products fixtures/delivery/4-products.csv --quiet --output json > report.json || code=$?
[ "$code" = 3 ] && echo "some items were refused"
catalog-import explain "$code"
\`\`\`

\`\`\`output
some items were refused
Exit code 3: finished, …
\`\`\`
`;
}

function fieldsPage(): string {
  return `# Fields

This page is made from the program: \`catalog-import template <resource>\` prints the same list above a file to start from, and
\`schema <resource>\` a JSON Schema. A field in **bold** must be sent with every item, or with every entry of its list. Every
other one may be left out: a new record then gets the default, and a known one keeps its value ([concepts](concepts.md)).

Bytes are those of UTF-8. An amount is zero or more. \`grades[…].price\` is the price of each entry of \`grades\`; how lists are
written in the columns of a table is in [files](files.md#columns).

${resources.map(fieldsOf).join('\n\n')}
`;
}

function fieldsOf({ command, name, key, limit, fields }: Resource): string {
  const rows = fieldLines(fields).map(({ name, isRequired, type, meaning }) => {
    const field = code(name);
    return `| ${isRequired ? `**${field}**` : field} | ${cell(type)} | ${cell(meaning)} |`;
  });
  return `## ${command}

\`${name}\` in the interface. Recognized by \`${key}\`. At most ${limit} items in a request.

${['| field | type and limits | meaning |', '|---|---|---|', ...rows].join('\n')}`;
}

function table(messages: Readonly<Record<string, CodeMeaning>>): string {
  const rows = Object.entries(messages).map(
    ([code, { meaning, remedy }]) =>
      `| \`${code}\`${isRoutine(code) ? ' (ordinary)' : ''} | ${cell(meaning)} | ${cell(remedy)} |`,
  );
  return ['| code | meaning | what to do |', '|---|---|---|', ...rows].join('\n');
}

/** A bar would end the cell, and < > around a word would be taken for HTML. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/<[\w-]+>/g, '`$&`');
}
