// What is said about a code of a refusal or a notice.

/** What a code means. */
export interface Message {
  /** Fixed words, the `title` of a refused line. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}
