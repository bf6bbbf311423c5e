// The connections of one store: created when needed, used by one caller at a time, discarded when they break.
import type { Session } from './session.js';

export interface SessionPool {
  /**
   * Runs work with a connection that nobody else uses meanwhile.
   * @param work gets whether the connection was used before: it may have been cut since, which shows only when it is
   * used
   */
  use<T>(work: (session: Session, isUsed: boolean) => Promise<T>): Promise<T>;
  /** Runs work with a connection of its own, which is closed afterwards. */
  useFresh<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** @param most maximum number of connections; further callers wait */
export function sessionPool(connect: () => Promise<Session>, most: number): SessionPool {
  const idle: Session[] = [];
  const waiting: (() => void)[] = [];
  let lent = 0;

  function take(): Session | undefined {
    for (let session = idle.pop(); session !== undefined; session = idle.pop()) if (session.isOpen()) return session;
    return undefined;
  }

  return {
    async use(work) {
      if (lent >= most) await new Promise<void>((resolve) => waiting.push(resolve));
      else lent++;
      try {
        const kept = take();
        const session = kept ?? (await connect());
        try {
          return await work(session, kept !== undefined);
        } finally {
          if (session.isOpen()) idle.push(session);
        }
      } finally {
        // The next caller that waits takes this place.
        const next = waiting.shift();
        if (next === undefined) lent--;
        else next();
      }
    },
    async useFresh(work) {
      const session = await connect();
      try {
        return await work(session);
      } finally {
        await session.close();
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map((session) => session.close()));
    },
  };
}
