// The lists of /openapi.json: words of failed requests, codes of refused items, codes of notices.
import type { CodeMeaning } from '../../../core/diagnostics/code-meaning.js';
import { notices, refusals } from '../../../core/diagnostics/refusal-codes.js';
import type { Resource } from '../../../core/resource.js';
import { failureSamples } from './failure-samples.js';

/** A list of codes: the code in the first cell of each row, its meaning in the others. */
export interface CodeTable {
  /** The schema of its codes. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly [code: string, ...cells: readonly string[]])[];
}

/** The three lists. */
export function codeTables(resources: readonly Resource[]): readonly CodeTable[] {
  return [
    {
      name: 'ErrorWord',
      title: 'Words of failed requests',
      about: 'The stable word of a failed request, to branch on. More may be added.',
      columns: ['error', 'status', 'for example'],
      rows: errorRows(resources),
    },
    {
      name: 'LineCode',
      title: 'Codes of refused items',
      about: 'Why an item was refused. More may be added; a released code keeps its meaning.',
      columns: ['code', 'title', 'meaning', 'remedy'],
      rows: codeRows(refusals),
    },
    {
      name: 'NoticeCode',
      title: 'Codes of notices',
      about:
        'What is worth knowing of an item; on a refused line also the codes of its further problems. More may be added.',
      columns: ['code', 'title', 'meaning', 'remedy'],
      rows: codeRows(notices),
    },
  ];
}

function errorRows(resources: readonly Resource[]): CodeTable['rows'] {
  const samples = new Map(resources.flatMap(failureSamples).map((failure) => [failure.error, failure]));
  const sorted = [...samples.values()].sort((a, b) => a.status - b.status);
  return sorted.map(({ status, error, message }) => [error, String(status), message]);
}

function codeRows(codes: Readonly<Record<string, CodeMeaning>>): CodeTable['rows'] {
  return Object.entries(codes).map(([code, { title, meaning, remedy }]) => [code, title, meaning, remedy]);
}

/** A list in collapsible Markdown. */
export function foldedTable({ title, about, columns, rows }: CodeTable): string {
  const lines = rows.map(([code, ...cells]) => row([`\`${code}\``, ...cells]));
  const head = [row(columns), row(columns.map(() => '---'))];
  return `<details><summary>${title} (${rows.length})</summary>\n\n${about}\n\n${[...head, ...lines].join('\n')}\n\n</details>`;
}

function row(cells: readonly string[]): string {
  // < and > around a word would be taken for HTML.
  const inMarkdown = (text: string) =>
    text
      .replaceAll('|', '\\|')
      .replaceAll('\n', ' ')
      .replace(/<[\w-]+>/g, '`$&`');
  return `| ${cells.map(inMarkdown).join(' | ')} |`;
}
