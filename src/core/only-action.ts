// `only`: an import that updates the records that exist and creates none, or creates records and leaves those that exist as they are.
import type { Line } from './import-report.js';

export const onlyActions = ['update', 'create'] as const;
export type OnlyAction = (typeof onlyActions)[number];

/** The notice of an item that is left out, by the action that is allowed. */
export const leftOutNotice = { update: 'not_created', create: 'not_updated' } as const satisfies Record<
  OnlyAction,
  string
>;

/** What alone was allowed where an item was left out; undefined where it was not. */
export function leftOutBy({ notice }: Pick<Line, 'notice'>): OnlyAction | undefined {
  for (const { code } of notice) {
    if (code === leftOutNotice.update) return 'update';
    if (code === leftOutNotice.create) return 'create';
  }
  return undefined;
}
