// The frame of a page: its head with the content security policy, its bar, and what every page has.
import { createHash } from 'node:crypto';
import { html, Markup } from './markup/markup.js';
import { visibleText } from './markup/visible-text.js';

export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

export interface PageContent {
  readonly title: string;
  readonly subject: string;
  readonly tone: 'good' | 'warn' | 'bad' | 'plain';
  readonly nav: readonly { readonly id: string; readonly label: string }[];
  readonly main: readonly Markup[];
  readonly foot: Markup;
}

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The text of a page. The policy of the page forbids every request, and allows this script and this style run
 * and no other. Scripts make no markup of text either.
 */
export function page({ title, subject, tone, nav, main, foot }: PageContent, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  const links = nav.map(({ id, label }) => html`<li><a href="#${id}">${label}</a></li>`);
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${visibleText(title)}</title>
<style>${new Markup(style)}</style>
<script>${new Markup(script)}</script>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
<header class="top"><div><span class="brand">catalog-import</span><span class="dot ${tone}" aria-hidden="true"></span><span class="subject"><bdi>${subject}</bdi></span><nav aria-label="Parts of the report"><ul>${links}</ul></nav></div></header>
<main id="main" tabindex="-1">
${main}</main>
<footer>${foot}</footer>
</body>
</html>
`;
  return markup.text;
}
