// Every page that the program makes, held against the rules of axe: contrast, names, order; light and dark, wide and narrow.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { delivery, demo, folder, typed } from '../../cli/typed.js';
import { type GivenServer, givenServer } from '../../http/server/given-server.js';
import { addressOf, noChromium, type OpenedPage, openPage, press } from './chromium.js';

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1280, 390].map((width) => ({ colorScheme, width })),
);

/** What axe returns, as far as it is looked at. */
interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact?: string | null;
    readonly nodes: readonly {
      readonly target: readonly string[];
      readonly any: readonly { readonly message: string }[];
    }[];
  }[];
}

let tab: Promise<OpenedPage> | undefined;

/** Opens a page in the place of the one before, where axe may run, a script that the policy of our pages forbids. */
async function open(place: string): Promise<Page> {
  tab ??= openPage('about:blank', { bypassCSP: true });
  const { page } = await tab;
  await page.goto(addressOf(place));
  return page;
}

/**
 * What axe finds wrong on a page with all its parts open, in each look; and where the page is wider than the screen.
 * @param impacts how bad a fault is that counts; by default any
 */
async function findings(page: Page, impacts?: readonly string[]): Promise<string[]> {
  await page.evaluate(readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8'));
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await lookAt(page, impacts)).map((words) => `${colorScheme}, ${width} pixels: ${words}`));
  }
  return found;
}

async function lookAt(page: Page, impacts?: readonly string[]): Promise<string[]> {
  const { results, beyond } = await page.evaluate(async () => {
    for (const part of document.querySelectorAll('details')) part.open = true;
    // Colours that change slowly are looked at when they have changed.
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    const { axe } = window as unknown as { readonly axe: { run(options: object): Promise<AxeResults> } };
    // What is in order is not described, which takes as long.
    return {
      results: await axe.run({ resultTypes: ['violations'] }),
      beyond: document.documentElement.scrollWidth - window.innerWidth,
    };
  });
  const counting = results.violations.filter(({ impact }) => impacts?.includes(impact ?? '') ?? true);
  const violations = counting.map(({ id, nodes }) => {
    const [first] = nodes;
    return `${id}, ${nodes.length} times: ${first?.target.join(' ')} ${first?.any[0]?.message ?? ''}`;
  });
  return beyond > 0 ? [...violations, `${beyond} pixels beyond the screen`] : violations;
}

const heading = 'sku,currency,name,price,stock\n';
const night = (price: (i: number) => number, count = 40): string =>
  heading + Array.from({ length: count }, (_, i) => `S-${i},EUR,Product ${i},${price(i)}.00,${i}\n`).join('');

/** The pages of runs: the exit code, and the command. */
const pages: Readonly<Record<string, readonly [exit: number, ...command: string[]]>> = {
  'an import of several files, with refused rows': [3, 'run', delivery, '--diff'],
  'a dry run': [0, 'products', 'next.csv', '--dry-run', '--diff'],
  'a plan': [0, 'plan', 'products', 'next.csv', '--feed', 'erp', '--out', 'next.plan'],
  'a plan that guards would stop': [8, 'plan', 'products', 'cents.csv', '--feed', 'erp', '--out', 'cents.plan'],
  'an applied plan': [0, 'apply', 'next.plan'],
  'a night that a guard stopped': [8, 'products', 'cents.csv', '--feed', 'erp'],
  'a night that suspends records': [0, 'products', 'last.csv', '--feed', 'erp', '--missing', 'suspend'],
  'a feed that is retired': [0, 'feeds', 'retire', 'erp'],
  'an undo': [0, 'undo', '--since', '2'],
  'a file that is not there': [5, 'products', 'nowhere.csv'],
  'a file without records': [0, 'products', 'empty.csv'],
  'a file that is looked into': [0, 'inspect', join(demo, '../feeds/baumarkt.csv')],
};

describe.skipIf(noChromium !== undefined)(`pages${noChromium === undefined ? '' : `: ${noChromium}`}`, () => {
  const cwd = folder({
    'first.csv': night((i) => 10 + i),
    'next.csv': night((i) => 11 + i),
    'last.csv': night((i) => 11 + i, 38),
    'cents.csv': night((i) => 1000 + 100 * i),
    'empty.csv': heading,
  });
  let given: GivenServer;
  beforeAll(async () => {
    await typed(cwd, ['run', demo, '--quiet']);
    await typed(cwd, ['products', 'first.csv', '--feed', 'erp', '--quiet']);
    for (const [name, [exit, ...command]] of Object.entries(pages))
      expect([name, (await typed(cwd, [...command, '--report-file', `${name}.html`])).code]).toEqual([name, exit]);
    given = await givenServer();
  });
  afterAll(() => given?.stop());

  it.each(Object.keys(pages))('of %s have no fault', async (name) => {
    expect(await findings(await open(join(cwd, `${name}.html`)))).toEqual([]);
  });

  it('of a server have no fault: the first one', async () => {
    expect(await findings(await open(`${given.server.url}/`))).toEqual([]);
  });

  it('of a server have no serious fault: the reference, with operations open', async () => {
    const page = await open(`${given.server.url}/docs`);
    for (const name of ['importProduct', 'readProduct']) {
      const operation = page.locator(`#operations-product-${name}`);
      await press(operation.locator('.opblock-summary-control'), operation.locator('.opblock-body'));
    }
    await page.locator('#operations-product-readProduct .microlight').first().waitFor();
    expect(await findings(page, ['serious', 'critical'])).toEqual([]);
  });
});
