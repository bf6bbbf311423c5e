// A change that cannot be decided ahead of the lock, or does not hold there: it is decided under the lock.

export class NotAhead extends Error {
  override readonly name = 'NotAhead';
}
