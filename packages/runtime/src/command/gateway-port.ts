import type {
  Gateway,
  GatewayEvent,
  GatewayListener,
  GatewayStatus,
} from '@virgule/client/gateway';
import type { Ready } from '@virgule/core/protocol';

/** An event for a bot, whatever its name. */
export interface BotEvent extends GatewayEvent {
  /** Whether the thinking state of the command is shown, also of a silent one: the process with the socket deferred it. */
  readonly isDeferred?: boolean | undefined;
  /** Present when a queue delivered it, instead of a socket of this process. */
  readonly queued?: QueuedDelivery | undefined;
}

/** How a queue delivered an event. */
export interface QueuedDelivery {
  /** What it is for: `waits` is a copy for the waits of this process, which another process may handle. */
  readonly to: 'handlers' | 'waits';
  /** Whether the thinking state of the command may show already: another process may have sent it. */
  readonly isDeferred: boolean;
  /**
   * Whether it was delivered too often and never ended, such as a command that ends its process: no handler runs, and its
   * user gets the text `failed`.
   */
  readonly isSetAside?: boolean | undefined;
  /** Whether a process that has ended may have run the command: its first answer may be there. */
  readonly isAgain?: boolean | undefined;
  /** Whether that process had begun to send follow-ups: no handler runs, and the user gets the text `interrupted`. */
  readonly isInterrupted?: boolean | undefined;
  /** The trace that the process which received the event began, as headers such as `traceparent`. */
  readonly trace?: Readonly<Record<string, string>> | undefined;
  /** Called before each follow-up, which waits until it resolves. Never rejects. */
  readonly followingUp?: (() => Promise<void>) | undefined;
  /**
   * Called before each call of the command. Returns nothing while no other process can run it; after this one was suspended, a
   * promise of whether it still has the command alone: `undefined` if that is unknown. Never rejects.
   */
  readonly isOwn?: (() => Promise<boolean | undefined> | undefined) | undefined;
  /** Called once, when everything that the event started has ended. */
  ended(): void;
  /**
   * Called for a command that this version of the bot does not have, before `ended`. Returns whether another process gets
   * it instead; if not, it is to be answered here.
   */
  passOn?(): boolean;
}

export interface BotListener extends GatewayListener<BotEvent> {
  /** `isElsewhere`: whether it is the connection of another process, whose events come over a queue. */
  status?(status: GatewayStatus, isElsewhere?: boolean): void;
}

/**
 * Where the events of a bot come from: a socket in this process (`Gateway`), a parent process that holds the socket,
 * or a queue. The bot sees no difference.
 */
export interface GatewayPort extends Pick<Gateway, 'close'> {
  /** As `connect` of a `Gateway`. */
  connect(listener: BotListener): Promise<Ready>;
  /** Stops delivery before a shutdown, if events can wait for another process. `close` follows. */
  drain?(): void;
  /**
   * Delivers the events of a channel since a reading of `Clock.monotonic()` to the waits of this process as well, until
   * the returned function is called. Absent when every event comes to this process.
   */
  watch?(channelId: string, sinceMs: number): () => void;
  /** Returns figures of a queue by their names, for metrics. */
  metrics?(): Promise<Readonly<Record<string, number>>>;
}
