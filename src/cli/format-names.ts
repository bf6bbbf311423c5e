// The formats that `--format` names. The list of the readers is not loaded for it: every command knows its options.
import type { Format } from '../source/bytes/detect-format.js';

const names: Readonly<Record<Format, true>> = { csv: true, tsv: true, json: true, ndjson: true, xml: true };

export const formatNames: readonly string[] = Object.keys(names);
