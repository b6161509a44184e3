import { onAbort } from '@virgule/core/abort';
import { soon, type Clock, type Deadline, type Deadlines } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import { EVENTS, readLeniently, type EventPayloads, type Intent } from '@virgule/core/protocol';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { isSameId } from '../../options/references.js';

/** The events that a command can wait for. */
export type AwaitedEvent = 'MESSAGE_CREATE' | 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE';

/** An event that was not caused by this bot. */
export type ReceivedEvent = {
  readonly [Name in AwaitedEvent]: {
    readonly event: Name;
    readonly data: EventPayloads[Name];
    /** `data` as it was received, unparsed. */
    readonly raw: unknown;
  };
}[AwaitedEvent];

export interface WaitRequest<Item extends object> {
  /** The call that waits, for errors: `confirm()`. */
  readonly call: string;
  /** Owner of the wait, for errors: `/reset`, or the file of an event. */
  readonly owner: string;
  readonly channelId: string;
  readonly events: readonly AwaitedEvent[];
  /** Returns the id of the message that users react to. @defaultValue no message */
  readonly messageId?: (() => string | undefined) | undefined;
  readonly withinMs: number;
  readonly signal: AbortSignal;
  /** A reading of `Waits.mark`. Reactions after the mark are delivered too, if they are still remembered. */
  readonly since: number;
  /** Time of the request: a reading of `Clock.monotonic()`. */
  readonly sinceMs: number;
  /** Returns the item of an event, if the event counts. `mark` is the value of `Waits.mark` after it. An error ends the wait. */
  readonly read: (received: ReceivedEvent, mark: number) => Item | undefined;
}

export interface ObservedWait {
  readonly channelId: string;
  /** Id of the message that users react to; `undefined` while the id is unknown, and for a wait for messages. */
  readonly messageId: string | undefined;
  readonly isOpen: boolean;
  /** `true` if a handler is waiting for the next item. */
  readonly isAwaited: boolean;
}

/** A wait for items. Every member can be destructured. */
export interface Wait<Item> {
  /** Resolves to the next item; `null` when the time is over. Rejects with the reason if the wait was ended before. */
  readonly next: () => Promise<Item | null>;
  /** Restarts `withinMs`. */
  readonly extend: () => void;
  /** Stops listening. Further calls have no effect. */
  readonly close: () => void;
}

export interface WaitsOptions {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly log: Log;
  /** Requests the events of a channel, as `GatewayPort.watch` does. @defaultValue all events are received anyway */
  readonly watch?: (channelId: string, sinceMs: number) => (() => void) | undefined;
  /** Called synchronously with each new wait. */
  readonly onOpen?: ((wait: ObservedWait) => void) | undefined;
}

const MAX_WAITS = 10_000;
/** Maximum number of remembered reactions in all channels together. */
const MAX_REMEMBERED = 500;
/** Maximum number of items that wait for a busy loop. Later items are dropped. */
const MAX_ITEMS = 1_000;

export const intentOf = (event: AwaitedEvent): Intent => EVENTS[event].intent;

interface Entry {
  readonly request: Pick<WaitRequest<object>, 'call' | 'owner' | 'channelId' | 'events' | 'since'>;
  deliver(received: ReceivedEvent, mark: number): void;
  /** Ends the wait; without a reason when the time is over. */
  end(reason?: { readonly error: unknown }): void;
}

export class Waits {
  readonly #options: WaitsOptions;
  readonly #byChannel = new Map<string, Set<Entry>>();
  /** The latest reactions, unparsed. A reaction may arrive before the wait for it, or before the response to its message. */
  readonly #remembered: { readonly event: AwaitedEvent; readonly data: unknown }[] = [];
  /** Number of reactions received so far. Later reactions have a higher mark. */
  mark = 0;
  #count = 0;
  #isClosed = false;

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  /**
   * Starts to listen.
   *
   * @throws VirguleError `E_TOO_MANY_WAITS` if there are too many waits, `E_WAIT_CLOSED` if the bot is shutting down; the
   * reason of the signal if it is aborted.
   */
  open<Item extends object>(request: WaitRequest<Item>): Wait<Item> {
    const { call, owner, channelId, signal, withinMs } = request;
    const { clock, deadlines, watch, onOpen } = this.#options;
    signal.throwIfAborted();
    if (this.#isClosed) throw runtimeErrors.E_WAIT_CLOSED({ owner, call });
    const inChannel = this.#byChannel.get(channelId) ?? new Set();
    if (this.#count >= MAX_WAITS)
      throw runtimeErrors.E_TOO_MANY_WAITS({ owner, call, max: MAX_WAITS });

    const items: Item[] = [];
    let ended: { readonly reason: { readonly error: unknown } | undefined } | undefined;
    let wake = (): void => {};
    let isAwaited = false;
    const until = (): Deadline => deadlines.add(clock.monotonic() + withinMs, () => entry.end());
    const close = (): void => {
      if (!inChannel.delete(entry)) return;
      this.#count -= 1;
      if (inChannel.size === 0) this.#byChannel.delete(channelId);
      deadlines.cancel(deadline);
      detach();
      unwatch?.();
    };
    const entry: Entry = {
      request,
      deliver(received, mark) {
        try {
          const item = request.read(received, mark);
          if (item !== undefined && items.length < MAX_ITEMS) items.push(item);
          wake();
        } catch (error) {
          entry.end({ error });
        }
      },
      end(reason) {
        close();
        ended = { reason };
        wake();
      },
    };
    this.#byChannel.set(channelId, inChannel.add(entry));
    this.#count += 1;
    let deadline = until();
    const unwatch = watch?.(channelId, request.sinceMs);
    const detach = onAbort(signal, (error) => entry.end({ error }));
    // Asynchronous, because the caller does not have the `Wait` yet.
    if (request.since < this.mark) soon(() => this.#remind(entry, inChannel));
    onOpen?.({
      channelId,
      get messageId() {
        return request.messageId?.();
      },
      get isOpen() {
        return inChannel.has(entry);
      },
      get isAwaited() {
        return isAwaited;
      },
    });
    return {
      async next() {
        for (;;) {
          const item = items.shift();
          if (item) return item;
          if (ended?.reason) throw ended.reason.error;
          if (ended) return null;
          isAwaited = true;
          await new Promise<void>((resolve) => (wake = resolve));
          isAwaited = false;
        }
      },
      extend() {
        if (!inChannel.has(entry)) return;
        deadlines.cancel(deadline);
        deadline = until();
      },
      close,
    };
  }

  /** Delivers an event to the waits for it, unless this bot caused the event. */
  receive(event: string, data: unknown, botUserId: string): void {
    // Most events of most bots are of another type, or there is no wait.
    if ((this.#count === 0 && event === 'MESSAGE_CREATE') || !isAwaited(event)) return;
    if (!isRecord(data) || isSameId(data[ACTORS[event]], botUserId)) return;
    if (event !== 'MESSAGE_CREATE') this.#remember(event, data);
    const channelId = data['channelId'];
    const inChannel = typeof channelId === 'string' ? this.#byChannel.get(channelId) : undefined;
    if (!inChannel) return;
    const interested = [...inChannel].filter(({ request }) => request.events.includes(event));
    if (interested.length === 0) return;
    const received = readAwaited(event, data);
    if (!received) {
      const text = `skipped the waits for ${event}: its payload is invalid`;
      return this.#options.log.warn({ event }, text);
    }
    // A delivery to one wait may close another wait.
    for (const entry of interested) if (inChannel.has(entry)) entry.deliver(received, this.mark);
  }

  #remember(event: AwaitedEvent, data: unknown): void {
    this.#remembered.push({ event, data });
    this.mark += 1;
    if (this.#remembered.length > MAX_REMEMBERED) this.#remembered.shift();
  }

  /** Delivers the remembered reactions to a wait. */
  #remind(entry: Entry, inChannel: ReadonlySet<Entry>): void {
    const { channelId, events, since } = entry.request;
    const firstMark = this.mark - this.#remembered.length;
    for (const [index, { event, data }] of [...this.#remembered].entries()) {
      const mark = firstMark + index + 1;
      if (mark <= since || Object(data).channelId !== channelId) continue;
      if (!inChannel.has(entry)) return;
      const received = events.includes(event) ? readAwaited(event, data) : undefined;
      if (received) entry.deliver(received, mark);
    }
  }

  /** Ends all waits permanently: the bot shuts down. */
  close(): void {
    this.#isClosed = true;
    for (const inChannel of this.#byChannel.values()) {
      for (const entry of inChannel) {
        const { call, owner } = entry.request;
        entry.end({ error: runtimeErrors.E_WAIT_CLOSED({ owner, call }) });
      }
    }
  }
}

/** Returns an event that commands and questions can wait for; `undefined` for other events, and for invalid data. */
export function readAwaited(event: string, data: unknown): ReceivedEvent | undefined {
  if (!isAwaited(event)) return undefined;
  const reading = readLeniently(EVENTS[event].payload, data);
  if (!reading.success) return undefined;
  const read: Readonly<Record<string, unknown>> = { ...reading.data };
  // The platform may write an id in capitals.
  const actor = { [ACTORS[event]]: String(read[ACTORS[event]]).toLowerCase() };
  // The schema was chosen by the name of the event: the two belong together.
  return { event, data: { ...read, ...actor }, raw: data } as unknown as ReceivedEvent;
}

/** Returns the id of the user who wrote or reacted. */
export const actorOf = ({ event, data }: ReceivedEvent): string =>
  event === 'MESSAGE_CREATE' ? data.authorId : data.userId;

/** Field with the id of the user who caused an event. */
const ACTORS = {
  MESSAGE_CREATE: 'authorId',
  MESSAGE_REACTION_ADD: 'userId',
  MESSAGE_REACTION_REMOVE: 'userId',
} satisfies Record<AwaitedEvent, string>;
const isAwaited = (event: string): event is AwaitedEvent => Object.hasOwn(ACTORS, event);
