// The values of `--format`. They are listed here so that option definitions do not load the readers.
import type { Format } from '../source/bytes/detect-format.js';

const names: Readonly<Record<Format, true>> = { csv: true, tsv: true, json: true, ndjson: true, xml: true };

export const formatNames: readonly string[] = Object.keys(names);
