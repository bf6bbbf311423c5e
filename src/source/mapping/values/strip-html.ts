// Strips HTML to the visible text. The home of htmlparser2, of which only the tokenizer is used: its parser, which also matches
// tags, takes quadratic time for hostile input.
import { Tokenizer } from 'htmlparser2';

/** Elements that begin and end a line. */
const blocks = new Set(
  'address article aside blockquote br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);
/** Elements whose text is not shown: the tokenizer treats what follows their tag as one text. */
const hidden = new Set(['script', 'style', 'title']);

const nothing = (): void => undefined;

/**
 * The text of a piece of HTML: without tags, with a line break where a block ends, and entities resolved. CDATA marks are removed: some
 * feeds wrap the text twice, or in a format other than XML.
 */
export function stripHtml(given: string): string {
  if (!/[<&]/.test(given)) return given;
  const html = given.includes('<![CDATA[') ? given.replaceAll('<![CDATA[', '').replaceAll(']]>', '') : given;
  const hasTags = /<[/!A-Za-z]/.test(html);
  let text = '';
  let unseen = false;
  // The position after the last complete text or tag.
  let textStart = 0;
  function open(start: number, end: number): void {
    const name = html.slice(start, end).toLowerCase();
    unseen = hidden.has(name);
    if (blocks.has(name)) text += '\n';
    else if (name === 'td' || name === 'th') text += ' ';
  }
  function endOfTag(end: number): void {
    textStart = end + 1;
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: true, xmlMode: false },
    {
      onopentagname: open,
      onopentagend: endOfTag,
      onselfclosingtag: endOfTag,
      onclosetag(start, end) {
        unseen = false;
        textStart = html.indexOf('>', end) + 1 || html.length;
        if (blocks.has(html.slice(start, end).toLowerCase())) text += '\n';
      },
      ontext(begin, end) {
        // The tokenizer leaves out the `<` at the end of a text, before the first letters of a name such as `script`.
        const start = begin > textStart && html[begin - 1] === '<' ? begin - 1 : begin;
        textStart = end;
        if (unseen) return;
        const part = html.slice(start, end);
        // If there are tags, line breaks of the source are spaces, as in a browser.
        text += hasTags ? part.replace(/[\r\n]+/g, ' ') : part;
      },
      ontextentity(code, end) {
        textStart = end;
        if (!unseen) text += String.fromCodePoint(code);
      },
      onattribdata: nothing,
      onattribend: nothing,
      onattribentity: nothing,
      onattribname: nothing,
      oncdata: nothing,
      oncomment: nothing,
      ondeclaration: nothing,
      onprocessinginstruction: nothing,
      onend: nothing,
      isInForeignContext: () => false,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  // A `<` that does not start a complete tag is text.
  const rest = html.slice(textStart);
  if (!unseen && /^<[A-Za-z]/.test(rest)) text += rest;
  return text
    .split('\n')
    .map((line) => line.replace(/[ \t\r\u00a0]+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}
