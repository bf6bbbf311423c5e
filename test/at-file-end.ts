// What a module that several test files share does at the end of each: a hook of its own would only be one of the file that
// loads it first.
type End = () => unknown;

const ends = new Set<End>();

/** Calls a function once, after the tests of this file. */
export function atFileEnd(end: End): void {
  ends.add(end);
}

/** Calls them all, the last one first. */
export async function endFile(): Promise<void> {
  const all = [...ends].reverse();
  ends.clear();
  for (const end of all) await end();
}
