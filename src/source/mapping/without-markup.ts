// HTML → the text a reader would see, for fields that are shown as text. One walk, no expression that could run away.

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  bull: '•',
  middot: '·',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  laquo: '«',
  raquo: '»',
  copy: '©',
  reg: '®',
  trade: '™',
  deg: '°',
  plusmn: '±',
  times: '×',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  sect: '§',
  frac12: '½',
  frac14: '¼',
  frac34: '¾',
  sup2: '²',
  sup3: '³',
  micro: 'µ',
  szlig: 'ß',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
};

/** Tags that end a line. */
const breaking = /^<\/?(?:br|p|div|li|ul|ol|tr|table|h[1-6]|section|article|blockquote)\b/i;

/** The text of a piece of HTML: tags out, a line break where a block ends, character references resolved. */
export function withoutMarkup(html: string): string {
  if (!/[<&]/.test(html)) return html;
  // Where there are tags, line breaks of the source are blanks, as they are for a browser.
  const shown = (part: string): string => (html.includes('<') ? part.replace(/[\r\n]+/g, ' ') : part);
  let text = '';
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf('<', at);
    // What opens no tag is a sign like any other: `< 5 mm`.
    const opens = open !== -1 && /^<[/!A-Za-z]/.test(html.slice(open, open + 2));
    const close = opens ? html.indexOf('>', open) : -1;
    if (close === -1) {
      const end = open === -1 || opens ? html.length : open + 1;
      text += shown(html.slice(at, end));
      at = end;
      continue;
    }
    text += shown(html.slice(at, open));
    const tag = html.slice(open, Math.min(close + 1, open + 16));
    if (breaking.test(tag)) text += '\n';
    at = close + 1;
    if (/^<(?:script|style)\b/i.test(tag)) {
      const end = html.indexOf('</', at);
      at = end === -1 ? html.length : end;
    }
  }
  return text
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,15}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code < 0x110000 && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
    })
    .split('\n')
    .map((line) => line.replace(/[ \t\r]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
