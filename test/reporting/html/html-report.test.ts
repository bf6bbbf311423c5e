// The page of --report-file run.html, looked at in a browser: it shows what the NDJSON report contains, takes hostile text for
// text, and works by keys, on a narrow screen, on paper and without JavaScript.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { outcome, start } from '../../cli/started.js';
import { delivery, demo, folder, products, typed } from '../../cli/typed.js';
import { allowed, isFull } from '../../tier.js';
import { noChromium, openPage, ready } from './chromium.js';

interface NdjsonLine {
  readonly type?: string;
  readonly object?: string;
  readonly file: string;
  readonly line: number;
  readonly external_id: string;
  readonly action: string;
  readonly code: string | null;
  readonly reason: string;
  readonly problems: readonly { readonly field: string; readonly column: string | null }[];
  readonly [member: string]: unknown;
}

function linesOf(file: string): NdjsonLine[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as NdjsonLine);
}

/** All rows of the list, by scrolling through it. */
async function listed(page: Page): Promise<{ line: number; key: string; code: string; why: string }[]> {
  return page.evaluate(async () => {
    const list = document.querySelector('.list') as HTMLElement;
    const found = new Map<string, { line: number; key: string; code: string; why: string }>();
    for (let top = 0; top <= list.scrollHeight; top += 200) {
      list.scrollTop = top;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      for (const row of document.querySelectorAll('.list .row'))
        found.set(row.id, {
          line: Number(row.querySelector('.at')?.textContent?.replaceAll(',', '')),
          key: row.querySelector('.key')?.textContent ?? '',
          code: row.querySelector('code')?.textContent ?? '',
          why: row.querySelector('.why')?.textContent ?? '',
        });
    }
    return [...found].sort(([a], [b]) => Number(a.slice(4)) - Number(b.slice(4))).map(([, row]) => row);
  });
}

const shownRows = (page: Page) => page.locator('.filters .shown').innerText();

/** A feed with several causes; of `count` products every ninth is refused. */
function feed(count: number): string {
  const rows = Array.from({ length: count }, (_, i) => {
    const price = i % 27 === 0 ? '"12,50"' : '9.90';
    const stock = i % 9 === 0 && (i % 27 !== 0 || i % 54 === 0) ? 'many' : i;
    return `S-${i},Product ${i},EUR,${price},${stock},Remark ${i}`;
  });
  return `sku,name,currency,Net price,stock,remark\n${rows.join('\n')}\n`;
}

const feedArgs = ['--rename', 'Net price=price', '--quiet', '--report', 'none'];

describe.skipIf(noChromium !== undefined)(
  `a page in Chromium${noChromium === undefined ? '' : `: ${noChromium}`}`,
  () => {
    describe('of a folder', () => {
      let cwd: string;
      let told: NdjsonLine[];
      beforeAll(async () => {
        cwd = folder();
        await typed(cwd, ['run', demo, '--quiet']);
        const { code } = await typed(cwd, [
          'run',
          delivery,
          '--quiet',
          '--report-file',
          'r.html',
          '--report-file',
          'r.ndjson',
        ]);
        expect(code).toBe(3);
        told = linesOf(join(cwd, 'r.ndjson'));
      });

      it('shows what the NDJSON report tells: counts, files, refused rows, causes', async () => {
        const { page, errors, requests } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        const end = told.at(-1) as NdjsonLine;
        const [run] = told;
        for (const action of ['created', 'updated', 'unchanged', 'refused'])
          expect(await page.locator(`.legend .${action} b`).innerText()).toBe(String(end[action]));
        expect(await page.locator('.exit b').innerText()).toBe(`Exit code ${end['exit']}`);
        expect(await page.locator('.facts time').getAttribute('datetime')).toBe(run?.['started']);
        const files = told.filter(({ type, object }) => type === 'summary' && object === undefined);
        expect(await page.locator('#files tbody tr').count()).toBe(files.length);
        const refused = told.filter(({ action }) => action === 'refused');
        expect((await listed(page)).map(({ line, key, code, why }) => ({ line, key, code, why }))).toEqual(
          refused.map(({ line, external_id: key, code, reason: why }) => ({ line, key, code, why })),
        );
        const byCode = new Map<string, number>();
        for (const cause of await page.locator('.cause').all()) {
          const code = (await cause.locator('summary code').innerText()) as string;
          byCode.set(code, (byCode.get(code) ?? 0) + Number(await cause.locator('.much b').innerText()));
        }
        // A product of the refused category is counted with it.
        expect(await page.locator('.root tbody .num').allInnerTexts()).toEqual(['1']);
        byCode.set('reference_not_found', 1 + (byCode.get('reference_not_found') ?? 0));
        expect(Object.fromEntries(byCode)).toEqual(end['codes']);
        expect([errors, requests]).toEqual([[], []]);
      });

      it('puts the record that others were refused for first', async () => {
        const shop = folder({
          'categories.csv': 'name,parent,position\nPhones,,x\n',
          'products.csv': 'sku,currency,category\nA,EUR,Phones\nB,EUR,Phones\nC,EUR,\n',
        });
        await typed(shop, [
          'run',
          '.',
          '--quiet',
          '--db',
          join(folder(), 'c.db'),
          '--report-file',
          join(cwd, 'root.html'),
        ]);
        const { page } = await openPage(join(cwd, 'root.html'));
        expect(await page.locator('.root tbody tr').allInnerTexts()).toEqual([
          expect.stringMatching(/category Phones.*categories.csv, line 2.*2.*2 products/s),
        ]);
        expect(await page.locator('.cause').count()).toBe(1);
      });
    });

    describe('of a feed', () => {
      let cwd: string;
      beforeAll(async () => {
        cwd = folder({ 'feed.csv': feed(900) });
        const { code } = await typed(cwd, [
          'products',
          'feed.csv',
          ...feedArgs,
          '--report-file',
          'r.html',
          '--report-file',
          'r.ndjson',
        ]);
        expect(code).toBe(3);
      });

      it('filters the refused rows by code, column, key and line, and marks the cell at fault', async () => {
        const { page } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        const refused = linesOf(join(cwd, 'r.ndjson')).filter(({ action }) => action === 'refused');
        const by = (choose: (line: NdjsonLine) => boolean) => `${refused.filter(choose).length} of ${refused.length}`;
        await page.selectOption('.filters select[name=code]', 'field_type');
        const firstColumn = ({ problems }: NdjsonLine) => problems[0]?.column ?? problems[0]?.field;
        expect(await shownRows(page)).toBe(by(({ code }) => code === 'field_type'));
        await page.getByRole('button', { name: 'Clear' }).click();
        await page.selectOption('.filters select[name=column]', 'Net price');
        expect(await shownRows(page)).toBe(by((line) => firstColumn(line) === 'Net price'));
        expect(await page.locator('.detail tr:has(mark) th').allInnerTexts()).toContain('Net price');
        await page.getByRole('button', { name: 'Clear' }).click();
        await page.fill('.filters input[name=key]', 's-81');
        expect(await shownRows(page)).toBe(by(({ external_id }) => external_id.startsWith('S-81')));
        await page.fill('.filters input[name=key]', '');
        await page.fill('.filters input[name=line]', '100-200');
        expect(await shownRows(page)).toBe(by(({ line }) => line >= 100 && line <= 200));
        await page.fill('.filters input[name=line]', '2');
        expect(await page.locator('.detail h3').innerText()).toBe('S-0');
        expect(await page.locator('.detail tr:has(mark)').allInnerTexts()).toEqual([
          expect.stringMatching(/Net price\s+12,50/),
          expect.stringMatching(/stock\s+many/),
        ]);
        await page.fill('.filters input[name=line]', '3');
        expect(await page.locator('.list').innerText()).toContain('No row is like this');
      });

      it('can be used with the keyboard alone: the list, its rows, the filter of a table', async () => {
        const { page } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        await page.keyboard.press('Tab');
        expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the report');
        await page.locator('.list').focus();
        for (const [key, at] of [
          ['ArrowDown', 1],
          ['End', 99],
          ['ArrowUp', 98],
          ['Home', 0],
        ] as const) {
          await page.keyboard.press(key);
          expect(await page.locator('.list').getAttribute('aria-activedescendant')).toBe(`row-${at}`);
          await expect.poll(() => page.locator('.row[aria-selected=true]').getAttribute('id')).toBe(`row-${at}`);
          expect(await page.locator('.row[aria-selected=true]').isVisible()).toBe(true);
        }
        // Every part that opens, and every control, has a name and takes the focus.
        const nameless = await page.evaluate(
          () =>
            [...document.querySelectorAll<HTMLElement>('button, input, select, summary, [tabindex="0"]')].filter(
              (one) =>
                (one.getAttribute('aria-label') ?? one.textContent ?? '') === '' &&
                !(one as HTMLInputElement).labels?.length,
            ).length,
        );
        expect(nameless).toBe(0);
      });

      it('shows the rows of a cause, and gives them as CSV without formulas', async () => {
        const { page } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        const cause = page.locator('.cause', { hasText: 'Net price' }).first();
        const count = Number(await cause.locator('.much b').innerText());
        await cause.evaluate((part) => {
          (part as HTMLDetailsElement).open = true;
        });
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          cause.getByRole('button', { name: 'Download' }).click(),
        ]);
        const csv = readFileSync(await file.path(), 'utf8');
        expect(csv.split('\r\n')[0]).toBe('\ufeffsku,name,currency,Net price,stock,remark,_line,_code,_reason');
        expect(csv.trim().split('\r\n')).toHaveLength(count + 1);
        await cause.getByRole('button', { name: 'Show' }).click();
        expect(await shownRows(page)).toMatch(new RegExp(`^${count} of`));
      });

      it('can be read without JavaScript: the first 500 rows with their cells, and no control that needs a script', async () => {
        const { page } = await openPage(join(cwd, 'r.html'), { javaScriptEnabled: false });
        const rows = page.locator('#refused .plain tbody tr');
        expect(await rows.count()).toBe(100);
        expect(await rows.first().isVisible()).toBe(true);
        expect(await rows.first().innerText()).toMatch(/S-0.*field_.*Net price 12,50/s);
        expect(await rows.first().locator('mark').allInnerTexts()).toEqual(['12,50', 'many']);
        expect(await page.locator('button:visible, input:visible, select:visible').count()).toBe(0);
      });

      it('is printed with all parts open and the rows as a table', async () => {
        const { page } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator('.explorer').isVisible()).toBe(false);
        expect(await page.locator('#refused .plain tbody tr').first().isVisible()).toBe(true);
        await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
        expect(await page.locator('details:not([open])').count()).toBe(0);
        expect((await page.pdf()).subarray(0, 5).toString()).toBe('%PDF-');
      });

      it('prints thousands of refused rows on ten pages at most, and says how many of them are printed', async () => {
        const count = isFull ? 5_000 : 1_000;
        const rows = Array.from({ length: count }, (_, i) => `S-${i},A product with a name ${i},EUR,"12,50",many,${i}`);
        const folded = folder({ 'feed.csv': `${feed(0)}${rows.join('\n')}\n` });
        await typed(folded, ['products', 'feed.csv', '--report-file', 'r.html', ...feedArgs]);
        const { page } = await openPage(join(folded, 'r.html'));
        await ready(page);
        const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
        expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)?.length).toBeLessThanOrEqual(10);
        await page.emulateMedia({ media: 'print' });
        expect(await page.locator('#refused .plain tbody tr:visible').count()).toBe(200);
        expect(await page.locator('#refused .print').innerText()).toBe('Of these the first 200 are printed.');
      });

      it('makes no network request, and runs no script but its own', async () => {
        const { page, requests } = await openPage(join(cwd, 'r.html'));
        await ready(page);
        const tried = await page.evaluate(async () => {
          const fetched = await fetch('https://example.invalid/').then(
            () => 'sent',
            () => 'refused',
          );
          const script = document.createElement('script');
          try {
            script.textContent = 'window.ran = true';
            document.body.append(script);
          } catch {
            // The page lets no text become a script.
          }
          const image = new Image();
          image.src = 'https://example.invalid/x.png';
          await new Promise((resolve) => image.addEventListener('error', resolve));
          return { fetched, ran: 'ran' in window };
        });
        expect(tried).toEqual({ fetched: 'refused', ran: false });
        expect(requests.filter((url) => !url.startsWith('data:') && !url.startsWith('blob:'))).toEqual([]);
      });
    });

    it('treats hostile text as text, wherever it is', async () => {
      const nasty = '</script><script>window.ran=1</script><img src=x onerror=window.ran=1>';
      const key = `${nasty}"'&amp;`;
      const bidi = 'abc\u202egnp.exe\u2066x\u200b\u0007\u001b[31m';
      const rows = [
        [key, 'EUR', 'abc', nasty],
        [bidi, 'EUR', 'def', '=1+1'],
        ['=HYPERLINK("http://x";"y")', 'EUR', 'ghi', '@SUM(1)'],
        ['long', 'EUR', 'x'.repeat(1_000_000), 'y'.repeat(1_000_000)],
      ];
      const csv = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      const name = `<img src=x onerror=window.ran=1>.csv`;
      const cwd = folder({
        [name]: `${csv(['sku', 'currency', 'price', `${nasty}\u202e`])}\n${rows.map(csv).join('\n')}\n`,
      });
      await typed(cwd, ['products', name, '--quiet', '--report-file', 'r.html']);
      expect(statSync(join(cwd, 'r.html')).size).toBeLessThan(200_000);
      const { page, errors, requests } = await openPage(join(cwd, 'r.html'));
      await ready(page);
      const found = await listed(page);
      expect(found[0]?.key).toBe(key);
      expect(found[1]?.key).toBe('abcU+202Egnp.exeU+2066xU+200BU+0007␛[31m');
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download as CSV' }).click(),
      ]);
      const cells = readFileSync(await file.path(), 'utf8');
      expect(cells).toContain(`"'=HYPERLINK(""http://x"";""y"")"`);
      expect(cells).toContain(`'=1+1`);
      expect(cells).toContain(`'@SUM(1)`);
      for (const sign of ['\u202e', '\u001b']) expect(cells).not.toContain(sign);
      const state = await page.evaluate(() => ({
        ran: 'ran' in window,
        images: document.images.length,
        scripts: document.scripts.length,
        links: [...document.links].filter(({ hash, href }) => href !== `${location.href.split('#')[0]}${hash}`).length,
      }));
      expect(state).toEqual({ ran: false, images: 0, scripts: 3, links: 0 });
      expect([errors, requests.filter((url) => !url.startsWith('blob:'))]).toEqual([[], []]);
      const text = readFileSync(join(cwd, 'r.html'), 'utf8');
      for (const sign of ['\u202e', '\u2066', '\u001b', '\u0007']) expect(text).not.toContain(sign);
    });

    it('shows what changes: the histogram, the largest jumps, a warning where many prices are a hundredfold', async () => {
      const rows = (factor: (i: number) => number, stock: number) =>
        `sku,currency,price,stock,status\n${Array.from({ length: 60 }, (_, i) => `S-${i},EUR,${(10 * factor(i)).toFixed(2)},${stock},${i < 4 && stock === 0 ? 'suspended' : 'draft'}`).join('\n')}\n`;
      const factors = (i: number) => (i < 10 ? 100 : i < 30 ? 1.03 : i < 40 ? 0.85 : 1);
      const cwd = folder({ 'a.csv': rows(() => 1, 5), 'b.csv': rows(factors, 0) });
      await typed(cwd, ['products', 'a.csv']);
      await typed(cwd, ['products', 'b.csv', '-n', '--diff', '-q', '--report-file', 'r.html']);
      const { page } = await openPage(join(cwd, 'r.html'));
      expect(await page.locator('#changes .banner').innerText()).toContain('10 prices change by ×100');
      expect(await page.locator('.histogram .value').allTextContents()).toEqual(['10', '20', '10']);
      await page.locator('.astable summary').click();
      const buckets = (await page.locator('.astable tbody tr').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' ').trim(),
      );
      expect(buckets).toEqual(
        expect.arrayContaining(['−20 to −10 % 10', '0 to +5 % 20', '×10 and more 10', '−5 to 0 % 0']),
      );
      const jumps = page.locator('table:has(caption:text("largest jumps")) tbody tr');
      expect(await jumps.count()).toBe(20);
      expect((await jumps.first().innerText()).replace(/\s+/g, ' ')).toBe('S-0 price 10.00 1,000.00 ×100 2');
      expect((await page.locator('table:has(caption:text("Stock")) tbody').innerText()).replace(/\s+/g, ' ')).toBe(
        'sold out 60 100 %',
      );
      expect((await page.locator('table:has(caption:text("Status")) tbody').innerText()).replace(/\s+/g, ' ')).toBe(
        'draft → suspended 4 100 %',
      );
      await page.getByLabel('Filter: The 20 largest jumps, old to new').fill('S-7');
      expect(await jumps.filter({ visible: true }).count()).toBe(1);
    });

    it('shows which column fills which field, how full each column is, and which columns are ignored', async () => {
      const cwd = folder({
        'p.csv': 'sku,Titel,currency,stock,extra\nA,x,EUR,1,k\nB,,EUR,2,\nC,y,EUR,,\nD,z,EUR,,\n',
        'm.yaml': 'fields:\n  sku: sku\n  name: { template: "{Titel}!" }\n  currency: currency\n  stock: stock\n',
      });
      await typed(cwd, ['products', 'p.csv', '--map', 'm.yaml', '-q', '--report-file', 'r.html']);
      const { page } = await openPage(join(cwd, 'r.html'));
      const rows = (await page.locator('#columns tbody tr').allInnerTexts()).map((text) =>
        text.replace(/\s+/g, ' ').trim(),
      );
      expect(rows).toEqual([
        'sku sku 100 % 4',
        'Titel name 75 % 3',
        'currency currency 100 % 4',
        'stock stock 50 % 2',
        'extra left out 25 % 1',
      ]);
    });

    it.each([1280, 800])('breaks no name of a column within a word, at %i pixels', async (width) => {
      const cwd = folder({
        'feed.csv': `Artikelbezeichnung,Warengruppennummer,Net price,sku\n${`${'A long text of a cell '.repeat(9)},${'7 words that are in it '.repeat(9)},1.00,A\n`.repeat(2)}`,
      });
      await typed(cwd, ['inspect', 'feed.csv', '--report-file', 'i.html']);
      const { page } = await openPage(join(cwd, 'i.html'), { viewport: { width, height: 800 } });
      const lines = await page.locator('#columns td .key').evaluateAll((names) =>
        names.map((name) => {
          const range = document.createRange();
          range.selectNodeContents(name);
          return `${name.textContent}: ${range.getClientRects().length}`;
        }),
      );
      expect(lines.filter((line) => !line.startsWith('Net price'))).toEqual([
        'Artikelbezeichnung: 1',
        'Warengruppennummer: 1',
        'sku: 1',
      ]);
    });

    it('of an inspection shows columns, samples and a mapping to copy', async () => {
      const cwd = folder({ 'feed.csv': feed(50) });
      const { code } = await typed(cwd, ['inspect', 'feed.csv', '--report-file', 'i.html']);
      expect(code).toBe(0);
      const { page, errors } = await openPage(join(cwd, 'i.html'));
      expect(await page.locator('h1').innerText()).toBe('50 records, probably products');
      expect(await page.locator('#columns tbody tr').count()).toBe(6);
      expect(await page.locator('#columns tbody tr').nth(1).innerText()).toMatch(
        /name\s+name\s+100 %\s+50\s+10\s+Product 0/,
      );
      expect(await page.locator('pre').innerText()).toContain('sku: "sku"');
      expect(await page.locator('#mapping .lead').innerText()).toContain(
        'catalog-import products feed.csv --map feed.yaml --dry-run',
      );
      expect(errors).toEqual([]);
      const wrong = await typed(cwd, ['inspect', 'feed.csv', '--report-file', 'i.json']);
      expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('inspect writes a page')]);
    });

    it.runIf(isFull)('opens 200,000 lines with 20,000 refused within 2 seconds', async () => {
      const rows = Array.from(
        { length: 200_000 },
        (_, i) =>
          `S-${i},Product ${i} of a long feed,EUR,${i % 10 === 0 ? `x${i}` : '9.90'},${i % 90},Electronics,40${10_000_000 + i}`,
      );
      const cwd = folder({ 'feed.csv': `sku,name,currency,price,stock,remark,ean\n${rows.join('\n')}\n` });
      const { code } = await typed(cwd, ['products', 'feed.csv', '-q', '--report', 'none', '--report-file', 'r.html']);
      expect(code).toBe(3);
      expect(statSync(join(cwd, 'r.html')).size).toBeLessThanOrEqual(5_000_000);
      const { page } = await openPage(join(cwd, 'r.html'));
      const started = performance.now();
      await page.reload();
      await ready(page);
      expect(performance.now() - started).toBeLessThan(allowed(2_000));
      expect(await shownRows(page)).toBe('20,000 rows');
      await page.fill('.filters input[name=key]', 'S-19999');
      expect(await shownRows(page)).toBe('1 of 20,000');
    });
  },
);

describe('a page is written', () => {
  it('also where the run fails before its first line, or ends early', async () => {
    const cwd = folder({
      'bad.csv': `${products(60)}A,"unclosed,EUR,1.00,1\n`.replace(',"unclosed', ',"un\u0000closed'),
    });
    const missing = await typed(cwd, ['products', 'nothere.csv', '--report-file', 'a.html']);
    expect(missing.code).toBe(5);
    expect(readFileSync(join(cwd, 'a.html'), 'utf8')).toMatch(
      /The file could not be read<.*nothere\.csv: file not found/s,
    );
    const guard = await typed(cwd, [
      'products',
      'bad.csv',
      '--max-refused',
      '0',
      '--rename',
      'stock=price',
      '--rename',
      'price=stock',
      '--report-file',
      'b.html',
    ]);
    expect(guard.code).toBe(8);
    expect(readFileSync(join(cwd, 'b.html'), 'utf8')).toMatch(/Exit code 8/);
  });

  it('of a plan says that it is one, how it is applied, and which guards would stop the import', async () => {
    const heading = 'sku,currency,price\n';
    const cwd = folder({ 'a.csv': `${heading}A,EUR,1.00\n`, 'b.csv': `${heading}A,EUR,9.00\n` });
    const type = (...words: string[]) => typed(cwd, [...words, '--db', 'shop.db']);
    await type('products', 'a.csv', '--feed', 'erp');
    await type('plan', 'products', 'b.csv', '--out', 'b.plan', '--report-file', 'made.html');
    const guards = ['--feed', 'erp', '--max-price-change', '2x:1%'];
    await type('plan', 'products', 'b.csv', '--out', 'g.plan', '--report-file', 'guarded.html', ...guards);
    const made = readFileSync(join(cwd, 'made.html'), 'utf8');
    expect(made).toContain('<b>A plan.</b>');
    expect(made).toContain('catalog-import apply b.plan --db shop.db');
    expect(made).not.toMatch(/<b>Dry run|Guards would stop|--dry-run/);
    const { stdout: shown } = await typed(cwd, ['plan', 'show', 'g.plan', '--output', 'html']);
    for (const page of [readFileSync(join(cwd, 'guarded.html'), 'utf8'), shown])
      expect(page).toMatch(/<b>Guards would stop this import\.<\/b>.*--max-price-change/s);
  });

  it('atomically: a run that is killed leaves the previous page', async () => {
    const cwd = folder({ 'r.html': 'the page before' });
    const child = start(cwd, ['products', '-', '--report-file', 'r.html', '--progress']);
    const ended = outcome(child);
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(products(2_000));
    await expect.poll(() => existsSync(join(cwd, 'catalog.db'))).toBe(true);
    child.kill('SIGKILL');
    await ended;
    expect(readFileSync(join(cwd, 'r.html'), 'utf8')).toBe('the page before');
    expect(readdirSync(cwd).filter((name) => name.includes('.tmp'))).toEqual([]);
  });

  it('an unknown extension is exit 2, and one file cannot be two reports', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    const unknown = await typed(cwd, ['products', 'feed.csv', '--report-file', 'r.pdf']);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('is not a form of report; use one of .ndjson, .jsonl, .json, .csv'),
    ]);
    const twice = await typed(cwd, ['products', 'feed.csv', '--report-file', 'r.html', '--report-file', './r.html']);
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('would overwrite')]);
  });

  it('without API keys and passwords', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    const key = 'cik_aaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbcccccc';
    const args = [
      'products',
      'feed.csv',
      '--remote',
      'http://user:hunter2@127.0.0.1:9/',
      '--report-file',
      'r.html',
      '--report-file',
      'r.ndjson',
      '--retry-max-time',
      '1s',
    ];
    await typed(cwd, args, { env: { CATALOG_API_KEY: key } });
    for (const name of readdirSync(cwd).filter((one) => one.startsWith('r.')))
      expect(readFileSync(join(cwd, name), 'utf8')).not.toMatch(/hunter2|cik_aaaaaaaa/);
    expect(existsSync(join(cwd, 'r.html'))).toBe(true);
  });
});
