// The files of fixtures/deploy, as far as they can be tried without a registry of images: what they start starts, the health
// check distinguishes a server that answers from one that does not, systemd accepts the units.
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { lineOf, outcome, spawnSync } from './child.js';
import { program, start, typedAsProcess } from './cli/started.js';
import { demo, folder, typed } from './cli/typed.js';
import { freePort } from './free-port.js';

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
  // No other test's server listens on it once this one has ended.
  const port = String(await freePort());
  const child = start(folder(), [...words(dockerfile, /^CMD (.*)$/m), '--port', port]);
  await lineOf(child, /:\d+/);
  const [node = '', flag = '', script = ''] = words(dockerfile, /^\s+CMD (\["node".*)$/m);
  const check = () => spawnSync(node, [flag, script.replace('8080', port)]).status;
  expect(check()).toBe(0);
  child.kill('SIGTERM');
  expect((await outcome(child)).code).toBe(0);
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
  expect(code, stderr).toBe(0);
});

/** The commands of the program in a text: each from its name to the end of its line. */
function commandsIn(text: string): string[][] {
  return [...text.matchAll(/(?:\/usr\/bin\/|server |\d |" )catalog-import (\w.*)$/gm)].map(([, line = '']) =>
    line.trim().split(/ +/),
  );
}

it('every command in them is one of the program, with options that it has', async () => {
  const files = readdirSync(deploy).map((name) => read(name));
  const { services } = parse(read('compose.yaml')) as { services: { import: { command: string[] } } };
  const commands = [...files.flatMap(commandsIn), words(read('Dockerfile'), /^CMD (.*)$/m), services.import.command];
  expect(commands.length).toBeGreaterThanOrEqual(6);
  for (const command of commands) {
    const named = command.slice(0, command[0] === 'keys' ? 2 : 1);
    const { code, stdout } = await typed(folder(), [...named, '--help']);
    expect(code, command.join(' ')).toBe(0);
    for (const option of command.filter((word) => word.startsWith('--')))
      expect(stdout, command.join(' ')).toMatch(new RegExp(`${option}\\b`));
  }
});

it('what they name is there: files that are copied, units, the volume of the catalog', () => {
  const root = join(deploy, '../..');
  const dockerfile = read('Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(\S+) /gm)].map(([, source = '']) => join(root, source));
  expect(copied.length).toBeGreaterThan(0);
  for (const source of copied) expect(existsSync(source), source).toBe(true);
  // What the build of the package reads is not left out of its context.
  const ignored = read('Dockerfile.dockerignore').split('\n');
  for (const needed of ['bin', 'src', 'package.json', 'package-lock.json', 'LICENSE', 'README.md'])
    expect(ignored.map((line) => line.replace(/^\/|\/$/g, ''))).not.toContain(needed);
  const [, volume = ''] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
  expect(dockerfile).toContain(`CATALOG_DB=${volume}/`);
  const compose = parse(read('compose.yaml')) as {
    services: Record<string, { volumes: string[] }>;
    volumes: Record<string, unknown>;
  };
  for (const [name, { volumes }] of Object.entries(compose.services))
    expect(volumes, name).toContain(`catalog:${volume}`);
  expect(Object.keys(compose.volumes)).toEqual(['catalog']);
  // A timer starts the service of its own name, and both services have one catalog.
  for (const name of readdirSync(deploy).filter((file) => file.endsWith('.timer')))
    expect(existsSync(join(deploy, name.replace('.timer', '.service')))).toBe(true);
  const catalogs = readdirSync(deploy)
    .filter((name) => name.endsWith('.service'))
    .map((name) => /^Environment=(CATALOG_DB=.*)$/m.exec(read(name))?.[1]);
  expect(new Set(catalogs).size).toBe(1);
});

const noSystemd =
  spawnSync('systemd-analyze', ['--version']).error === undefined ? undefined : 'systemd-analyze is missing';

it.skipIf(noSystemd !== undefined)(`systemd takes the units${noSystemd === undefined ? '' : `: ${noSystemd}`}`, () => {
  const names = ['catalog-import-server.service', 'catalog-import-feed.service', 'catalog-import-feed.timer'];
  // Its users and paths are those of a host that has the program installed.
  const there = (text: string) =>
    text.replaceAll('/usr/bin/catalog-import', `"${program}"`).replaceAll('User=catalog', 'User=root');
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
