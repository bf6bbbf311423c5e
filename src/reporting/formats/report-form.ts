// Shared by all report formats: the output function, and which lines are selected.
import type { Action, Line } from '../../core/import-report.js';

/** Where a form's text goes; resolves once there is room for more. */
export type Write = (text: string) => void | Promise<void>;

/** Which lines are shown. */
export const selections = ['all', 'changed', 'refused', 'none'] as const;
export type Selection = (typeof selections)[number];

const selected: Readonly<Record<Selection, readonly Action[]>> = {
  all: ['created', 'updated', 'unchanged', 'refused'],
  changed: ['created', 'updated', 'refused'],
  refused: ['refused'],
  none: [],
};

/** Whether a line is shown; `changed` is all that is not unchanged. */
export function selects(selection: Selection, line: Line): boolean {
  return selected[selection].includes(line.action);
}
