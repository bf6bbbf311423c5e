// Texts that are no feeds are named with a remedy, instead of being read as a table of one column or as broken JSON.
import { describe, expect, it } from 'vitest';
import { unsupportedFormat } from '../../../src/source/bytes/unsupported-format.js';
import { allowed } from '../../tier.js';

describe('a text of another kind is named, with a remedy', () => {
  it.each([
    ['an RTF document', '{\\rtf1\\ansi\\deff0 {\\fonttbl {\\f0 Times;}}\nsku,name\\par\nA,One\\par\n}'],
    [
      'a LaTeX document',
      '\\documentclass{article}\n\\begin{document}\n\\begin{tabular}{ll}\nA & B \\\\\n\\end{tabular}\n\\end{document}\n',
    ],
    [
      'an e-mail',
      'From: a@b.c\nTo: d@e.f\nSubject: price list\nMIME-Version: 1.0\nContent-Type: text/csv; name="p.csv"\nContent-Transfer-Encoding: base64\n\nc2t1LG5hbWUK\n',
    ],
    [
      'an e-mail',
      'Received: from x by y; Mon, 1 Jan 2026\nReturn-Path: <a@b.c>\nMessage-ID: <1@x>\nDate: Mon, 1 Jan 2026 00:00:00 +0000\nContent-Type: multipart/mixed; boundary="x"\n\n--x\n',
    ],
    ['a PostScript document', '%!PS-Adobe-3.0\n%%Pages: 1\nshowpage\n'],
    ['contacts', 'BEGIN:VCARD\nVERSION:3.0\nFN:Max, Mustermann\nEND:VCARD\n'],
    ['a calendar', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:x, y\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'],
    [
      'an SQL dump',
      "-- MySQL dump 10.13\n--\n-- Host: localhost    Database: shop\nDROP TABLE IF EXISTS `products`;\nCREATE TABLE `products` (\n  `id` int,\n  `sku` varchar(64)\n);\nINSERT INTO `products` VALUES (1,'A'),(2,'B');\n",
    ],
    ['an SQL dump', '/* ** of 2026 * **//**/;\n/*!40101 SET NAMES utf8 */;\nDROP TABLE IF EXISTS products;\n'],
    [
      'an SQL dump',
      "INSERT INTO products (sku, name) VALUES ('A','One');\nINSERT INTO products (sku, name) VALUES ('B','Two');\n",
    ],
    ['a YAML file', '---\nproducts:\n  - sku: A\n    name: One, and more\n  - sku: B\n    name: Two\n'],
    ['a YAML file', '- sku: A\n  name: One\n- sku: B\n  name: Two\n'],
    ['INI or TOML', '[[products]]\nsku = "A"\nname = "One, two"\n\n[[products]]\nsku = "B"\n'],
    ['INI or TOML', '[product.A]\nname=One, two\nprice=1.00\n\n[product.B]\nname=Two\n'],
    [
      'a table of Markdown',
      '# Price list\n\n| sku | name | price |\n|-----|:----:|------:|\n| A | One | 1.00 |\n| B | Two | 2.00 |\n',
    ],
    ['a table of Markdown', '| sku | name | price |\n|-----|------|-------|\n| A | One | 1.00 |\n'],
    ['an HTML table', '<table border=1><tr><th>sku</th><th>name</th></tr><tr><td>A</td><td>One</td></tr></table>\n'],
    ['an HTML table', '<style>td{}</style>\n<div><table><tr><td>A</td></tr></table></div>\n'],
    [
      'an HTML page with a table',
      '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head></head><body><table><tr><td>A</td></tr></table></body></html>',
    ],
    [
      'the log of a web server',
      '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET /a.csv HTTP/1.1" 200 2326 "-" "curl, 7"\n127.0.0.1 - - [10/Oct/2026:13:55:37 +0000] "GET /b HTTP/1.1" 404 12 "-" "x"\n',
    ],
    ['a patch', 'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-sku,name\n+sku,title\n'],
    ['a DIF spreadsheet', 'TABLE\n0,1\n"EXCEL"\nVECTORS\n0,3\n""\n'],
    ['a SYLK spreadsheet', 'ID;PWXL;N;E\nC;Y1;X1;K"sku"\nC;Y1;X2;K"name"\nE\n'],
    ['an image', '<svg xmlns="http://www.w3.org/2000/svg"><text>a</text></svg>'],
    [
      'Excel 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">sku</Data></Cell></Row><Row><Cell><Data ss:Type="String">A</Data></Cell></Row></Table></Worksheet></Workbook>',
    ],
    ['a PHP script', '<?php\nreturn ["sku"=>"A"];\n'],
    ['a JavaScript file', 'module.exports = [{sku:"A"}];\n'],
    ['an EDIFACT message', "UNA:+.? 'UNB+UNOC:3+X:14+Y:14+260101:1200+1'UNH+1+PRICAT:D:96A:UN'BGM+9+1'"],
    ['encrypted or signed', '-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n'],
    ['text in Base64', 'c2t1LG5hbWUscHJpY2UKQSxPbmUsMS4wMApCLFR3bywyLjAwCg==\n'],
  ])('%s: %j', (what, text) => {
    const said = unsupportedFormat(Buffer.from(text)) ?? '';
    expect(said).toContain(what);
    expect(said).toMatch(/; \w+/);
    expect(unsupportedFormat(Buffer.from(`\ufeff${text}`))).toBe(said);
  });

  it.each([
    'sku,name\nA,One\n',
    'ID;Name;Preis\nP1;Eins;1,00\n',
    'Date: 2026-01-01;;\nsku;name;price\nA;One;1\n',
    'From;To;Price\nA;B;1\n',
    'set_num,name\n001-1,Gears\n',
    'TABLE,name\nA,One\n',
    '|sku|name|\n|A|One|\n',
    '-----\nsku,name\nA,One\n',
    '# list of 2026\nsku,name\n',
    '<table><row><sku>A</sku></row></table>',
    '<items><item><sku>A</sku></item></items>',
    '[{"sku":"A"}]',
    '[\n  {"sku": "A=1"}\n]',
    '{"sku":"A"}\n',
    'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3a94a8fe5ccb19ba6,name\nA,One\n',
    'create date,sku\n1,A\n',
  ])('a feed is none of them: %j', (text) => expect(unsupportedFormat(Buffer.from(text))).toBeUndefined());

  it('long beginnings are looked at in no time', () => {
    const began = performance.now();
    for (const unit of [
      'A',
      ' ',
      '\n',
      '# \n',
      '|',
      '--\n',
      '/*',
      '/**/',
      '/* a */\n',
      '- ',
      'a: b\n',
      '<!---->',
      '[',
      '+-',
    ])
      unsupportedFormat(Buffer.from(unit.repeat(4096)));
    expect(performance.now() - began).toBeLessThan(allowed(2000));
  });
});
