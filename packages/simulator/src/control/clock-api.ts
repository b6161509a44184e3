// `/_sim/clock`: stops the time of the world, and moves it forward.
import * as z from 'zod';
import type { SimClock } from '../simulator/sim-clock.js';
import { invalid } from '../world/refusal.js';
import { isoTime } from '../world/iso-time.js';
import type { World } from '../world/world.js';

const MAX_SKIP_MS = 365 * 24 * 60 * 60_000;

export const clockSchema = z.union([
  z.strictObject({ pause: z.boolean() }),
  z.strictObject({ skipMs: z.number().positive().max(MAX_SKIP_MS) }),
  z.strictObject({ skipTo: z.literal('next-deadline') }),
]);

/** Returns the body of GET /_sim/clock. */
export function clockView(world: World): object {
  const nextMs = nextDeadline(world);
  return {
    now: isoTime(world.clock.now()),
    isPaused: world.state.clock.pausedAtMs !== null,
    nextDeadline: nextMs === undefined ? null : isoTime(nextMs),
  };
}

export function moveClock(world: World, clock: SimClock, move: z.output<typeof clockSchema>): void {
  if ('pause' in move) {
    if (move.pause) clock.pause();
    else clock.resume();
  } else if ('skipMs' in move) {
    clock.skip(move.skipMs);
  } else {
    const deadlineMs = nextDeadline(world);
    if (deadlineMs === undefined)
      throw invalid(world.profile, 'skipTo', 'No interaction and no upload has a deadline.');
    clock.skip(deadlineMs - world.clock.now());
  }
}

/** Returns when the next interaction or upload expires. */
function nextDeadline({ state, clock }: World): number | undefined {
  const times = [
    ...Array.from(state.interactions.values(), ({ deadlineMs }) => deadlineMs),
    ...Array.from(state.uploads.values(), ({ expiresAtMs }) => expiresAtMs),
  ].filter((time) => time !== null && Number.isFinite(time) && time > clock.now());
  return times.length === 0 ? undefined : Math.min(...(times as number[]));
}
