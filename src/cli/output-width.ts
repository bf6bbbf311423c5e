// How wide an output is. A module of its own, since help needs it and no tables.

/** A stream, and what may say how wide it is. */
export interface Output {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: Pick<NodeJS.WriteStream, 'columns'>;
}

/** Columns of the terminal, or what `COLUMNS` says, also into a pipe; undefined where nothing says so. */
export function outputWidth({ env, stdout }: Output): number | undefined {
  const { COLUMNS } = env;
  return COLUMNS !== undefined && /^[1-9]\d{0,3}$/.test(COLUMNS) ? Number(COLUMNS) : stdout.columns;
}

/** The width of a report: that of the output, within bounds. */
export function reportWidth(process: Output): number {
  return Math.min(120, Math.max(60, outputWidth(process) ?? 100));
}
