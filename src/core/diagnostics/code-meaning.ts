// The words for a code of a refusal or a notice: its title, its meaning and its remedy.

export interface CodeMeaning {
  /** Fixed words, the `title` of a refused line. */
  readonly title: string;
  readonly meaning: string;
  readonly remedy: string;
}
