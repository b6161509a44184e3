import { EVENTS, type EventName, type Intent } from '@virgule/core/protocol';
import type { GatewayGap } from './port.js';
import type { Moment } from './session.js';

/** A connection that was ready, and is no more. */
export interface Loss {
  /** The last moment at which something came in over it. */
  readonly lastFrameAt: Moment;
  readonly reason: string;
}

export interface GapOptions {
  /** The events that the bot subscribed to; all when absent. */
  readonly intents: readonly Intent[] | undefined;
  /** Whether new messages are read back. */
  readonly readsBack: boolean;
}

/** The time from a loss to now, in which nothing was delivered. */
export function gapSince(
  { lastFrameAt, reason }: Loss,
  now: Moment,
  { intents, readsBack }: GapOptions,
): GatewayGap {
  return {
    from: new Date(lastFrameAt.wallMs).toISOString(),
    to: new Date(now.wallMs).toISOString(),
    ms: Math.round(
      Math.max(now.monotonicMs - lastFrameAt.monotonicMs, now.wallMs - lastFrameAt.wallMs),
    ),
    reason,
    unrecoverable: (Object.keys(EVENTS) as EventName[]).filter(
      (name) =>
        !(readsBack && name === 'MESSAGE_CREATE') &&
        (intents?.includes(EVENTS[name].intent) ?? true),
    ),
  };
}
