// What a terminal shows while an import runs, seen in tmux: a window that is resized, and a terminal that cannot move its
// cursor.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { canSpin, isContinuousIntegration } from '../../src/cli/options.js';
import { execFileSync, spawnSync } from '../child.js';
import { until } from '../until.js';
import { program } from './started.js';
import { folder } from './typed.js';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;
const socket = join(tmpdir(), 'tmux');
const tmux = (...args: string[]): string =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });

afterAll(() => {
  if (hasTmux) spawnSync('tmux', ['-S', socket, 'kill-server']);
});

/**
 * Starts an import that reads rows until the file `end` is there, at the bottom of a full window: from one that is half empty
 * tmux moves the row of the cursor out of sight when it becomes narrower, where no program can erase it.
 * @returns its folder
 */
function importSlowly(session: string, env: string): string {
  const cwd = folder();
  const feed = `echo sku,currency,name; i=0; while [ ! -e end ]; do i=$((i+1)); echo $i >rows; echo S-$i,EUR,x; sleep 0.02; done`;
  const line = `${env} '${process.execPath}' '${program}' products - --format csv --db c.db`;
  writeFileSync(
    join(cwd, 'go.sh'),
    `cd '${cwd}'\nyes '' | head -40\necho BEFORE\n(${feed}) | ${line}\necho AFTER; touch over; sleep 600\n`,
  );
  tmux('new-session', '-d', '-s', session, '-x', '110', '-y', '30', `sh '${join(cwd, 'go.sh')}'`);
  tmux('pipe-pane', '-t', session, `cat > '${join(cwd, 'raw')}'`);
  return cwd;
}

/** Waits until something is on the screen. To ask tmux takes a process each time, and a frame stays for longer than this. */
async function seen(what: string, look: () => boolean, screen: () => string): Promise<void> {
  const calmly = async (): Promise<boolean> => {
    await sleep(25);
    return look();
  };
  await until(what, calmly, { instead: screen });
}

describe.runIf(hasTmux)('in a terminal (skipped where there is no tmux)', () => {
  it('the line of progress leaves nothing behind when the window becomes narrower and wider', async () => {
    spawnSync('tmux', ['-S', socket, 'kill-session', '-t', 'spin'], { stdio: 'ignore' });
    const cwd = importSlowly('spin', 'CI= TERM=screen');
    const screen = (): string => tmux('capture-pane', '-p', '-J', '-S', '-', '-t', 'spin');
    await seen('a line of progress', () => /items, .* a second/.test(screen()), screen);
    /** The latest line of progress: each frame has another sign before it. */
    const shown = (): string | undefined =>
      screen()
        .match(/^.*standard input: \d.*$/gm)
        ?.at(-1);
    for (const columns of ['60', '34', '90', '25', '110']) {
      tmux('resize-window', '-t', 'spin', '-x', columns, '-y', '30');
      for (let frame = 0; frame < 4; frame++) {
        const before = shown();
        await seen('a new frame', () => shown() !== before, screen);
      }
      // The window shows one line of progress, and what stood above it: what a frame left behind would stay.
      const isClean = (): boolean => {
        const lines = screen()
          .split('\n')
          .filter((line) => line.trim() !== '');
        const having = (words: string): number => lines.filter((line) => line.includes(words)).length;
        return lines.length <= 4 && having('standard input: ') <= 2 && having('a second') <= 1;
      };
      await seen(`one line of progress in ${columns} columns`, isClean, screen);
    }
    writeFileSync(join(cwd, 'end'), '');
    await seen('the end', () => screen().includes('AFTER'), screen);
    const lines = screen()
      .split('\n')
      .filter((line) => line.trim() !== '');
    expect(lines[0]).toBe('BEFORE');
    expect(screen()).not.toContain('a second,');
    expect(screen()).toMatch(/items: \d+ created/);
  });

  it.each([['TERM=dumb CI='], ['CI=1 TERM=screen']])(
    'with %s nothing moves the cursor, and there is no colour on a dumb one',
    async (env) => {
      const session = env.includes('dumb') ? 'dumb' : 'ci';
      const cwd = importSlowly(session, env);
      const screen = (): string => tmux('capture-pane', '-p', '-t', session);
      await seen('the first notice', () => screen().includes('csv, utf-8'), screen);
      const rows = (): number => Number(readFileSync(join(cwd, 'rows'), 'utf8'));
      const before = rows();
      await until('rows for more than one frame', () => rows() > before + 30, { instead: rows });
      writeFileSync(join(cwd, 'end'), '');
      await seen('the end', () => screen().includes('AFTER'), screen);
      const raw = readFileSync(join(cwd, 'raw'), 'utf8');
      const esc = String.fromCharCode(27);
      const moves = raw
        .split(esc)
        .slice(1)
        .filter((text) => !/^\[[\d;]*m/.test(text));
      expect(moves).toEqual([]);
      if (session === 'dumb') expect(raw).not.toContain(esc);
    },
  );
});

describe('where the line of progress may change', () => {
  it.each([
    [{}, true],
    [{ TERM: 'dumb' }, false],
    [{ CI: 'true' }, false],
    [{ CI: '1', TERM: 'xterm' }, false],
    [{ CI: 'false' }, true],
    [{ CI: '' }, true],
  ])('%j: %s', (env, can) => expect(canSpin(env)).toBe(can));

  it('plain lines are for CI', () =>
    expect([{ CI: '1' }, { CI: '0' }, {}].map(isContinuousIntegration)).toEqual([true, false, false]));
});
