// Shared by all report formats: the output function, and which lines are selected.
import type { Action, Line } from '../../core/import-report.js';

/** Writes the text of a report; resolves when there is room for more. */
export type Write = (text: string) => void | Promise<void>;

export const selections = ['all', 'changed', 'refused', 'none'] as const;
export type Selection = (typeof selections)[number];

const selected: Readonly<Record<Selection, readonly Action[]>> = {
  all: ['created', 'updated', 'unchanged', 'refused'],
  changed: ['created', 'updated', 'refused'],
  refused: ['refused'],
  none: [],
};

/** Whether a line is shown; `changed` means all except unchanged. */
export function selects(selection: Selection, line: Line): boolean {
  return selected[selection].includes(line.action);
}
