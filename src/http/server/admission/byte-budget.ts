// A budget in bytes for what requests keep in memory: bodies until they are imported, large answers until they are sent.

/** The part of a budget that one request holds. */
export interface Reservation {
  /** Reserves more; false, and nothing more is held, where the budget has no room for it. */
  grow(bytes: number): boolean;
  /** Reserves more whether there is room or not: for what must be sent, as it was committed. */
  force(bytes: number): void;
  /** Releases everything. Further calls have no effect. */
  release(): void;
}

export interface ByteBudget {
  /** Whether a request of so many bytes would fit now. Reserves nothing: a slow sender holds what arrived, not what it announced. */
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
