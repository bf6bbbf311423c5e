// Publishes how long a request took and how it ended, for --verbose.
import { channel } from 'node:diagnostics_channel';
import { stepChannel, type TimedStep } from '../../core/timed-step.js';

const steps = channel(stepChannel);

/**
 * Starts timing a request.
 * @returns to be called with its status, or with the code of its failure
 */
export function timedRequest(subject: string): (outcome: string) => void {
  const started = performance.now();
  return (outcome) => {
    if (!steps.hasSubscribers) return;
    const milliseconds = performance.now() - started;
    steps.publish({ name: 'request', milliseconds, subject, outcome } satisfies TimedStep);
  };
}
