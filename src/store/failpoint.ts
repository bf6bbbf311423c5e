// Fail points: places where tests kill the process, to prove what survives. CATALOG_FAILPOINT=before-commit:3 kills it
// when that point is reached the third time. Without the variable a point is an empty function.

export type Failpoint = 'while-saving' | 'before-commit' | 'after-commit' | 'before-report';

const [chosen, turn = '1'] = process.env['CATALOG_FAILPOINT']?.split(':') ?? [];
let left = Number(turn);

/** Marks a point; kills the process if CATALOG_FAILPOINT names it. */
export const failpoint: (point: Failpoint) => void =
  chosen === undefined
    ? () => {}
    : (point) => {
        if (point === chosen && --left === 0) process.kill(process.pid, 'SIGKILL');
      };
