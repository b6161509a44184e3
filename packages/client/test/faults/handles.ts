import { expect } from 'vitest';
import { eventually } from '../eventually.js';

/** Counts the handles that keep this process alive now, by kind. */
function count(pattern: RegExp): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    if (pattern.test(kind)) counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Timers that keep this process alive now. */
export function countTimers(): number {
  return count(/^Timeout/)['Timeout'] ?? 0;
}

/** Fails when a socket or server is open, or when there are more timers than before. */
export async function expectNoHandles(timersBefore: number): Promise<void> {
  // A socket takes a turn of the event loop to go.
  await eventually(() => expect(count(/^(TCP|TLS|Pipe.*Connect)/)).toEqual({}));
  // Not inside waitFor, which has timers of its own.
  expect(countTimers()).toBeLessThanOrEqual(timersBefore);
}
