// Rate limits: requests for each key, failed authentications for each network. Each process counts separately.

/** Seconds to wait, or 0 where the request may go on. */
export type WaitSeconds = number;

interface Bucket {
  tokens: number;
  at: number;
}

/** The result of a request for a token. */
interface TokenGrant {
  readonly wait: WaitSeconds;
  /** Whole tokens that are left. */
  readonly left: number;
  /** Seconds until the bucket is full again if nobody takes another token, rounded up. */
  readonly untilFull: number;
}

/**
 * A token bucket per key: `perSecond` requests a second, with bursts of as many.
 * @returns takes one token of the bucket at a time in milliseconds
 */
export function tokenBuckets(perSecond: number): (key: string, now: number) => TokenGrant {
  const buckets = new Map<string, Bucket>();
  return (key, now) => {
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: perSecond, at: now };
      buckets.set(key, bucket);
    }
    bucket.tokens = Math.min(perSecond, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    const wait = bucket.tokens < 1 ? (1 - bucket.tokens) / perSecond : 0;
    if (wait === 0) bucket.tokens -= 1;
    const untilFull = Math.ceil((perSecond - bucket.tokens) / perSecond);
    return { wait, left: Math.floor(bucket.tokens), untilFull };
  };
}

/** Maximum addresses counted at once; beyond it the minute starts again for all. */
const mostAddresses = 100_000;

/**
 * Counts events per address within a minute: the first `perMinute` pass.
 * @returns counts one event at a time in milliseconds
 */
export function minuteCounts(perMinute: number): (address: string, now: number) => WaitSeconds {
  const counts = new Map<string, number>();
  let minuteEnds = 0;
  return (address, now) => {
    if (now >= minuteEnds || counts.size > mostAddresses) {
      counts.clear();
      minuteEnds = now + 60_000;
    }
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    return count > perMinute ? (minuteEnds - now) / 1000 : 0;
  };
}
