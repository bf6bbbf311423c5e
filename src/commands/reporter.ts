// Who reads a report: the port between an import and the forms its report is told in.
import type { Entry } from '../core/entry.js';
import type { Action, Counts, Line, Report } from '../core/line.js';

/** One file on its way into the catalog. */
export interface Subject {
  /** The resource's name in reports (`product`), and its word on the command line (`products`). */
  readonly resource: string;
  readonly command: string;
  /** The file as people know it; `-` for the standard input. */
  readonly file: string;
  readonly dryRun: boolean;
}

/** The report on one batch, with where its items came from. */
export interface Told {
  readonly report: Report;
  /** The physical line of each item in its file. */
  readonly lines: readonly number[];
  /** How many items of the file were told before. */
  readonly offset: number;
  /** The entries as they were handed over, and their text where it was kept. */
  readonly entries?: readonly Entry[];
  readonly raws?: readonly string[];
  /** Lines that follow from an earlier refusal: told by their cause, and not one by one. */
  readonly followers?: ReadonlySet<number>;
}

/** How a file, or a whole folder, ended. */
export interface Outcome {
  readonly counts: Readonly<Counts>;
  readonly seconds: number;
  /** Why it ended early: the code of the failure. */
  readonly stopped?: string;
  /** What is worth saying beside the lines, for people. */
  readonly remarks?: readonly string[];
}

/** A form of telling. Of each file: `begin`, `tell` for every batch, `finish`; `end` once after the last file. */
export interface Reporter {
  begin(subject: Subject): void | Promise<void>;
  tell(told: Told): void | Promise<void>;
  finish(outcome: Outcome): void | Promise<void>;
  end(total: Outcome): void | Promise<void>;
}

/** Where a form's text goes; resolves once there is room for more. */
export type Write = (text: string) => void | Promise<void>;

/** Which lines are told. */
export const selections = ['all', 'changed', 'refused', 'none'] as const;
export type Selection = (typeof selections)[number];

const selected: Readonly<Record<Selection, readonly Action[]>> = {
  all: ['created', 'updated', 'unchanged', 'refused'],
  changed: ['created', 'updated', 'refused'],
  refused: ['refused'],
  none: [],
};

/** Whether a line is told; `changed` is all that is not unchanged. */
export function selects(selection: Selection, line: Line): boolean {
  return selected[selection].includes(line.action);
}

/** Several forms of one report: on the terminal and in a file. */
export function together(reporters: readonly Reporter[]): Reporter {
  return {
    async begin(subject) {
      for (const reporter of reporters) await reporter.begin(subject);
    },
    async tell(told) {
      for (const reporter of reporters) await reporter.tell(told);
    },
    async finish(outcome) {
      for (const reporter of reporters) await reporter.finish(outcome);
    },
    async end(total) {
      for (const reporter of reporters) await reporter.end(total);
    },
  };
}
