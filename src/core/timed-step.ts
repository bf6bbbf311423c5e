// A timed step of the work, for --verbose. Modules publish steps on a diagnostics channel of Node, which costs one check
// of a flag if nobody listens.

export const stepChannel = 'catalog-import:step';

export interface TimedStep {
  /**
   * `open`: the catalog · `source`: a file · `read`: waiting for the source · `decide`: checks, look-ups and decisions ·
   * `save`: writing rows · `commit` · `request`: to a remote, and `wait` before the
   * next.
   */
  readonly name: 'open' | 'source' | 'read' | 'decide' | 'save' | 'commit' | 'request' | 'wait';
  readonly milliseconds: number;
  /** The object of the step: a file, a request. */
  readonly subject?: string;
  /** How it ended, if that can differ: the status of a request. */
  readonly outcome?: string;
  readonly items?: number;
}
