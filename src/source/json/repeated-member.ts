// Members that an object of a JSON text has twice. JSON.parse takes the last of them without a word, and which one is meant
// nobody knows.

/** Lists and objects within each other that are counted; in deeper ones the text decides. */
const deepest = 20;

/**
 * The name of a member that an object of a text has more than once; undefined where none has.
 * @param text valid JSON
 * @param value what JSON.parse made of it
 */
export function repeatedMember(text: string, value: unknown): string | undefined {
  // Nearly no text has one: counting is ten times as fast as looking at each name.
  return mostNames(text) > members(value, deepest) ? firstRepeated(text) : undefined;
}

/** At most as many names as a text has: in a text within it, a colon may follow an escaped quote, too. */
function mostNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 0x20) before--;
    if (text.charCodeAt(before) === 0x22) count++;
  }
  return count;
}

function members(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null || levels === 0) return 0;
  const isList = Array.isArray(value);
  let count = 0;
  for (const member of isList ? value : Object.values(value)) count += (isList ? 0 : 1) + members(member, levels - 1);
  return count;
}

/** A string with the colon that makes it a name, or a bracket. */
const token = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/gs;

function firstRepeated(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [bracket, string = '', colon] of text.matchAll(token)) {
    if (bracket === '{' || bracket === '[') open.push(new Set());
    else if (bracket === '}' || bracket === ']') open.pop();
    else if (colon !== undefined) {
      const name = JSON.parse(string) as string;
      if (open.at(-1)?.has(name)) return name;
      open.at(-1)?.add(name);
    }
  }
  return undefined;
}
