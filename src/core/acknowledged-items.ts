// The port to the acknowledgements of a remote: which item it accepted last for each key. Such an item need not be sent
// again.

/** An item as two digests: of its key, and of the whole item with its origin (file, options, mapping). */
export interface ItemDigest {
  readonly key: Uint8Array;
  readonly item: Uint8Array;
}

/**
 * The items that a remote acknowledged last, by key. An item is known only while nothing else was sent for its key:
 * before anything is sent, `begin` forgets what was known of its keys, and `acknowledge` saves what was accepted. If an
 * import ends in between, the item is sent again, which is harmless; an item that the remote may not have is never
 * known. This holds across processes too.
 */
export interface AcknowledgedItems {
  /**
   * @param key equal for all items of one record
   * @param text the item as it would be sent
   */
  digest(key: string, text: string): ItemDigest;
  /** Whether an earlier run had the item acknowledged as the last one for its key, so that it need not be sent. */
  isKnown(digest: ItemDigest): boolean;
  /**
   * To be called before items are sent; durable once it returns.
   * @returns whether the remote had acknowledged something for the key of each
   */
  begin(digests: readonly ItemDigest[]): readonly boolean[];
  /**
   * Saves the result of items that were begun.
   * @param accepted whether each is stored now
   */
  acknowledge(digests: readonly ItemDigest[], accepted: readonly boolean[]): void;
  /** Called if the remote turns out to lack what it acknowledged: forgets everything. */
  forgetAll(): void;
}
