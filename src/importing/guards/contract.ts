// What a feed promises about its files, as guards: the figures come from the sources, which judge a contract while they are read.
import type { JudgedFigure } from '../../core/ledger/guard-figure.js';
import { shownFile } from '../../core/text/sanitize.js';
import type { ImportedFile, ImportObserver } from '../observer.js';

/** Takes the figures of each file at its end. */
export interface ContractFigures extends ImportObserver {
  /** Takes those of a file that was read to its end. */
  take(file: Pick<ImportedFile, 'resource' | 'file' | 'source'>): void;
  figures(): readonly JudgedFigure[];
}

/** @param namesFiles whether figures are named with their file, as there are several */
export function contractFigures(namesFiles: boolean): ContractFigures {
  const all: JudgedFigure[] = [];
  let current: ImportedFile | undefined;

  function take({ resource, file, source }: Pick<ImportedFile, 'resource' | 'file' | 'source'>): void {
    for (const figure of source.expected?.() ?? []) {
      const words = namesFiles ? `${shownFile(file)}: ${figure.words}` : figure.words;
      all.push({ ...figure, resource: resource.name, words });
    }
  }

  return {
    take,
    begin(file) {
      current = file;
    },
    finish() {
      if (current !== undefined) take(current);
    },
    figures: () => all,
  };
}
