import type { Clock, Timer } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { Profile } from '@virgule/core/protocol';
import { LATE_MS } from '../request/exchange.js';

export interface HeartbeatOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly intervalMs: number;
  readonly beat: () => void;
  /** Returns the time of the last frame of any kind, by `Clock.monotonic()`. */
  readonly lastFrameAtMs: () => number;
  /** Called once, as the last call, when no answer came in time and the connection counts as lost. */
  readonly dead: (waitedMs: number) => void;
}

export type Heartbeat = ReturnType<typeof startHeartbeat>;

/** Earliest time of the first beat, as a share of the interval. */
const MIN_FIRST_SHARE = 0.1;

/** Bounds of the time allowed for an answer, in milliseconds. Between them, the interval is allowed. */
const ACK_MS = { min: 3_000, max: 10_000 };

/** Time to read frames that arrived while this process was suspended or blocked, in milliseconds. */
export const SOCKET_GRACE_MS = 1_000;

/** Runs `expired` after `forMs` milliseconds; after a block of this process, after another `SOCKET_GRACE_MS`. */
export function startDeadline(
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>,
  forMs: number,
  expired: () => void,
): Timer {
  const dueAtMs = clock.monotonic() + forMs;
  let timer = clock.setTimeout(() => {
    if (clock.monotonic() - dueAtMs <= LATE_MS) expired();
    else timer = clock.setTimeout(expired, SOCKET_GRACE_MS);
  }, forMs);
  return { cancel: () => timer.cancel() };
}

/** Maximum number of intervals until an answer while other frames arrive. */
const MAX_INTERVALS = 3;

/**
 * Sends heartbeats and checks their answers. The time for an answer is assumed: the interval, from 3 to 10 s, counted from
 * the last frame of any kind, because a connection with events is alive. After three intervals, an answer is required.
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
    // After a stall, an earlier beat may still wait for its answer, and keeps its deadline.
    if (sentAtMs === undefined) {
      const beatAtMs = clock.monotonic();
      sentAtMs = beatAtMs;
      // Set before the timer of the next beat, so that it runs first when both are due.
      judgeAfter(allowedMs, beatAtMs);
    }
    beatTimer = clock.setTimeout(send, intervalMs, { isRoutine: true });
    unanswered += 1;
    beat();
  }

  function judgeAfter(forMs: number, beatAtMs: number): void {
    ackTimer = startDeadline(clock, forMs, () => {
      const nowMs = clock.monotonic();
      const longestMs = Math.max(allowedMs, MAX_INTERVALS * intervalMs);
      const untilMs = Math.min(lastFrameAtMs() + allowedMs, beatAtMs + longestMs);
      if (untilMs > nowMs) return judgeAfter(untilMs - nowMs, beatAtMs);
      stop();
      dead(Math.round(nowMs - beatAtMs));
    });
  }

  function stop(): void {
    beatTimer.cancel();
    ackTimer?.cancel();
  }

  return {
    /** Records an answer. Returns false without an unanswered beat. */
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

/** Returns the interval of HELLO within the bounds of the profile, or its fallback, and the problem of an invalid interval. */
export function resolveHeartbeatInterval(hello: unknown, { heartbeat }: Profile) {
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

export const namedInterval = (hello: unknown): unknown =>
  isRecord(hello) ? hello['heartbeatInterval'] : undefined;
