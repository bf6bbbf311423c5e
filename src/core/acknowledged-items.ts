// The port of what a remote acknowledged: which item it accepted last for each key. What is known here need not be sent again.

/** An item as a digest: of its key, and of the whole item with how it came to be (file, options, mapping). */
export interface ItemDigest {
  readonly key: Uint8Array;
  readonly item: Uint8Array;
}

/**
 * Items by key, as a remote acknowledged them last.
 *
 * An item is known only while nothing else was sent for its key: `begin` forgets, before anything is sent, what was known of
 * the keys, and `acknowledge` keeps what was accepted. Whatever ends an import in between, such an item is sent again, which does
 * no harm; an item that the remote may not have is never known. This holds among several processes as well.
 */
export interface AcknowledgedItems {
  /** @param key what items of one record have in common @param text the item as it would be sent */
  digest(key: string, text: string): ItemDigest;
  /** Whether the item was the last one acknowledged for its key, by an earlier run, so that it need not be sent. */
  isKnown(digest: ItemDigest): boolean;
  /**
   * To be called before items are sent; durable once it returns.
   * @returns whether the remote had acknowledged something for the key of each
   */
  begin(digests: readonly ItemDigest[]): readonly boolean[];
  /** What became of items that were begun. @param accepted whether each is stored now */
  acknowledge(digests: readonly ItemDigest[], accepted: readonly boolean[]): void;
  /** Called where the remote turns out to lack what it acknowledged: nothing is known any more. */
  forgetAll(): void;
}
