import { ceilingOf, isGuess, type Bucket, type Learned } from './bucket.js';
import { noteWindow } from './learning.js';

/** May a request go: yes, not while others are on their way, or not before a time in milliseconds. */
export type Admission = 'go' | 'busy' | number;

/**
 * So long after the last 429, and so many windows, a limit that nobody stated is tested: all of it is
 * used, then one more goes, and is refused if there is such a limit.
 */
const TEST_AFTER_MS = 20_000;
const TEST_AFTER_WINDOWS = 2;

/** Whether one more request may go now. */
export function admit(bucket: Bucket, nowMs: number): Admission {
  const { learned, fresh, inFlight } = bucket;
  if (!learned) return 'go';
  passTime(bucket, learned, nowMs);
  if (learned.phase === 'paused') return learned.pausedUntilMs;
  const isTest = isToBeTested(learned, nowMs);
  const room = roomLeft(learned, isTest ? learned.limit : ceilingOf(learned));
  if (fresh > 0) {
    const { phase, atOnce, aloneUntilMs } = learned;
    const mayJoin = phase === 'flowing' && fresh < Math.floor(atOnce) && nowMs >= aloneUntilMs;
    return mayJoin && inFlight < room ? 'go' : 'busy';
  }
  if (room > 0 || isTest) return 'go';
  // Used up. With no idea when the window ends, a single request asks.
  return windowEndMs(learned) ?? 'go';
}

function isToBeTested({ statedLimit, limitedAtMs, windowMs = 0 }: Learned, nowMs: number): boolean {
  const afterMs = Math.max(TEST_AFTER_MS, TEST_AFTER_WINDOWS * windowMs);
  return statedLimit === undefined && nowMs - limitedAtMs >= afterMs;
}

function passTime(bucket: Bucket, learned: Learned, nowMs: number): void {
  if (learned.phase === 'paused') {
    if (nowMs < learned.pausedUntilMs) return;
    learned.phase = 'pioneer';
    noteWindow(bucket, learned);
    // Several limits may have been taken for one: the end of one window is then not the end of all.
    if (!isGuess(bucket) || learned.windowMs === undefined) startWindow(bucket, learned);
    else learned.remaining = Number.POSITIVE_INFINITY;
  }
  if (learned.resetAtMs !== undefined && nowMs >= learned.resetAtMs) startWindow(bucket, learned);
  const { windowMs, log } = learned;
  if (windowMs === undefined) return;
  let over = 0;
  while ((log[over] ?? Infinity) + windowMs <= nowMs) over += 1;
  if (over === 0) return;
  log.splice(0, over);
  bucket.accepted = Math.max(0, bucket.accepted - over);
  // What was left in a window that is over says nothing about this one.
  learned.remaining = Number.POSITIVE_INFINITY;
}

function startWindow(bucket: Bucket, learned: Learned): void {
  bucket.accepted = 0;
  bucket.lost = 0;
  learned.log = [];
  learned.remaining = Number.POSITIVE_INFINITY;
  learned.resetAtMs = undefined;
}

/** How many may still be sent in this window, those on their way included. */
function roomLeft({ log, remaining }: Learned, ceiling = Number.POSITIVE_INFINITY): number {
  return Math.min(remaining, ceiling - log.length);
}

function windowEndMs({ resetAtMs, windowMs, log }: Learned): number | undefined {
  if (resetAtMs !== undefined) return resetAtMs;
  const [oldestMs] = log;
  return windowMs === undefined || oldestMs === undefined ? undefined : oldestMs + windowMs;
}
