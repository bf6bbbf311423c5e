// Where a text stops being JSON. JSON.parse does not always say; this is asked only once it has refused.

const token =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them inside strings
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))/y;

/** What may come next: a value, a value or `]`, a key, a key or `}`, a colon, or what follows a value. */
type Due = 'value' | 'element' | 'key' | 'member' | 'colon' | 'after';

/** The offset of the first token that does not belong, or where more is due; undefined where all is JSON. */
export function faultIn(text: string): number | undefined {
  const open: string[] = [];
  let due: Due = 'value';
  let at = 0;
  for (;;) {
    const start = spaceEnd(text, at);
    if (start >= text.length) return due === 'after' && open.length === 0 ? undefined : text.length;
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null) return start;
    const next = follow(due, match[1] ?? (match[2] === undefined ? 'scalar' : 'string'), open);
    if (next === undefined) return start;
    due = next;
    at = token.lastIndex;
  }
}

/** What is due behind a token, or undefined where the token does not belong. */
function follow(due: Due, kind: string, open: string[]): Due | undefined {
  if (due === 'colon') return kind === ':' ? 'value' : undefined;
  if (kind === '}' || kind === ']') {
    const empty = kind === '}' ? due === 'member' : due === 'element';
    return (empty || due === 'after') && open.pop() === kind ? 'after' : undefined;
  }
  if (due === 'after') {
    if (kind !== ',' || open.length === 0) return undefined;
    return open.at(-1) === '}' ? 'key' : 'value';
  }
  if (due === 'key' || due === 'member') return kind === 'string' ? 'colon' : undefined;
  if (kind === '{' || kind === '[') {
    open.push(kind === '{' ? '}' : ']');
    return kind === '{' ? 'member' : 'element';
  }
  return kind === 'string' || kind === 'scalar' ? 'after' : undefined;
}

function spaceEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && ' \t\r\n'.includes(text.charAt(end))) end++;
  return end;
}
