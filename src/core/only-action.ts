// `only`: an import that updates the records that exist and creates none, or creates records and leaves those that exist as they are.

export const onlyActions = ['update', 'create'] as const;
export type OnlyAction = (typeof onlyActions)[number];

/** The notice of an item that is left out, by the action that is allowed. */
export const leftOutNotice = { update: 'not_created', create: 'not_updated' } as const satisfies Record<
  OnlyAction,
  string
>;

export function isLeftOut({ notice }: { readonly notice: readonly { readonly code: string }[] }): boolean {
  return notice.some(({ code }) => code === leftOutNotice.update || code === leftOutNotice.create);
}
