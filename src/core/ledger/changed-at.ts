// The mark of a record's last change: its `updated_at`. Each change moves it on by at least a second, so that it tells
// two changes of one second apart: by it an undo knows whether a change is missing in the ledger.

/** Seconds in the future from which on a time says that the clock was set back: clocks of two hosts differ less. */
const longestLead = 3600;

/** The time of a change. @param before that of the record's last change */
export function changedAt(before: number, now: number): number {
  return before >= now && before - now < longestLead ? before + 1 : now;
}
