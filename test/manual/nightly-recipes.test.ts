// The recipes of the page on operations, run as written: the script pings a server of ours, is locked, and fails; cron's
// line runs in the little environment that cron gives; systemd and logrotate read their files, where they are at hand.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lineOf, outcome, spawnSync, startChild } from '../child.js';
import { readPage, root } from './documentation.js';

const { blocks } = readPage('operations');
const has = (tool: string): boolean => spawnSync(tool, ['--version']).error === undefined;

/** The text of the block that begins so. */
function blockWith(language: string, part: string): string {
  const found = blocks.find((block) => block.language === language && block.text.includes(part));
  if (found === undefined) throw new Error(`the page has no block ${language} with ${part}`);
  return found.text;
}

const stage = mkdtempSync(join(tmpdir(), 'catalog-import-recipes-'));
const bin = join(stage, 'bin');
const pings: string[] = [];
const server = createServer((request, response) => {
  pings.push(request.url ?? '');
  response.end('OK');
});
let ping = '';

beforeAll(async () => {
  mkdirSync(bin);
  symlinkSync(join(root, 'bin/catalog-import.js'), join(bin, 'catalog-import'));
  symlinkSync(process.execPath, join(bin, 'node'));
  symlinkSync(join(root, 'fixtures'), join(stage, 'fixtures'));
  mkdirSync(join(stage, 'reports'));
  // The script is what the block writes.
  const [, script = ''] = /cat > erp-sync <<'END'\n([\s\S]*?)\nEND\n/.exec(blockWith('sh', 'cat > erp-sync')) ?? [];
  writeFileSync(join(stage, 'erp-sync'), `${script}\n`, { mode: 0o755 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ping = `http://127.0.0.1:${(server.address() as AddressInfo).port}/uuid`;
});
afterAll(() => {
  server.close();
  rmSync(stage, { recursive: true, force: true });
});

/** Runs a line in the environment of cron. */
async function sh(line: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const env = { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: stage };
  const child = startChild('/bin/sh', ['-c', `exec 2>&1; ${line}`], { cwd: stage, env });
  child.stdin?.end();
  const { code, stdout } = await outcome(child);
  return { code, output: stdout };
}

const toolsMissing = ['curl', 'flock'].filter((tool) => !has(tool));

describe.skipIf(toolsMissing.length > 0)(
  `the script${toolsMissing.map((tool) => ` (skipped: no ${tool} here)`).join('')}`,
  () => {
    it('pings at the start and at the end, keeps a report and the status, and passes the exit code on', async () => {
      pings.length = 0;
      const ended = await sh(`PING=${ping} ./erp-sync fixtures/delivery/4-products.csv`);
      expect(ended.code, ended.output).toBe(3);
      expect(pings).toEqual(['/uuid/start', '/uuid/0']);
      expect(ended.output).toMatch(/Z products fixtures\/delivery\/4-products\.csv: started \(run 1, feed erp\)/);
      expect(readdirSync(join(stage, 'reports'))).toEqual(['erp-1.ndjson']);
      expect(readFileSync(join(stage, 'erp.prom'), 'utf8')).toContain('catalog_import_last_exit_code{feed="erp"} 3');
    });

    it('reports a failure by its exit code, and works without a URL to ping', async () => {
      pings.length = 0;
      expect((await sh(`PING=${ping} ./erp-sync nowhere.csv`)).code).toBe(5);
      expect(pings).toEqual(['/uuid/start', '/uuid/5']);
      expect((await sh('./erp-sync nowhere.csv')).code).toBe(5);
      expect((await sh('PING=http://127.0.0.1:9/none ./erp-sync fixtures/delivery/4-products.csv')).code).toBe(3);
    });

    it('does not run twice at once', async () => {
      const holding = startChild('flock', ['erp.lock', 'sh', '-c', 'echo held; read line'], { cwd: stage });
      await lineOf(holding, /^held$/);
      const second = await sh('./erp-sync fixtures/delivery/4-products.csv');
      expect(second).toEqual({ code: 75, output: 'The run before is still under way.\n' });
      holding.stdin?.end('\n');
      await outcome(holding);
      expect((await sh('./erp-sync fixtures/delivery/4-products.csv')).code).toBe(3);
    });

    it('runs by the line of the crontab', async () => {
      const lines = blockWith('crontab', 'erp-sync').trim().split('\n');
      expect(lines[0]).toBe('PATH=/usr/local/bin:/usr/bin:/bin');
      const [, command = ''] = /^15 3 \* \* \* {2}(.*)$/.exec(lines[1] ?? '') ?? [];
      const own = command
        .replace('/srv/shop', stage)
        .replace('https://hc-ping.com/your-uuid', ping)
        .replace('/srv/erp/export.csv', 'fixtures/delivery/4-products.csv')
        .replace('/var/log/erp-sync.log', 'erp-sync.log');
      // cron takes a percent sign for the end of the line.
      expect(command).not.toContain('%');
      expect(await sh(own)).toEqual({ code: 3, output: '' });
      expect(readFileSync(join(stage, 'erp-sync.log'), 'utf8')).toMatch(/ended with exit code 3/);
    });
  },
);

describe('files of other programs', () => {
  it.skipIf(!has('systemd-analyze'))('systemd reads the units (skipped where there is no systemd-analyze)', () => {
    for (const name of ['service', 'timer']) {
      const text = blockWith('ini', `erp-sync.${name}`).replace('/srv/shop/erp-sync', join(stage, 'erp-sync'));
      writeFileSync(join(stage, `erp-sync.${name}`), text);
    }
    const units = ['service', 'timer'].map((name) => join(stage, `erp-sync.${name}`));
    const { stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
    expect(stderr.split('\n').filter((line) => line.includes('erp-sync'))).toEqual([]);
    const calendar = /OnCalendar=(.*)/.exec(blockWith('ini', 'erp-sync.timer'))?.[1] ?? '';
    expect(spawnSync('systemd-analyze', ['calendar', calendar]).status).toBe(0);
  });

  it.skipIf(!has('logrotate'))('logrotate rotates the log (skipped where there is no logrotate)', () => {
    const log = join(stage, 'rotated.log');
    writeFileSync(log, 'a line\n');
    writeFileSync(join(stage, 'rotate'), blockWith('logrotate', 'erp-sync.log').replace('/var/log/erp-sync.log', log), {
      mode: 0o644,
    });
    const args = ['--force', '--state', join(stage, 'rotate.state'), join(stage, 'rotate')];
    expect(spawnSync('logrotate', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(`${log}.1.gz`)).toBe(true);
  });
});
