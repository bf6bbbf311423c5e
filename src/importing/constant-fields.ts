// The fields that a constant fills, of --set or of `set:` and `value:` in a mapping: they are no columns of the file.
import type { SourceOptions } from '../source/source.js';

export function constantFields({ set, mapped }: SourceOptions): readonly string[] {
  const rules = Object.entries(mapped?.section.fields ?? {});
  const inMapping = rules.filter(([, rule]) => typeof rule === 'object' && 'value' in rule && !('column' in rule));
  return [...(set?.keys() ?? []), ...inMapping.map(([field]) => field)];
}
