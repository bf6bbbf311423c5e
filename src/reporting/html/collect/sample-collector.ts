// Samples of a run's records, from all of its files: a file gives up its last ones where others have fewer.
import type { Sample } from '../run-report.js';

const mostSamples = 20;
/** Of more files than that, only the first have a sample. */
const mostFiles = 100;

export interface SampleCollector {
  /** Whether a record of this file is worth a sample: most are like those that are there already. */
  wants(file: number): boolean;
  add(sample: Sample): void;
  report(): readonly Sample[];
}

/** Nothing is collected yet. */
export function sampleCollector(): SampleCollector {
  const byFile = new Map<number, Sample[]>();
  let count = 0;

  /** The file with the most samples, the last of several. */
  function largest(): Sample[] {
    return [...byFile.values()].reduce((most, list) => (list.length >= most.length ? list : most), []);
  }

  return {
    wants(file) {
      const own = byFile.get(file)?.length ?? 0;
      return count < mostSamples || (own === 0 ? byFile.size < mostFiles : own + 1 < largest().length);
    },
    add(sample) {
      const list = byFile.get(sample.file) ?? [];
      byFile.set(sample.file, list);
      list.push(sample);
      const most = largest();
      // Of each file one stays.
      if (count >= mostSamples && most.length > 1) most.pop();
      else count++;
    },
    report: () => [...byFile.values()].flat(),
  };
}
