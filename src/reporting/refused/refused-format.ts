// Writes refused records in the syntax of their source: rows of a table, elements of XML, objects of JSON.
import { joinSentences } from '../../core/diagnostics/join-sentences.js';
import { refusals } from '../../core/diagnostics/refusal-codes.js';
import { escapePattern } from '../../core/text/text.js';
import { laterRowReason, linePattern, writtenMembers } from '../../source/column-targets.js';
import type { SourceForm } from '../../source/open-source.js';

/** A record of the file of refused ones: a refused one, or a later one of its key. */
export interface WrittenRecord {
  readonly line: number;
  readonly raw: string;
  /** Empty for a record that was not refused. */
  readonly codes: string[];
  readonly reasons: string[];
}

/** The text around records, and one record. */
interface RefusedFormat {
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  record(refused: WrittenRecord): string;
}

/**
 * The values of the three columns; each reason once.
 * @param before the line where the record was refused first, if that was in another file
 */
function words({ line, codes, reasons }: WrittenRecord, before: string | undefined): readonly [string, string, string] {
  return [before ?? String(line), [...new Set(codes)].join(', '), joinSentences([...new Set(reasons)])];
}

export function formatOf(form: SourceForm): RefusedFormat {
  if (form.format === 'xml') return xmlShape(form);
  return form.format === 'csv' || form.format === 'tsv' ? tableShape(form) : jsonShape(form);
}

/** Elements of XML within the elements around them; codes and reasons are elements in each. */
function xmlShape({ header = '', encoding }: SourceForm): RefusedFormat {
  const around = [...header.matchAll(/<([^\s>]+)/g)].map(([, name]) => `</${name}>`);
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return {
    begin: `<?xml version="1.0" encoding="${encoding}"?>\n${header}\n`,
    between: '\n',
    end: `\n${around.reverse().join('')}\n`,
    record(refused) {
      const names = ['_line', '_code', '_reason'];
      const [, before] = /<_line>(\d+)<\/_line>/.exec(refused.raw) ?? [];
      const reported = words(refused, before).map((text, i) => `<${names[i]}>${escaped(text)}</${names[i]}>`);
      const raw = refused.raw.replace(/<(_line|_code|_reason)>[^<]*<\/\1>/g, '');
      const [, name = ''] = /^<([^\s/>]+)/.exec(raw) ?? [];
      const body = raw.replace(/\/>$/, `></${name}>`);
      const end = body.lastIndexOf('</');
      return body.slice(0, end) + reported.join('') + body.slice(end);
    },
  };
}

/** Rows of a table. If the file was reimported, the three cells after its rows are replaced. */
function tableShape({ header, delimiter = ',', newline }: SourceForm): RefusedFormat {
  const between = escapePattern(delimiter);
  const cell = `${between}(?:"(?:[^"]|"")*"|[^${between}"]*)`;
  const back =
    header !== undefined &&
    new RegExp(`(?:^|${between})"?_line"?${between}"?_code"?${between}"?_reason"?$`).test(header);
  // Without a header the cells after a row have no names; they are recognized by their content, as by the reader.
  const code = `(?:${Object.keys(refusals).join('|')})`;
  const codes = `${code}(?:, ${code})*`;
  const number = `"?(?<line>${linePattern})"?`;
  const later = `(?:"")?${between}"?${escapePattern(laterRowReason)}"?`;
  const unnamed = `${between}${number}${between}(?:(?:"${codes}"|${codes})${cell}|${later})$`;
  const reported = new RegExp(header === undefined ? unnamed : `(?:${between}${number}|${cell})(?:${cell}){2}$`);
  const columns = ['_line', '_code', '_reason'].join(delimiter);
  const named = back ? header : `${header}${delimiter}${columns}`;
  return {
    begin: header === undefined ? '' : `${named}${newline}`,
    between: '',
    end: '',
    record(refused) {
      const isBack = back || header === undefined;
      const { row, line } = isBack ? withoutLast(refused.raw, reported) : { row: refused.raw, line: undefined };
      const resultCells = words(refused, line).map(
        (text) => `"${text.replaceAll('"', '""').replace(/[\r\n]+/g, ' ')}"`,
      );
      return `${[row, ...resultCells].join(delimiter)}${newline}`;
    },
  };
}

/** A row without the three cells after it, and the line that was the first of them. */
function withoutLast(raw: string, reported: RegExp): { readonly row: string; readonly line: string | undefined } {
  const from = Math.max(0, raw.length - 16_384);
  const found = reported.exec(raw.slice(from));
  return { row: found === null ? raw : raw.slice(0, from + found.index), line: found?.groups?.['line'] };
}

/** JSON records, in the list of a document or one per line. Values that are not objects are written as they were. */
function jsonShape({ format, path = [] }: SourceForm): RefusedFormat {
  const array = format === 'json';
  const before = path.map((name) => `{${JSON.stringify(name)}:`).join('');
  return {
    begin: array ? `${before}[\n` : '',
    between: array ? ',\n' : '\n',
    end: array ? `\n]${'}'.repeat(path.length)}\n` : '\n',
    record(refused) {
      const raw = array ? refused.raw : refused.raw.trim();
      if (!raw.trimStart().startsWith('{')) return raw;
      const { record, line } = raw.includes('"_code"') ? withoutTold(raw) : { record: raw.trimEnd(), line: undefined };
      if (!record.endsWith('}')) return raw;
      const [own, code, reason] = words(refused, line);
      const told = {
        ...(record.includes(`"${writtenMembers.lines}"`) ? {} : { _line: Number(own) }),
        _code: code,
        _reason: reason,
      };
      const inner = record.slice(0, -1).trimEnd();
      return `${inner}${inner.endsWith('{') ? '' : ','}${JSON.stringify(told).slice(1)}`;
    },
  };
}

/** A reimported record without the problems of the previous run, and its line then. */
function withoutTold(raw: string): { readonly record: string; readonly line: string | undefined } {
  try {
    const { _line, _code, _reason, ...record } = JSON.parse(raw) as Record<string, unknown>;
    return { record: JSON.stringify(record), line: typeof _line === 'number' ? String(_line) : undefined };
  } catch {
    return { record: raw, line: undefined };
  }
}
