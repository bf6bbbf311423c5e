// What a contract finds in a file, as the figure of a guard, or as a warning.
import { newWarning, type Warning } from '../../core/diagnostics/warning-codes.js';
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';
import type { Expectation, ExpectedFigure } from './contract.js';
import type { FileFacts } from './rule.js';
import { fileRules } from './rule-list.js';

/** Maximum offenders shown of an expectation. */
export const shownAtMost = 20;

export function shownValue(text: string, most = 100): string {
  return ellipsize(sanitizeText(text), most);
}

/** @returns undefined where it cannot be judged */
export function fileFigure({ rule, given, option }: Expectation, facts: FileFacts): ExpectedFigure | undefined {
  const found = fileRules[rule]?.judge(given, facts);
  if (found === undefined) return undefined;
  const { offenders: all = [], words, ...counts } = found;
  const figure = { guard: rule, option, against: 'contract' as const, isCount: true as const, back: 0, of: 0 };
  const told = { ...figure, ...counts, words: shownValue(`${rule}: ${words}`, 200) };
  const offenders = all.slice(0, shownAtMost).map((one) => ({ place: '', key: shownValue(one), words: '' }));
  return found.passed ? told : { ...told, offenders, more: all.length - offenders.length };
}

/** The warning of what is not as expected. @param file its name */
export function missedWarning({ guard: rule, words, ...figure }: ExpectedFigure, file: string): Warning {
  const [first] = 'offenders' in figure ? figure.offenders : [];
  const example = [first?.place, first?.key, first?.words].filter(Boolean).join(': ');
  return newWarning('expectation_missed', { file, rule, words, example });
}
