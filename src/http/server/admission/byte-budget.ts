// A budget in bytes for what requests keep in memory: bodies until they are imported, or answers until they are sent.

/** The part of a budget that one request holds. */
export interface Reservation {
  /**
   * Reserves more; false, without reserving, if the budget does not have that much left, or if one of its holders would
   * have more than its share. What a holder has in one request alone is not limited by its share.
   */
  grow(bytes: number): boolean;
  /** Reserves more even beyond the budget: for a response that must be sent, since its batch is committed. */
  force(bytes: number): void;
  /** Releases everything. Further calls have no effect. */
  release(): void;
}

export interface ByteBudget {
  /**
   * Whether a request of this many bytes would fit now. Reserves nothing: a slow sender is charged for what arrived,
   * not for what it announced.
   */
  hasRoom(bytes: number, holders: readonly string[]): boolean;
  /** @param holders who holds it: a key, an address */
  reserve(holders: readonly string[]): Reservation;
  /** Bytes held at the moment. */
  used(): number;
}

/** The share of a budget that one holder may have. */
const share = 1 / 4;

export function byteBudget(limit: number): ByteBudget {
  let used = 0;
  const heldBy = new Map<string, number>();

  function add(bytes: number, holders: readonly string[]): void {
    used += bytes;
    for (const holder of holders) {
      const held = (heldBy.get(holder) ?? 0) + bytes;
      if (held === 0) heldBy.delete(holder);
      else heldBy.set(holder, held);
    }
  }

  /** @param own what the request has already */
  function fits(bytes: number, holders: readonly string[], own: number): boolean {
    return (
      used + bytes <= limit &&
      holders.every((holder) => {
        const held = heldBy.get(holder) ?? 0;
        return held === own || held + bytes <= limit * share;
      })
    );
  }

  function reserve(holders: readonly string[]): Reservation {
    let own = 0;
    let released = false;
    const force = (bytes: number): void => {
      if (released) return;
      own += bytes;
      add(bytes, holders);
    };
    return {
      force,
      grow(bytes) {
        if (released || !fits(bytes, holders, own)) return false;
        force(bytes);
        return true;
      },
      release() {
        if (!released) add(-own, holders);
        released = true;
      },
    };
  }

  return { hasRoom: (bytes, holders) => fits(bytes, holders, 0), reserve, used: () => used };
}
