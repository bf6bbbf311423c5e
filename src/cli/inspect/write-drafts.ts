// Writes what inspect drafts from a file: a mapping with two examples, and a contract.
import { CatalogError } from '../../core/errors.js';
import { resources } from '../../core/resources/index.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { writeTextFile } from '../../files/write-text-file.js';
import { draftContract } from '../../source/contract/draft-contract.js';
import type { Inspection } from '../../source/inspection/inspect-file.js';
import { draftExamples, exampleRows } from '../../source/mapping/examples/draft-examples.js';
import { readMapping } from '../../source/mapping/read-mapping.js';
import type { Suggestion } from '../../source/mapping/suggest/suggest-mapping.js';
import { sectionsOf } from '../import/mapping-jobs.js';
import { shellCommand } from '../shell-word.js';

interface InspectedFile {
  readonly file: string;
  readonly inspection: Inspection;
  readonly suggestion: Suggestion;
  readonly say: (words: string) => void;
}

export async function writeMap(path: string, inspected: InspectedFile): Promise<void> {
  const { file, say } = inspected;
  const { questions, hasSections, resource, yaml } = inspected.suggestion;
  writeTextFile(`--write-map ${path}`, path, yaml);
  const examples = await examplesOf(path, inspected);
  if (examples !== '') writeTextFile(`--write-map ${path}`, path, `${yaml}${examples}`);
  const open = questions.map(({ field }) => field).join(', ');
  const todo = open === '' ? 'correct it' : `write the right one in place of each ? (${open})`;
  const start = namesFields(inspected.suggestion)
    ? `The suggested mapping is in ${sanitizeText(path)}: read it, ${todo}, then`
    : `No field is named in ${sanitizeText(path)} yet: write under fields: which column is which, such as sku: "Art. No.", then`;
  const command = hasSections ? 'run' : resource;
  const next = shellCommand([command, sanitizeText(file), '--map', sanitizeText(path), '--dry-run']);
  say(`${start}\n  ${next}`);
}

/** Whether a field has a column, or columns that could fill it. */
const namesFields = ({ fields, questions }: Suggestion): boolean =>
  fields.size > 0 || questions.some(({ field }) => field !== 'encoding');

/** Two records of the file with what the mapping makes of them; '' where it does not fit them. */
async function examplesOf(path: string, inspected: InspectedFile): Promise<string> {
  const { inspection, suggestion } = inspected;
  const { yaml, fields, questions, resource } = suggestion;
  const key = resources.find(({ command }) => command === resource)?.key ?? '';
  const isRead = (column: string) => yaml.includes(JSON.stringify(column));
  const rows = exampleRows(inspection, fields.get(key), isRead);
  if (rows.length === 0 || !namesFields(suggestion)) return '';
  const test = shellCommand(['map', 'test', sanitizeText(path)]);
  const isOpen = questions.length > 0;
  const head = isOpen
    ? `# Once each ? is answered, ${test} --update writes what the mapping makes of these rows.`
    : `# What the mapping makes of rows of the file. After a change: ${test}`;
  try {
    const mapping = isOpen ? undefined : readMapping(path);
    const tested = mapping && { mapping, sections: sectionsOf(mapping, path, undefined) };
    return `${head}\n${await draftExamples(rows, tested)}`;
  } catch (failure) {
    if (failure instanceof CatalogError) return '';
    throw failure;
  }
}

export function writeContract(path: string, { file, inspection, suggestion, say }: InspectedFile): void {
  const { resource, fields: columns } = suggestion;
  const { fields = {}, key = '' } = resources.find(({ command }) => command === resource) ?? {};
  writeTextFile(`--write-contract ${path}`, path, draftContract(inspection, { columns, fields, key }));
  const next = shellCommand([resource, sanitizeText(file), '--expect', sanitizeText(path)]);
  say(`A draft of a contract is in ${sanitizeText(path)}: read it, correct it, then\n  ${next}`);
}
