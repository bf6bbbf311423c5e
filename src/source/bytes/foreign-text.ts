// Recognizes texts that are not tables, JSON or XML feeds by how they begin, with a remedy for each: read as a table, they
// would be reported as one without the column of the key.

interface Beginning {
  readonly pattern: RegExp;
  readonly what: string;
  readonly remedy: string;
}

const ask = 'ask for the list as CSV, Excel, JSON or XML';
const save = 'open it in a spreadsheet and save it as .xlsx or CSV';
const convert = 'convert it to JSON';

/** A tag of HTML with which no XML feed begins. */
const html =
  /^\s*(?:<!--[^>]*-->\s*)*<(?:(?:div|style|body|head|script|meta|center|font|br|span)\b|table\b[^>]*>(?:\s*<(?:thead|tbody|caption|colgroup|col)\b[^>]*>)*\s*<t[rhd]\b)/i;

const beginnings: readonly Beginning[] = [
  { pattern: /^\{\\rtf/, what: 'an RTF document', remedy: 'open it in a word processor, and save its table as CSV' },
  { pattern: /^\s*\\(?:documentclass|usepackage|begin)\b/, what: 'a LaTeX document', remedy: ask },
  { pattern: /^%!PS/, what: 'a PostScript document', remedy: ask },
  { pattern: /^BEGIN:VCARD/i, what: 'a file of contacts (vCard)', remedy: 'export it as CSV' },
  { pattern: /^BEGIN:VCALENDAR/i, what: 'a calendar (iCalendar)', remedy: 'name the feed itself' },
  {
    pattern:
      /^(?:from|to|return-path|received|delivered-to|message-id|mime-version|date|subject|content-type|x-[\w-]+): .*\r?\n(?:(?:[ \t].*|[a-z][\w-]*: .*)\r?\n){2,}/i,
    what: 'an e-mail (MIME)',
    remedy: 'open it in a mail program, and save its attachment',
  },
  {
    pattern:
      /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/;?)*(?:(?:INSERT|REPLACE) INTO\b|(?:CREATE|DROP|LOCK|ALTER) (?:TABLE|DATABASE)S?\b|COPY \S+ \(|BEGIN TRANSACTION)/i,
    what: 'an SQL dump',
    remedy: 'load it into a database and export its table as CSV',
  },
  {
    pattern: /^-- (?:MySQL|MariaDB|PostgreSQL|SQLite|phpMyAdmin|Adminer)\b/m,
    what: 'an SQL dump',
    remedy: 'load it into a database and export its table as CSV',
  },
  {
    pattern: /^(?:\s|#.*\n)*\[{1,2}[\w .:"'-]+\]{1,2}\s*\n(?:\s|[#;].*\n)*[\w."'-]+\s*=/,
    what: 'an INI or TOML file',
    remedy: convert,
  },
  {
    pattern:
      /^(?:\s|#.*\n|%YAML.*\n)*(?:---\s*\n(?:\s|#.*\n)*(?:- )?[\w"'-]+:(?:\s|$)|- [\w"'-]+: .*\n|[\w"'-]+:\s*\n\s+(?:- |[\w"'-]+:\s))/,
    what: 'a YAML file',
    remedy: convert,
  },
  {
    pattern: /^(?:(?!\|).*\n){0,20}?\|.*\|[ \t]*\r?\n\|(?:\s*:?-{2,}:?\s*\|)+[ \t]*\r?$/m,
    what: 'a table of Markdown',
    remedy: 'remove the line of dashes, and name --delimiter "|"; or save it as CSV',
  },
  {
    pattern: /^\s*\+(?:-+\+)+\s*\n\s*\|/,
    what: 'a table printed by a database client',
    remedy: 'export it as CSV',
  },
  { pattern: html, what: 'an HTML table or page', remedy: save },
  {
    pattern: /^[^<]{0,10}<\?xml[\s\S]{0,300}?(?:progid="Excel\.Sheet"|<(?:\w+:)?Workbook\b)/,
    what: 'an XML workbook of Excel 2003',
    remedy: save,
  },
  {
    pattern: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE svg[^>]*>\s*)?<svg\b/,
    what: 'an image (SVG)',
    remedy: 'name the feed itself',
  },
  { pattern: /^<\?(?:php|=)/, what: 'a PHP script', remedy: 'name what it prints' },
  {
    pattern: /^\s*(?:module\.exports\s*=|export (?:default|const)\b|(?:var|let|const)\s+\w+\s*=)/,
    what: 'a JavaScript file',
    remedy: 'save its data as JSON',
  },
  {
    pattern: /^\S+ \S+ \S+ \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2} [+-]\d{4}\] "/,
    what: 'the log of a web server',
    remedy: 'name the feed itself',
  },
  { pattern: /^(?:diff --git |--- .*\n\+\+\+ .*\n@@ )/, what: 'a patch (diff)', remedy: 'name the file itself' },
  { pattern: /^ID;P/, what: 'a SYLK spreadsheet', remedy: save },
  { pattern: /^TABLE\r?\n0,1\r?\n/, what: 'a DIF spreadsheet', remedy: save },
  { pattern: /^(?:UNA.{6}\s*)?UNB\+/, what: 'an EDIFACT message', remedy: ask },
  { pattern: /^-----BEGIN /, what: 'encrypted or signed', remedy: 'decrypt it first' },
  {
    pattern: /^[A-Za-z0-9+/]{48,}[A-Za-z0-9+/\r\n]*={0,2}\s*$/,
    what: 'text in Base64',
    remedy: 'decode it first: base64 -d',
  },
];

/** The message for a text that is not a feed, with the remedy; undefined if it may be one. @param start its first characters */
export function foreignText(start: string): string | undefined {
  const text = start.replace(/^\xef\xbb\xbf/, '');
  const found = beginnings.find(({ pattern }) => pattern.test(text));
  return found && `is ${found.what}, which cannot be read; ${found.remedy}`;
}
