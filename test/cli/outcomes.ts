// The lines of an NDJSON report in short.

/** `E1 currency_mismatch` for a refused line, `E1 updated` for another. */
export function outcomes(stdout: string): string[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"action"'))
    .map((line) => JSON.parse(line))
    .map(({ external_id: id, action, code }) => `${id} ${code ?? action}`);
}
