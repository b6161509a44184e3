import type { Intent } from '@virgule/core/protocol';
import type { Answerable } from '../command/loop-guard.js';
import type { EventErrorHandler } from './define-event-middleware.js';
import type { EventOptions, EventOrder } from './define-event.js';
import type { EventContext } from './event-context.js';

export interface EventListener {
  readonly event: string;
  readonly file: string;
  readonly own: boolean;
  readonly once: boolean;
  readonly order: EventOrder;
  readonly when?: EventOptions<unknown>['when'];
  /** Behavior while the handler runs; `undefined` if each event waits for its turn. */
  readonly overlap?: Exclude<EventOptions['overlap'], 'queue'>;
  /** Quiet time before a run, in milliseconds. */
  readonly burstMs: number;
  readonly timeoutMs: number;
  /** `true` if the author of the handler set the timeout. */
  readonly hasTimeout: boolean;
  /** Intents of the handler, of the configuration, and of the event. */
  readonly intents: readonly Intent[];
  /** Error handlers, innermost first. */
  readonly errorHandlers: readonly EventErrorHandler[];
  /** Runs the handler with the middleware of its folders. */
  readonly run: (context: EventContext<unknown>) => unknown;
}

export type EventListeners = ReadonlyMap<string, readonly EventListener[]>;

/** An event, as it is delivered to its handlers. */
export interface Delivery extends Answerable {
  readonly data: unknown;
  /** `true` if the event was missed during a gap, and read back later. */
  readonly recovered: boolean;
  /** `true` if the bot itself caused the event. */
  readonly isOwn: boolean;
}
