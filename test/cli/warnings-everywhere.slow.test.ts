// Each warning in each place where the person on call looks for it: terminal, every form of report, the page, `runs show`, the status
// file, `explain`, and the exit code with --fail-on. Which codes there are, the program says.
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type WarningCode, warnings } from '../../src/core/diagnostics/warning-codes.js';
import { noticedInFiles } from './noticed/in-files.js';
import { noticedInRemotes } from './noticed/in-remotes.js';
import { noticedInRuns } from './noticed/in-runs.js';
import { type Shop, shop } from './noticed/shop.js';
import { type Typed, typedHere } from './typed.js';

const noticed = { ...noticedInRuns, ...noticedInFiles, ...noticedInRemotes } satisfies Readonly<
  Record<WarningCode, unknown>
>;

/** Where a warning is to be seen. */
const places = ['terminal', 'summary', 'csv', 'page', 'runs', 'status file', 'exit'] as const;
type Place = (typeof places)[number];

/** The places that a warning cannot be in, each with the reason. */
const absent: Readonly<Partial<Record<WarningCode, readonly Place[]>>> = {
  // Its command gets the result of the run, once everything of it is written and its exit code is decided.
  on_end_failed: places.filter((place) => place !== 'terminal'),
  // Without history no run is kept.
  listing_not_kept: ['runs'],
  // An undo is typed by a person: it prints what it kept as its result, and has neither a status file nor --fail-on.
  fields_kept: ['terminal', 'status file', 'exit'],
};

function absentOf(code: string): readonly Place[] {
  // A remote does not know what its client noticed.
  return absent[code as WarningCode] ?? (code in noticedInRemotes ? ['runs'] : []);
}

/** In which places a warning is, once its run has ended. */
async function seenIn(here: Shop, code: string, { code: exit, stderr }: Typed): Promise<readonly Place[]> {
  const read = (name: string): string => (existsSync(here.at(name)) ? readFileSync(here.at(name), 'utf8') : '');
  const isOf = (one: Record<string, unknown>) =>
    one['code'] === code && /./.test(String(one['message'])) && typeof one['params'] === 'object';
  const summaries = [JSON.parse(read('r.ndjson').trim().split('\n').at(-1) ?? ''), JSON.parse(read('r.json')).response];
  const told = summaries.map((summary) => (summary.warnings ?? []).some(isOf));
  expect(new Set(told).size, 'JSON and NDJSON say the same').toBe(1);
  const { stdout } = await here.run('runs', '--output', 'json');
  const last = stdout.startsWith('[') ? JSON.parse(stdout).at(-1) : undefined;
  const shown = last === undefined ? '' : (await here.run('runs', 'show', String(last.run))).stdout;
  const isShown = new RegExp(`^noticed +(warning|note) ${code}: `, 'm').test(shown);
  if (last !== undefined) expect((last.warnings ?? []).some(isOf), 'runs and runs show say the same').toBe(isShown);
  const found: Readonly<Record<Place, boolean>> = {
    terminal: new RegExp(`^(warning|note) ${code}: `, 'm').test(stderr),
    summary: told[0] === true,
    csv: new RegExp(`,warning,.*${code},`).test(read('r.csv')),
    page: read('r.html').includes(`<code>${code}</code>`),
    runs: isShown,
    'status file': new RegExp(`^catalog_import_warnings\\{feed="[^"]*",code="${code}"\\} [1-9]`, 'm').test(
      read('s.prom'),
    ),
    exit: exit === 3,
  };
  return places.filter((place) => found[place]);
}

it('there is a command for each warning of the program', () => {
  expect(Object.keys(noticed).sort()).toEqual(Object.keys(warnings).sort());
});

describe.each(Object.entries(noticed))('the warning %s', (code, command) => {
  it('is told in every place', async () => {
    const here = shop();
    const args = await command(here);
    const forms = ['ndjson', 'json', 'csv', 'html'].flatMap((form) => ['--report-file', here.at(`r.${form}`)]);
    const isImport = args[0] !== 'undo';
    const ofImport = ['--status-file', here.at('s.prom'), '--fail-on', code];
    const ended = await here.run(...args, ...forms, ...(isImport ? ofImport : []), '--quiet');
    expect(await seenIn(here, code, ended), ended.stderr).toEqual(
      places.filter((place) => !absentOf(code).includes(place)),
    );
    expect((await typedHere(['explain', code])).stdout).toContain('A warning about the run as a whole.');
  });
});
