// The pictures of reports in the manual. `npm run manual` takes them again; otherwise they are there, small, and of the size
// that a page has now.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typedAsProcess } from '../../cli/started.js';
import { folder } from '../../cli/typed.js';
import { noChromium, openPage, ready } from './chromium.js';
import { exampleShop, nextDelivery } from './example-shop.js';

const images = join(import.meta.dirname, '../../../src/manual/images');
const largest = 150_000;
/** Whether Vitest was started with --update. */
const isUpdate = (): boolean => {
  const { snapshotState } = expect.getState() as unknown as { snapshotState?: { _updateSnapshot?: string } };
  return snapshotState?._updateSnapshot === 'all';
};

const sizeOf = (png: Buffer): readonly [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

async function scrollTo(page: Page, selector: string): Promise<void> {
  await page
    .locator(selector)
    .first()
    .evaluate((part) => part.scrollIntoView({ behavior: 'instant', block: 'start' }));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

describe.skipIf(noChromium !== undefined)(`pictures${noChromium === undefined ? '' : `: ${noChromium}`}`, () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'shop-'));
    writeFileSync(join(cwd, 'supplier-feed.csv'), nextDelivery);
    await typedAsProcess(folder(exampleShop), ['run', '.', '--quiet', '--db', join(cwd, 'catalog.db')]);
    const args = ['products', 'supplier-feed.csv', '--dry-run', '--diff', '--quiet', '--report-file', 'report.html'];
    expect((await typedAsProcess(cwd, args)).code).toBe(3);
    // The folder of a shop, in place of the one of the tests.
    const page = join(cwd, 'report.html');
    writeFileSync(page, readFileSync(page, 'utf8').replaceAll(cwd, '/home/shop'));
  });

  afterAll(() => rmSync(cwd, { recursive: true, force: true }));

  it.each([
    ['report', 'light', 1200, 900, 'body'],
    ['report-changes', 'light', 1200, 820, '#changes'],
    ['report-refused', 'dark', 1200, 720, '#refused'],
    ['report-narrow', 'light', 390, 760, 'body'],
  ] as const)('%s.png', async (name, colorScheme, width, height, part) => {
    const { page } = await openPage(join(cwd, 'report.html'), { colorScheme, viewport: { width, height } });
    await ready(page);
    if (part === '#refused') await page.locator('.row').nth(3).click();
    await scrollTo(page, part);
    const png = await page.screenshot({ animations: 'disabled' });
    expect(png.length).toBeLessThan(largest);
    const file = join(images, `${name}.png`);
    if (isUpdate()) writeFileSync(file, png);
    expect(existsSync(file), 'taken by npm run manual').toBe(true);
    expect(sizeOf(readFileSync(file))).toEqual([width, height]);
    expect(readFileSync(file).length).toBeLessThan(largest);
  });
});
