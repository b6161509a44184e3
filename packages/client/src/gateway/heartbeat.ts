import type { Clock, Timer } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { Profile } from '@virgule/core/protocol';
import { startDeadline } from '../request/deadline.js';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly intervalMs: number;
  readonly beat: () => void;
  /** When the last frame of any kind came in, by `Clock.monotonic()`. */
  readonly lastFrameAtMs: () => number;
  /** No answer came in time: the connection is gone. Called once, and then nothing more. */
  readonly dead: (waitedMs: number) => void;
}

export type Heartbeat = ReturnType<typeof startHeartbeat>;

/** The first beat comes this early at the earliest, as a share of the interval. */
const MIN_FIRST_SHARE = 0.1;

/** The time allowed for an answer: the interval, within these bounds. In milliseconds. */
const ACK_MS = { min: 3_000, max: 10_000 };

/** Time to read what came in over a connection while this process was asleep or busy, in milliseconds. */
export const SOCKET_GRACE_MS = 1_000;

/** While other frames come, an answer may be late, but not by more than this many intervals. */
const MAX_INTERVALS = 3;

/**
 * Sends heartbeats and watches their answers. The time allowed for one is not stated in the Bot
 * Interface; assumed is the interval, at least 3 s and at most 10 s, counted from the last frame of any kind, and
 * three intervals at most: only an answer clears a beat, but a line on which events come is not dead.
 */
export function startHeartbeat(options: HeartbeatOptions) {
  const { clock, random, intervalMs, beat, lastFrameAtMs, dead } = options;
  const allowedMs = Math.min(Math.max(intervalMs, ACK_MS.min), ACK_MS.max);
  let sentAtMs: number | undefined;
  let unanswered = 0;
  let ackTimer: Timer | undefined;
  const firstShare = MIN_FIRST_SHARE + (1 - MIN_FIRST_SHARE) * random();
  let beatTimer = clock.setTimeout(send, Math.round(intervalMs * firstShare), { isRoutine: true });

  function send(): void {
    // When the time for an answer was prolonged by a stall, that one is still to be judged.
    if (sentAtMs === undefined) {
      const beatAtMs = clock.monotonic();
      sentAtMs = beatAtMs;
      // Armed before the next beat: when both fall due together, judging comes first.
      judgeAfter(allowedMs, beatAtMs);
    }
    beatTimer = clock.setTimeout(send, intervalMs, { isRoutine: true });
    unanswered += 1;
    beat();
  }

  function judgeAfter(forMs: number, beatAtMs: number): void {
    ackTimer = startDeadline(clock, forMs, SOCKET_GRACE_MS, () => {
      const nowMs = clock.monotonic();
      const longestMs = Math.max(allowedMs, MAX_INTERVALS * intervalMs);
      const untilMs = Math.min(lastFrameAtMs() + allowedMs, beatAtMs + longestMs);
      if (untilMs > nowMs) {
        judgeAfter(untilMs - nowMs, beatAtMs);
        return;
      }
      stop();
      dead(Math.round(nowMs - beatAtMs));
    });
  }

  function stop(): void {
    beatTimer.cancel();
    ackTimer?.cancel();
  }

  return {
    /** An answer came. Returns false when each beat was answered before. */
    ack(): boolean {
      if (unanswered === 0) return false;
      unanswered -= 1;
      sentAtMs = undefined;
      ackTimer?.cancel();
      return true;
    },
    stop,
  };
}

/** Returns the interval that HELLO names, or what the profile puts in its place, and what was wrong with it. */
export function resolveHeartbeatInterval(
  hello: unknown,
  { heartbeat }: Profile,
): { readonly intervalMs: number; readonly problem?: string | undefined } {
  const named = namedInterval(hello);
  if (typeof named !== 'number' || Number.isNaN(named)) {
    const problem = named === undefined ? 'absent' : 'not a number';
    return { intervalMs: heartbeat.fallbackMs, problem };
  }
  const { min, max } = heartbeat.boundsMs;
  const intervalMs = Math.min(Math.max(named, min), max);
  const problem = intervalMs === named ? undefined : `${named} is outside ${min} to ${max}`;
  return { intervalMs, problem };
}

export function namedInterval(hello: unknown): unknown {
  return isRecord(hello) ? hello['heartbeatInterval'] : undefined;
}
