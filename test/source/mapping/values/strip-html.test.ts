// HTML is read as a browser shows it: by a parser, with every named character.
import { describe, expect, it } from 'vitest';
import { stripHtml } from '../../../../src/source/mapping/values/strip-html.js';
import { allowed } from '../../../tier.js';

describe('the text of HTML', () => {
  it.each([
    ['<p>One</p><p>Two &amp; <b>three</b></p>', 'One\nTwo & three'],
    ['a<br/>b<br>c', 'a\nb\nc'],
    ['<ul><li>x<li>y</ul>', 'x\ny'],
    ['&Auml;&ccaron;&rarr;&hearts;&NotEqualTilde;&frac34;&#8364;&#x1F600;', 'Äč→♥≂̸¾€😀'],
    ['R&D &unknown; &amp;lt;', 'R&D &unknown; &lt;'],
    ['5 < 6 and 7 > 3', '5 < 6 and 7 > 3'],
    ['<a title="x > y">link</a>', 'link'],
    ['<script>if (a < b) alert("</p>")</script>seen<style>p { }</style>', 'seen'],
    ['<!-- hidden --> seen', 'seen'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<p>unclosed', 'unclosed'],
    ['&#0;&#xD800;', '\ufffd\ufffd'],
    ['line\nbreak', 'line\nbreak'],
    ['<i>line\nbreak</i>', 'line break'],
    ['<![CDATA[<p>One &amp; two</p>]]> <![CDATA[three]]>', 'One & two\nthree'],
    ['<![CDATA[unclosed', 'unclosed'],
    ['Tea &amp', 'Tea &'],
    ['seen <b', 'seen <b'],
    ['<b><u', '<u'],
    ['<b>seen</b><u', 'seen<u'],
    ['<b>seen</b> <i', 'seen <i'],
    ['5 <s', '5 <s'],
    ['<b><scri', '<scri'],
    ['<b>a</b>&amp;<i', 'a&<i'],
    ['a < b <!-- c --><t', 'a < b <t'],
    ['seen <!-- hidden', 'seen'],
    ['seen <script>a <b', 'seen'],
  ])('%s is %s', (html, text) => {
    expect(stripHtml(html)).toBe(text);
  });

  it('of a hostile text comes in time', () => {
    const begun = performance.now();
    for (const part of ['<', '<a', '<a b="', '<p>', '</p>', '&', '&#', '<!--', '<script>', '<title>', '<svg><style>'])
      stripHtml(part.repeat(50_000));
    expect(performance.now() - begun).toBeLessThan(allowed(20_000));
  });
});
