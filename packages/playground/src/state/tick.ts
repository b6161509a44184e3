import type { SimInteraction } from '@virgule/core/simulator-api';
import { timeOf } from './message-time.js';
import { WAITING_AFTER_MS } from './timeline.js';

/**
 * Returns the time in milliseconds until something on the page changes only because time passes: a
 * waiting interaction appears, a countdown changes, a typing indicator ends. `null` if nothing does.
 */
export function nextTickMs(
  interactions: Iterable<SimInteraction>,
  typingUntilMs: Iterable<number>,
  nowMs: number,
): number | null {
  const times: number[] = [];
  for (const interaction of interactions) {
    if (interaction.state === 'waiting') {
      const left = timeOf(interaction.createdAt) + WAITING_AFTER_MS - nowMs;
      if (left > 0) times.push(left);
    }
    if (interaction.state !== 'waiting' && interaction.state !== 'deferred') continue;
    const expiresInMs = interaction.expiresAt === null ? 0 : timeOf(interaction.expiresAt) - nowMs;
    if (expiresInMs > 0) times.push(expiresInMs % 1000 || 1000);
  }
  for (const untilMs of typingUntilMs) if (untilMs > nowMs) times.push(untilMs - nowMs);
  return times.length === 0 ? null : Math.max(1, Math.ceil(Math.min(...times)));
}
