// Groups the options of an import in the help.
import type { Command } from 'commander';
import { shareOptions } from '../../../importing/guards/guard-list.js';

const helpGroups: Readonly<Record<string, readonly string[]>> = {
  Input: ['format', 'encoding', 'delimiter', 'decimal', 'empty', 'sheet', 'skip', 'items', 'record', 'limit'],
  'Sources by address': ['source-auth-env', 'source-max-size', 'source-max-time', 'max-age'],
  Mapping: ['map', 'rename', 'set'],
  Run: ['dry-run', 'on-duplicate', 'only', 'max-refused', 'no-history', 'keep'],
  Feed: [
    'feed',
    ...shareOptions.map(({ option }) => option.slice(2)),
    'max-price-change',
    'min-rows',
    'expect',
    'missing',
    'missing-after',
  ],
  Report: [
    'output',
    'report',
    'diff',
    'report-file',
    'status-file',
    'on-end',
    'on-end-when',
    'fail-on',
    'refused-file',
    'write-missing-values',
    'progress',
    'quiet',
    'no-color',
  ],
  Target: ['db', 'schema', 'remote'],
  Remote: [
    'api-key-file',
    'api-key-env',
    'allow-http',
    'ca-file',
    'retry-max-wait',
    'retry-max-time',
    'concurrency',
    'resume',
    'changed-only',
    'full',
  ],
};

/** Puts the options of an import under the headings of the help. */
export function groupOptions(command: Command): Command {
  for (const option of command.options) {
    const [heading] = Object.entries(helpGroups).find(([, names]) => names.includes(option.name())) ?? [];
    if (heading !== undefined) option.helpGroup(`${heading}:`);
  }
  return command;
}
