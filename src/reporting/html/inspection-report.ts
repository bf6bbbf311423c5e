// The data of an inspection page, without its presentation.

/** A column of the file. */
interface InspectedColumn {
  readonly name: string;
  /** The field that it probably fills. */
  readonly field: string | undefined;
  readonly filled: number;
  /** Different values; with `isMore` there are more. */
  readonly distinct: number;
  readonly isMore: boolean;
  /** The longest value in bytes, and its line. */
  readonly longest: number;
  readonly longestLine: number;
  readonly samples: readonly string[];
}

export interface InspectionReport {
  readonly version: string;
  readonly file: string;
  readonly started: Date;
  readonly seconds: number;
  readonly options: Readonly<Record<string, unknown>>;
  /** What ended the reading, with the exit code; the data covers the records before. */
  readonly failure?: string;
  readonly exit?: number;
  /** Undefined if nothing could be read. */
  readonly found?: {
    readonly format: string;
    readonly encoding: string;
    readonly why: string;
    readonly delimiter: string | undefined;
    readonly newline: string | undefined;
    readonly compression: string | undefined;
    /** The line of the header, if it is not the first. */
    readonly header: number | undefined;
  };
  readonly decimal?: { readonly sign: string | undefined; readonly why: string };
  readonly records?: number;
  /** What the records probably are. */
  readonly resource?: string | undefined;
  readonly columns?: readonly InspectedColumn[];
  readonly troubles?: readonly { readonly what: string; readonly count: number; readonly lines: readonly number[] }[];
  readonly remarks?: readonly string[];
  /** A mapping to start from, as YAML. */
  readonly mapping?: string;
}
