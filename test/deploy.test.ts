// The files of fixtures/deploy, as far as they can be tried without a registry of images: what they start starts, the health
// check tells a server that answers from one that does not, systemd takes the units.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { outcome, program, start, typedAsProcess } from './cli/started.js';
import { demo, folder } from './cli/typed.js';

const deploy = join(import.meta.dirname, '../fixtures/deploy');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

/** The words of an instruction in its JSON form. */
function words(dockerfile: string, instruction: RegExp): string[] {
  const [, list = '[]'] = instruction.exec(dockerfile) ?? [];
  return JSON.parse(list) as string[];
}

it('the command of the image answers its health check until it is stopped', async () => {
  const dockerfile = read('Dockerfile');
  expect(words(dockerfile, /^ENTRYPOINT (.*)$/m)).toEqual(['catalog-import']);
  expect(dockerfile).toMatch(/^USER node$/m);
  const child = start(folder(), [...words(dockerfile, /^CMD (.*)$/m), '--port', '0']);
  const ended = outcome(child);
  const port = await new Promise<string>((resolve) =>
    child.stdout?.on('data', (text) => resolve(/:(\d+)/.exec(String(text))?.[1] ?? '')),
  );
  const [node = '', flag = '', script = ''] = words(dockerfile, /^\s+CMD (\["node".*)$/m);
  const check = () => spawnSync(node, [flag, script.replace('8080', port)]).status;
  expect(check()).toBe(0);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
  expect(check()).toBe(1);
});

it('the import service of compose imports a folder and writes a page', async () => {
  const { services } = parse(read('compose.yaml')) as {
    services: { server: { build: { dockerfile: string } }; import: { command: string[] } };
  };
  expect(services.server.build.dockerfile).toBe('fixtures/deploy/Dockerfile');
  const cwd = folder();
  mkdirSync(join(cwd, 'reports'));
  const command = services.import.command.map((word) =>
    word.replace(/^\/feeds/, demo).replace(/^\/reports/, 'reports'),
  );
  const { code, stderr } = await typedAsProcess(cwd, command);
  expect(code, stderr).toBe(3);
});

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).error === undefined ? undefined : 'systemd-analyze is missing';

it.skipIf(noSystemd !== undefined)(`systemd takes the units${noSystemd === undefined ? '' : `: ${noSystemd}`}`, () => {
  const names = ['catalog-import-server.service', 'catalog-import-feed.service', 'catalog-import-feed.timer'];
  // Its users and paths are those of a host that has the program installed.
  const there = (text: string) =>
    text.replaceAll('/usr/bin/catalog-import', program).replaceAll('User=catalog', 'User=root');
  const cwd = folder(Object.fromEntries(names.map((name) => [name, there(read(name))])));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(cwd, name))], {
    encoding: 'utf8',
  });
  expect(stderr.split('\n').filter((line) => line.includes(cwd) || line.includes('catalog-import'))).toEqual([]);
  expect(status).toBe(0);
  const broken = folder({ 'x.service': there(read(names[0] ?? '')).replace('[Service]', '[Service]\nTypo=yes') });
  const refused = spawnSync('systemd-analyze', ['verify', join(broken, 'x.service')], { encoding: 'utf8' });
  expect(refused.stderr).toContain('Typo');
});
