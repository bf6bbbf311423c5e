// Parses YAML that somebody wrote, in time that grows with its length.
import { type Document, isScalar, type LineCounter, parseDocument, visit } from 'yaml';

/** What is wrong with a text, and where. */
interface YamlFault {
  readonly at: number;
  readonly message: string;
}

/**
 * Parses a text. Repeated keys are found here and not by the library, which compares each key with all keys before it: 20 s for a
 * file of 256 KiB.
 */
export function parseYaml(
  text: string,
  lineCounter: LineCounter,
): { readonly document: Document.Parsed; readonly fault: YamlFault | undefined } {
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const [broken] = document.errors;
  if (broken === undefined) return { document, fault: repeatedKey(document) };
  const isDeep = broken.message.startsWith('Maximum call stack');
  return { document, fault: { at: broken.pos[0], message: isDeep ? 'it is nested too deeply' : broken.message } };
}

function repeatedKey(document: Document.Parsed): YamlFault | undefined {
  let fault: YamlFault | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = key.source ?? key.value;
        if (seen.has(name)) {
          fault = { at: key.range?.[0] ?? 0, message: 'Map keys must be unique' };
          return visit.BREAK;
        }
        seen.add(name);
      }
      return undefined;
    },
  });
  return fault;
}

/** Keys, and numbers that are written in another form than the usual one, stay texts: `0012`, `1.50`, more digits than a number has. */
export function keepWritten(document: Document.Parsed): void {
  visit(document, {
    Scalar(position, scalar) {
      const { source, value } = scalar;
      if (position === 'key' || (typeof value === 'number' && String(value) !== source)) scalar.value = source ?? value;
    },
  });
}
