import type {
  Gateway,
  GatewayEvent,
  GatewayListener,
  GatewayStatus,
} from '@virgule/client/gateway';
import type { Ready } from '@virgule/core/protocol';

/** An event of any name for a bot. */
export interface BotEvent extends GatewayEvent {
  /** `true` if the process with the socket has deferred the command. The thinking state is visible then, also for a silent command. */
  readonly isDeferred?: boolean | undefined;
  /** Delivery by a queue; `undefined` if a socket of this process received the event. */
  readonly queued?: QueuedDelivery | undefined;
}

export interface QueuedDelivery {
  /** Destination of the event. `waits`: a copy for the waits of this process; another process may handle the event. */
  readonly to: 'handlers' | 'waits';
  /** `true` if the thinking state of the command may be visible already: another process may have deferred the command. */
  readonly isDeferred: boolean;
  /** `true` if the event ended its process too often. No handler runs, and the user gets the text `failed`. */
  readonly isSetAside?: boolean | undefined;
  /** `true` if a process that has ended may have run the command. A first answer may exist then. */
  readonly isAgain?: boolean | undefined;
  /** `true` if an ended process had begun to send follow-ups. No handler runs, and the user gets the text `interrupted`. */
  readonly isInterrupted?: boolean | undefined;
  /** Trace from the process that received the event, as headers such as `traceparent`. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Called before each follow-up, which is sent when the promise resolves. Never rejects. */
  readonly followingUp?: (() => Promise<void>) | undefined;
  /**
   * Called before each call of the command. Returns nothing while no other process can run the command. After this process was
   * suspended, returns a promise: `true` if only this process has the command, `undefined` if unknown. Never rejects.
   */
  readonly isOwn?: (() => Promise<boolean | undefined> | undefined) | undefined;
  /** Called once, when every run and call that the event started has ended. */
  ended(): void;
  /** Called before `ended` for a command that this version does not have. Returns whether another process gets the command. */
  passOn?(): boolean;
}

export interface BotListener extends GatewayListener<BotEvent> {
  /** `isElsewhere` is `true` if the connection is in another process, and the events arrive over a queue. */
  status?(status: GatewayStatus, isElsewhere?: boolean): void;
}

/** Source of the events of a bot: a socket (`Gateway`), a parent process that holds the socket, or a queue. */
export interface GatewayPort extends Pick<Gateway, 'close'> {
  /** Set if each command is delivered once. @defaultValue repeated commands are dropped by the bot */
  readonly deliversOnce?: true | undefined;
  /** Connects, as `connect` of a `Gateway` does. */
  connect(listener: BotListener): Promise<Ready>;
  /** Stops delivery before a shutdown, if another process can take the events. `close` follows. */
  drain?(): void;
  /**
   * Also delivers the events of a channel to the waits of this process, until the returned function is called. `sinceMs` is a
   * reading of `Clock.monotonic()`. Absent if this process receives every event.
   */
  watch?(channelId: string, sinceMs: number): () => void;
  /** Returns figures of a queue by their names, for metrics. */
  metrics?(): Promise<Readonly<Record<string, number>>>;
}
