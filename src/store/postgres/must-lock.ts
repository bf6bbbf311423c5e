// A change that cannot be decided on a snapshot, or conflicts with another writer: it has to be decided under the lock.

export class MustLock extends Error {
  override readonly name = 'MustLock';
}
