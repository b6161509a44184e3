import type { Intent } from '@virgule/core/protocol';
import type { EventErrorHandler } from './define-event-middleware.js';
import type { EventOrder } from './define-event.js';
import type { EventContext } from './event-context.js';

/** One handler of one event. */
export interface EventListener {
  readonly event: string;
  readonly file: string;
  readonly own: boolean;
  readonly once: boolean;
  readonly order: EventOrder;
  readonly timeoutMs: number;
  /** Whether its author set the timeout. */
  readonly hasTimeout: boolean;
  /** The intents that it declares, those of the configuration, and that of its event. */
  readonly intents: readonly Intent[];
  /** Innermost first. */
  readonly errorHandlers: readonly EventErrorHandler[];
  /** With the middleware of its folders. */
  readonly run: (context: EventContext<unknown>) => unknown;
}

/** The handlers of each event. */
export type EventListeners = ReadonlyMap<string, readonly EventListener[]>;
