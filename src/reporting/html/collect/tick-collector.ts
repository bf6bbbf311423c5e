// Samples how many items were done at which time, within a limit: when it is full, every second sample is dropped.
import type { Tick } from '../run-report.js';

const mostTicks = 240;

export interface TickCollector {
  add(total: number): void;
  report(): readonly Tick[];
}

export function tickCollector(): TickCollector {
  const started = performance.now();
  let ticks: Tick[] = [];
  let interval = 0.1;
  let last: Tick = { seconds: 0, total: 0 };
  return {
    add(total) {
      last = { seconds: (performance.now() - started) / 1000, total };
      if (last.seconds < (ticks.at(-1)?.seconds ?? 0) + interval) return;
      ticks.push(last);
      if (ticks.length < mostTicks) return;
      ticks = ticks.filter((_, i) => i % 2 === 1);
      interval *= 2;
    },
    report: () => [{ seconds: 0, total: 0 }, ...ticks.filter(({ total }) => total < last.total), last],
  };
}
