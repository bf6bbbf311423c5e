// Chromium without a window, for tests of pages: Debian's, driven by playwright-core. Where there is none, tests say so.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { atFileEnd } from '../../at-file-end.js';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why pages cannot be looked at here; undefined where they can. */
export const noChromium: string | undefined = existsSync(executablePath)
  ? undefined
  : `no Chromium at ${executablePath}; apt-get install chromium, or name another one by CHROMIUM`;

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page that was opened, with what went wrong in it and what it asked for. */
export interface OpenedPage {
  readonly page: Page;
  readonly errors: string[];
  /** Addresses other than its own. */
  readonly requests: string[];
}

let browser: Promise<Browser> | undefined;

/**
 * Opens a page with a profile of its own. It is closed after the tests of the file.
 * @param place a file on the disk, or the address of a server
 */
export async function openPage(place: string, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  if (browser === undefined) atFileEnd(close);
  browser ??= chromium.launch({ executablePath, headless: true, args });
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  const url = /^https?:/.test(place) ? place : pathToFileURL(place).href;
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => request.url() !== url && requests.push(request.url()));
  // What the page's policy stops never leaves it.
  context.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') requests.splice(requests.indexOf(request.url()), 1);
  });
  await page.goto(url);
  return { page, errors, requests };
}

/** Waits until the script has unpacked the refused rows. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.list .row').first().waitFor();
}

async function close(): Promise<void> {
  const opened = await browser;
  browser = undefined;
  await opened?.close();
}
