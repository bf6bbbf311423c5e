// A budget in bytes for what requests keep in memory: bodies until they are imported, large answers until they are sent.

/** The part of a budget that one request holds. */
export interface Reservation {
  /** Reserves more; false, without reserving, if the budget does not have that much left. */
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
  hasRoom(bytes: number): boolean;
  reserve(): Reservation;
  /** Bytes held at the moment. */
  used(): number;
}

/** A budget of `limit` bytes for the whole process. */
export function byteBudget(limit: number): ByteBudget {
  let used = 0;

  function reserve(): Reservation {
    let held = 0;
    let released = false;
    const force = (bytes: number): void => {
      if (released) return;
      held += bytes;
      used += bytes;
    };
    return {
      force,
      grow(bytes) {
        if (released || used + bytes > limit) return false;
        force(bytes);
        return true;
      },
      release() {
        if (!released) used -= held;
        released = true;
      },
    };
  }

  return { hasRoom: (bytes) => used + bytes <= limit, reserve, used: () => used };
}
