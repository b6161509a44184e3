import type { GatewayGap } from '@virgule/client/gateway';
import type { EventName, EventPayloads, Intent, Ready } from '@virgule/core/protocol';
import type { UserRef } from '../options/references.js';
import type { Duration } from '../text/duration.js';
import type { EventContext } from './event-context.js';

/** The events of the framework itself. */
export interface FrameworkEvents {
  /** The gateway accepted the bot. Emitted after every connect and reconnect. */
  readonly ready: Ready & { readonly reconnected: boolean };
  /** The connection was lost. The next attempt starts in `delayMs` milliseconds. */
  readonly reconnect: {
    readonly reason: string;
    readonly attempt: number;
    readonly delayMs: number;
  };
  /** The connection is back after a gap. The payload states which events were read back, and which are lost. */
  readonly gap: GatewayGap;
  /** A handler threw. */
  readonly error: { readonly error: unknown; readonly source: string };
  /** The bot is about to stop. */
  readonly shutdown: Record<never, never>;
}

/** The payloads of all events that an event file can listen to, by name. */
export interface Events extends EventPayloads, FrameworkEvents {}

/** Options of `defineEvent`. */
export interface EventOptions<Data = unknown> {
  /** `true` to receive events that the bot itself caused. @defaultValue `false` */
  readonly own?: boolean | undefined;
  /** `true` to run the handler for the first event only. @defaultValue `false` */
  readonly once?: boolean | undefined;
  /**
   * Order of events: with `'channel'` the handler starts after the handlers of the previous event of the same channel, with
   * `'none'` at once. A function returns a key: events with the same key are handled in order.
   *
   * @defaultValue `'channel'`
   */
  readonly order?: EventOrder<Data> | undefined;
  /**
   * Filter that runs before the event waits for its turn: without `true`, the handler does not receive the event. `me` is the
   * bot, for messages that mention it: `content.includes(String(me))`.
   *
   * @defaultValue every event
   */
  readonly when?: ((data: Data, me: UserRef) => boolean) | undefined;
  /**
   * Behavior for an event that arrives while the handler runs for an earlier event with the same `order`: `'queue'` runs the
   * handler for each event in turn, `'latest'` only for the newest waiting event, `'drop'` ignores the event, and `'abort'` aborts
   * the `signal` of the run, waits for its end, and runs the handler for the newest event. With any value except `'queue'`, the
   * handler has its own queue for each key, and `order: 'none'` is an error.
   *
   * @defaultValue `'queue'`; `'latest'` with `burst`
   */
  readonly overlap?: 'queue' | 'latest' | 'drop' | 'abort' | undefined;
  /**
   * Quiet time to wait for: several events in quick succession cause one run, for the newest event, when no event with the same
   * `order` has arrived for this duration, and after 10 times the duration at the latest. `skipped` contains the other events.
   *
   * @defaultValue the handler runs at once
   */
  readonly burst?: Duration | undefined;
  /**
   * Maximum duration of the handler. When it has passed, `signal` is aborted and the handler counts as failed. If this option
   * is set, or the handler has typed or written in the channel, `texts.timedOut` is the reply.
   *
   * @defaultValue `'15m'`; none for `ready`
   */
  readonly timeout?: Duration | undefined;
  /**
   * Intents of the events that the handler waits for, in addition to the intent of its event: `confirm`, `reactions` and
   * `paginate` need `MESSAGE_REACTIONS`, `waitForMessage` needs `SERVER_MESSAGES`.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
}

/** Order in which a handler receives events. `data` is the payload. */
export type EventOrder<Data = unknown> = 'channel' | 'none' | ((data: Data) => string);

/** An event handler with its options, as `defineEvent` returns it. */
export interface EventDefinition<Name extends keyof Events = keyof Events> extends EventOptions<
  Events[Name]
> {
  readonly event: Name;
  readonly run: (context: EventContext<Events[Name]>) => unknown;
}

/**
 * Defines the handler of a file below `events/`. Export it as the default export.
 *
 * @example
 * ```ts
 * // events/message-create.ts
 * export default defineEvent('MESSAGE_CREATE', async ({ data, here }) => {
 *   if (data.content === 'ping') await here?.send('pong');
 * });
 * ```
 */
export function defineEvent<Name extends EventName | keyof FrameworkEvents>(
  event: Name,
  run: (context: EventContext<Events[Name]>) => unknown,
  options: EventOptions<Events[Name]> = {},
): EventDefinition<Name> {
  return { ...options, event, run };
}
