// A step of the work and its duration, for who wants to see where the time goes (--verbose). Rooms publish steps on a
// diagnostics channel of Node: without a listener that costs one look at a flag.

/** The name of the channel. */
export const stepChannel = 'catalog-import:step';

/** What took time. */
export interface TimedStep {
  /**
   * `open`: the catalog · `source`: a file · `read`: waiting for the source · `decide`: checks, look-ups and decisions ·
   * `save`: writing rows · `commit` · `request`: to a remote, and `wait` before the
   * next.
   */
  readonly name: 'open' | 'source' | 'read' | 'decide' | 'save' | 'commit' | 'request' | 'wait';
  readonly milliseconds: number;
  /** What it was done on: a file, a request. */
  readonly subject?: string;
  /** How it ended, where that can differ: the status of a request. */
  readonly outcome?: string;
  /** Items it was done for. */
  readonly items?: number;
}
