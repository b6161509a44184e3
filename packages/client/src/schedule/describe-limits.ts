import type { InvalidRequestGuard } from '../limits/invalid-request-guard.js';
import type { Limiter } from '../limits/limiter.js';
import type { LimitsSnapshot } from '../limits/limits-snapshot.js';
import type { LaneQueue } from './lane-queue.js';
import type { PriorityClass } from './priority.js';
import type { Scheduler } from './scheduler.js';

/** Returns the limits that are in force and the calls that wait, as plain data. */
export function describeLimits(
  limiter: Limiter,
  guard: InvalidRequestGuard,
  scheduler: Scheduler,
): LimitsSnapshot {
  const { interaction, general, upload } = scheduler.lanes;
  const inFlight = (lanes: readonly LaneQueue[]): number =>
    lanes.reduce((sum, lane) => sum + lane.inFlight, 0);
  const queued = (priority: PriorityClass): number =>
    [...interaction, ...general, ...upload].reduce((sum, lane) => sum + lane.queuedOf(priority), 0);
  return {
    buckets: limiter.snapshot(),
    inFlight: {
      interaction: inFlight(interaction),
      general: inFlight(general),
      upload: inFlight(upload),
    },
    queued: {
      interaction: queued('interaction'),
      awaited: queued('awaited'),
      background: queued('background'),
    },
    refusedRequests: { count: guard.count, blocksBackground: guard.blocks },
    origins: scheduler.breakers().map(([origin, { faults, isOpen, probeInMs }]) => ({
      origin,
      faults,
      isOpen,
      probeInMs,
    })),
  };
}
