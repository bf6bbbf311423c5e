// The page of rules: each rule is shown by something, which knows the codes that it names; each case and each code of a refusal has its
// rule.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notices, refusals } from '../../src/core/diagnostics/refusal-codes.js';
import { cases } from '../cases.js';
import { readPage, root } from './documentation.js';

interface Rule {
  readonly number: number;
  readonly text: string;
  /** Cases and tests, as the page names them. */
  readonly shownBy: readonly string[];
}

const { text } = readPage('rules');

const rules: readonly Rule[] = [...text.matchAll(/^(\d+)\. (.*(?:\n {3,4}\S.*)*)/gm)].map(([, number, words = '']) => {
  const flat = words.replace(/\s+/g, ' ');
  const [, shown = ''] = /\(([^()]*)\)$/.exec(flat) ?? [];
  return { number: Number(number), text: flat, shownBy: shown.split(', ').filter((name) => name !== '') };
});

/** The text of a case with its report, of a test file, or of a folder of tests. */
function evidence(name: string): string {
  const [path = ''] = [join(root, 'fixtures/cases', `${name}.report.json`), join(root, 'test', name)].filter(
    existsSync,
  );
  if (path === '') return '';
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(path, file), 'utf8'))
    .join('\n');
}

describe('the rules', () => {
  it('are numbered from 1 on', () => {
    expect(rules.length).toBeGreaterThan(70);
    expect(rules.map(({ number }) => number)).toEqual(rules.map((_, i) => i + 1));
  });

  it.each(rules)('$number: is shown by a case or a test, which knows its codes', ({ text: words, shownBy }) => {
    expect(shownBy).not.toEqual([]);
    const shown = shownBy.map(evidence);
    expect(shownBy.filter((_, i) => shown[i] === '')).toEqual([]);
    const codes = [...words.matchAll(/`([a-z_]+)`/g)].map(([, code = '']) => code);
    const known = codes.filter((code) => code in refusals || code in notices);
    expect(known.filter((code) => !shown.some((one) => one.includes(code)))).toEqual([]);
  });

  it('have each case of the fixtures, and each code of a refusal', () => {
    const shown = new Set(rules.flatMap(({ shownBy }) => shownBy));
    expect(cases.map(([name]) => name).filter((name) => !shown.has(name))).toEqual([]);
    expect(Object.keys(refusals).filter((code) => !text.includes(`\`${code}\``))).toEqual([]);
  });
});
