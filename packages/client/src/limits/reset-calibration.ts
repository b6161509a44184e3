/** What `X-RateLimit-Reset` can count in. */
export type ResetUnit = 'delta seconds' | 'delta ms' | 'epoch seconds' | 'epoch ms';

/** What was found out about `X-RateLimit-Reset` so far. */
export interface ResetCalibration {
  /** The unit that fits what was seen; believed once it agreed three times. */
  readonly unit: ResetUnit | undefined;
  readonly agreements: number;
  /** It contradicted itself or `Retry-After`: never used again by this client. */
  readonly dropped: boolean;
}

/** A 429 that says both when its window ends and how long to wait. */
export interface ResetSighting {
  /** The header as it came. */
  readonly reset: number;
  /** The wait the same answer states, in milliseconds. */
  readonly retryAfterMs: number;
  /** Wall-clock time of the server, or of this machine when it tells none; ms since the epoch. */
  readonly nowMs: number;
}

export const UNCALIBRATED: ResetCalibration = { unit: undefined, agreements: 0, dropped: false };

/** How often a unit has to agree with `Retry-After` before it is believed. */
const AGREEMENTS_NEEDED = 3;

/** `Retry-After` is in whole seconds, so two ways to say the same time differ by up to this. */
const TOLERANCE_MS = 1_000;

const EPOCH_MS_ABOVE = 1e11;
const EPOCH_SECONDS_ABOVE = 1e9;

/** Takes one more sighting into account. One contradiction, and the header is not used any more. */
export function calibrate(known: ResetCalibration, sighting: ResetSighting): ResetCalibration {
  if (known.dropped) return known;
  const fitting = candidates(sighting.reset).filter(
    (unit) =>
      Math.abs(waitOf(sighting.reset, unit, sighting.nowMs) - sighting.retryAfterMs) <=
      TOLERANCE_MS,
  );
  const [unit] = fitting;
  if (unit === undefined || (known.unit !== undefined && !fitting.includes(known.unit))) {
    return { ...known, dropped: true };
  }
  // A short wait fits seconds and milliseconds alike: it says nothing.
  if (fitting.length > 1) return known;
  return { unit, agreements: known.agreements + 1, dropped: false };
}

/** How long until the window ends, in milliseconds, or `undefined` while the unit is not sure. */
export function resetInMs(
  { unit, agreements, dropped }: ResetCalibration,
  reset: number,
  nowMs: number,
): number | undefined {
  if (unit === undefined || dropped || agreements < AGREEMENTS_NEEDED) return undefined;
  const waitMs = waitOf(reset, unit, nowMs);
  // Whole seconds are cut off somewhere in the last one: waiting that one out is never too early.
  const granularityMs = unit.endsWith('seconds') ? 1_000 : 0;
  return Math.max(0, waitMs + granularityMs);
}

function candidates(reset: number): readonly ResetUnit[] {
  if (reset > EPOCH_MS_ABOVE) return ['epoch ms'];
  if (reset > EPOCH_SECONDS_ABOVE) return ['epoch seconds'];
  return ['delta seconds', 'delta ms'];
}

function waitOf(reset: number, unit: ResetUnit, nowMs: number): number {
  switch (unit) {
    case 'delta seconds':
      return reset * 1_000;
    case 'delta ms':
      return reset;
    case 'epoch seconds':
      return reset * 1_000 - nowMs;
    case 'epoch ms':
      return reset - nowMs;
  }
}
