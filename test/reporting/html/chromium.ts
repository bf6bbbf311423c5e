// Chromium without a window, for tests of pages: Debian's, driven by playwright-core. Where there is none, tests say so.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core';
import { atFileEnd } from '../../at-file-end.js';
import { testLimit } from '../../limits.js';
import { until } from '../../until.js';

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

/** What a page may be opened with; the first two can be changed later. */
type PageOptions = Pick<BrowserContextOptions, 'viewport' | 'colorScheme' | 'bypassCSP' | 'javaScriptEnabled'>;

let browser: Promise<Browser> | undefined;
/** By what all pages of one have in common: a window costs more than a report in it. */
const windows = new Map<string, Promise<BrowserContext>>();

/**
 * Opens a page. It is closed after the tests of the file; until then others see what it stores.
 * @param place a file on the disk, or the address of a server
 */
export async function openPage(place: string, options: PageOptions = {}): Promise<OpenedPage> {
  const { viewport = { width: 1280, height: 900 }, colorScheme = 'light', ...common } = options;
  const page = await (await windowFor(common)).newPage();
  page.setDefaultTimeout(testLimit / 2);
  if (viewport !== null) await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme });
  const errors: string[] = [];
  const requests: string[] = [];
  const url = addressOf(place);
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => said.type() === 'error' && errors.push(said.text()));
  page.on('dialog', (dialog) => {
    errors.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => request.url() !== url && requests.push(request.url()));
  // What the page's policy stops never leaves it.
  page.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') requests.splice(requests.indexOf(request.url()), 1);
  });
  await page.goto(url);
  return { page, errors, requests };
}

/** The address of a file on the disk; that of a page of a server is its own. */
export function addressOf(place: string): string {
  return /^(https?|about):/.test(place) ? place : pathToFileURL(place).href;
}

function windowFor(common: BrowserContextOptions): Promise<BrowserContext> {
  if (browser === undefined) atFileEnd(close);
  browser ??= chromium.launch({ executablePath, headless: true, args });
  const name = JSON.stringify(common);
  const opened = windows.get(name) ?? browser.then((one) => one.newContext(common));
  windows.set(name, opened);
  return opened;
}

/**
 * Clicks a button until what it opens is there. A click has no effect where a page that is still being drawn moves between
 * pressing and releasing.
 */
export async function press(button: Locator, opens: Locator): Promise<void> {
  await until('what a button opens', async () => {
    if (!(await opens.isVisible())) await button.click();
    return opens.waitFor({ timeout: testLimit / 12 }).then(
      () => true,
      () => false,
    );
  });
}

/** Waits until the script has unpacked the refused rows. */
export async function ready(page: Page): Promise<void> {
  await page.locator('.list .row').first().waitFor();
}

async function close(): Promise<void> {
  const opened = await browser;
  browser = undefined;
  windows.clear();
  await opened?.close();
}
