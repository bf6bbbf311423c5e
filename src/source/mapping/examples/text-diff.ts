// The difference of two texts, line by line.

/** Maximum lines of each side that are compared line by line: the table of the comparison has their product. */
const mostLines = 2_000;

/** Lines around a difference that are shown with it. */
const around = 3;

/** Each line with a sign: '-' where only `before` has it, '+' where only `after` has it, ' ' near these; none where both are equal. */
export function textDiff(before: readonly string[], after: readonly string[]): string[] {
  const begin = before.findIndex((line, i) => line !== after[i]);
  if (begin === -1 && before.length === after.length) return [];
  const whole =
    Math.max(before.length, after.length) > mostLines ? allLines(before, after) : commonLines(before, after);
  const isNear = (i: number): boolean =>
    whole.slice(Math.max(0, i - around), i + around + 1).some(([sign]) => sign !== ' ');
  return whole.flatMap((line, i) => (isNear(i) ? [line] : isNear(i - 1) ? ['…'] : []));
}

function allLines(before: readonly string[], after: readonly string[]): string[] {
  return [...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)];
}

/** By the longest common subsequence. */
function commonLines(before: readonly string[], after: readonly string[]): string[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    const isCommon = i < before.length && before[i] === after[j];
    const isRemoved = !isCommon && (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1)));
    lines.push(isCommon ? ` ${before[i]}` : isRemoved ? `-${before[i]}` : `+${after[j]}`);
    if (isCommon || isRemoved) i++;
    if (!isRemoved) j++;
  }
  return lines;
}
