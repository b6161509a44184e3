import type { RetryClass } from '@virgule/core/protocol';
import { fullJitter } from '../timing/full-jitter.js';

/** How often a request is tried in all. Waiting out a rate limit is not a try. */
const MAX_TRIES = 3;

const BACKOFF = { baseMs: 250, capMs: 8_000 };

/**
 * Up to this much is added to a wait that the server asked for, so that not all clients come back at
 * once; to a short one no more than a tenth of it.
 */
const LIMIT_JITTER_MS = 250;
const LIMIT_JITTER_SHARE = 0.1;

/** Whether making the request a second time can do no harm, whatever became of the first. */
export function isRepeatHarmless(retry: RetryClass): boolean {
  return retry === 'safe' || retry === 'repeatable';
}

/** Whether a failed try may be followed by another. A request that was never sent always may. */
export function mayTryAgain(retry: RetryClass, maybeSent: boolean, faults: number): boolean {
  return faults < MAX_TRIES && (!maybeSent || isRepeatHarmless(retry));
}

/** The pause before the next try, in milliseconds. `faults` counts the failed ones, from 1. */
export function backoffMs(faults: number, random: () => number): number {
  return fullJitter(faults - 1, { random, ...BACKOFF });
}

/** What is added to a wait that the server asked for, in milliseconds. */
export function limitJitterMs(waitMs: number, random: () => number): number {
  return random() * Math.min(LIMIT_JITTER_MS, LIMIT_JITTER_SHARE * waitMs);
}
