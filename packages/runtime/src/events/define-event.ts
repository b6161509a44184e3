import type { GatewayGap } from '@virgule/client/gateway';
import type { EventName, EventPayloads, Intent, Ready } from '@virgule/core/protocol';
import type { Duration } from '../text/duration.js';
import type { EventContext } from './event-context.js';

/** The events of the framework itself. */
export interface FrameworkEvents {
  /** The gateway accepted the bot: after every connect and reconnect. */
  readonly ready: Ready & { readonly reconnected: boolean };
  /** The connection was lost; the next attempt starts in `delayMs`. */
  readonly reconnect: {
    readonly reason: string;
    readonly attempt: number;
    readonly delayMs: number;
  };
  /** The connection is back after a gap: which events were read back, and which are lost. */
  readonly gap: GatewayGap;
  /** A handler threw. */
  readonly error: { readonly error: unknown; readonly source: string };
  /** The bot is about to stop. */
  readonly shutdown: Record<never, never>;
}

/** The payload of everything that an event file can listen to. */
export interface Events extends EventPayloads, FrameworkEvents {}

/** Options of `defineEvent`. */
export interface EventOptions<Data = unknown> {
  /**
   * Whether events that the bot itself caused are delivered too.
   *
   * @defaultValue `false`
   */
  readonly own?: boolean | undefined;
  /**
   * Whether the handler runs for the first event only.
   *
   * @defaultValue `false`
   */
  readonly once?: boolean | undefined;
  /**
   * When the handler starts: `'channel'` after the handlers of the previous event of the same channel,
   * `'none'` at once. A function returns a key: events with the same key are handled in order.
   *
   * @defaultValue `'channel'`
   */
  readonly order?: EventOrder<Data> | undefined;
  /**
   * How long the handler may take. Then `signal` is aborted, the handler has failed, and `texts.timedOut` is the reply, if
   * the option is set or the handler has typed or written in the channel.
   *
   * @defaultValue `'15m'`; none for `ready`
   */
  readonly timeout?: Duration | undefined;
  /**
   * The events that the handler waits for, in addition to its own: `confirm`, `reactions` and `paginate` need
   * `MESSAGE_REACTIONS`, `waitForMessage` needs `SERVER_MESSAGES`.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
}

/** How the events of a handler are ordered. `data` is the payload. */
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
