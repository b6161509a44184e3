import { isRecord } from '@virgule/core/objects';
import type { Profile } from '@virgule/core/protocol';

export interface HeartbeatInterval {
  readonly intervalMs: number;
  /** What was wrong with the interval that HELLO named, if anything. */
  readonly problem?: string | undefined;
}

/** The interval that HELLO names, or what the profile puts in its place. */
export function resolveHeartbeatInterval(
  hello: unknown,
  { heartbeatFallbackMs, heartbeatBoundsMs: { min, max } }: Profile,
): HeartbeatInterval {
  const named = isRecord(hello) ? hello['heartbeatInterval'] : undefined;
  if (named === undefined) return { intervalMs: heartbeatFallbackMs, problem: 'absent' };
  if (typeof named !== 'number' || Number.isNaN(named)) {
    return { intervalMs: heartbeatFallbackMs, problem: 'not a number' };
  }
  const intervalMs = Math.min(Math.max(named, min), max);
  return intervalMs === named
    ? { intervalMs }
    : { intervalMs, problem: `${named} is outside ${min} to ${max}` };
}
