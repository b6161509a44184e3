import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { EVENTS, type EventPayloads, type Intent } from '@virgule/core/protocol';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { Deadlines } from '../interaction/deadlines.js';

/** The events that a command can wait for. */
export type AwaitedEvent = 'MESSAGE_CREATE' | 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE';

/** An event that somebody else than this bot caused. */
export type Heard = {
  readonly [Name in AwaitedEvent]: { readonly event: Name; readonly data: EventPayloads[Name] };
}[AwaitedEvent];

export interface WaitRequest {
  /** What waits, as a user wrote it: `confirm()`. */
  readonly call: string;
  readonly commandName: string;
  readonly channelId: string;
  readonly events: readonly AwaitedEvent[];
  readonly withinMs: number;
  readonly signal: AbortSignal;
  readonly onEvent: (heard: Heard) => void;
  /** Called once unless it is closed before: with nothing when the time is over, else with why it ended. */
  readonly onEnd: (reason?: { readonly error: unknown }) => void;
}

/** Every member can be destructured. */
export interface Wait {
  /** Lets `withinMs` begin anew. */
  readonly extend: () => void;
  /** Stops listening. Calling it again does nothing more. */
  readonly close: () => void;
}

export interface WaitsOptions {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly log: Log;
}

/** How many waits there can be at a time, in one channel and in all. */
const CHANNEL_MAX = 25;
const BOT_MAX = 1_000;

/** The intent that brings an event. */
export const intentOf = (event: AwaitedEvent): Intent => EVENTS[event].intent;

interface Entry extends WaitRequest {
  end(reason?: { readonly error: unknown }): void;
}

/** Everything that the commands of one bot wait for. */
export class Waits {
  readonly #options: WaitsOptions;
  readonly #byChannel = new Map<string, Set<Entry>>();
  #count = 0;
  #isClosed = false;

  constructor(options: WaitsOptions) {
    this.#options = options;
  }

  /** How many there are. Events need not be shown while there is none. */
  get count(): number {
    return this.#count;
  }

  /**
   * @throws VirguleError `E_WAITS_FULL` when there are too many already, `E_WAIT_CLOSED` when the bot is
   *   shutting down, and the reason of the signal.
   */
  open(request: WaitRequest): Wait {
    const { call, commandName, channelId, signal, withinMs } = request;
    const { clock, deadlines } = this.#options;
    signal.throwIfAborted();
    if (this.#isClosed) throw runtimeErrors.E_WAIT_CLOSED({ commandName, call });
    const inChannel = this.#byChannel.get(channelId) ?? new Set();
    if (this.#count >= BOT_MAX)
      throw runtimeErrors.E_WAITS_FULL({ commandName, call, max: BOT_MAX, where: 'of this bot' });
    if (inChannel.size >= CHANNEL_MAX)
      throw runtimeErrors.E_WAITS_FULL({
        commandName,
        call,
        max: CHANNEL_MAX,
        where: 'in this channel',
      });

    const until = (): (() => void) =>
      deadlines.add(clock.monotonic() + withinMs, () => entry.end());
    const close = (): void => {
      if (!inChannel.delete(entry)) return;
      this.#count -= 1;
      if (inChannel.size === 0) this.#byChannel.delete(channelId);
      stopDeadline();
      signal.removeEventListener('abort', onAbort);
    };
    const entry: Entry = {
      ...request,
      end(reason) {
        close();
        request.onEnd(reason);
      },
    };
    const onAbort = (): void => entry.end({ error: signal.reason });
    this.#byChannel.set(channelId, inChannel.add(entry));
    this.#count += 1;
    let stopDeadline = until();
    signal.addEventListener('abort', onAbort, { once: true });
    return {
      extend() {
        if (!inChannel.has(entry)) return;
        stopDeadline();
        stopDeadline = until();
      },
      close,
    };
  }

  /** Shows an event to whoever waits for its like. What the bot did itself is nobody's concern. */
  hear(event: string, data: unknown, botUserId: string): void {
    if (!isAwaited(event)) return;
    const channelId = isRecord(data) ? data['channelId'] : undefined;
    const inChannel = typeof channelId === 'string' ? this.#byChannel.get(channelId) : undefined;
    if (!inChannel) return;
    const interested = [...inChannel].filter(({ events }) => events.includes(event));
    if (interested.length === 0) return;
    const parsed = EVENTS[event].payload.safeParse(data);
    if (!parsed.success) {
      this.#options.log.warn(
        { event },
        `The payload of ${event} is not as expected: what waits for it does not see it.`,
      );
      return;
    }
    // The schema was chosen by the name of the event: the two belong together.
    const heard = { event, data: parsed.data } as Heard;
    if (actorOf(heard) === botUserId) return;
    for (const { onEvent } of interested) onEvent(heard);
  }

  /** Ends every wait, for good: the bot shuts down. */
  close(): void {
    this.#isClosed = true;
    for (const inChannel of this.#byChannel.values()) {
      for (const entry of inChannel) {
        const { call, commandName } = entry;
        entry.end({ error: runtimeErrors.E_WAIT_CLOSED({ commandName, call }) });
      }
    }
  }
}

/** Who wrote or reacted. */
export const actorOf = ({ event, data }: Heard): string =>
  event === 'MESSAGE_CREATE' ? data.authorId : data.userId;

const AWAITED = {
  MESSAGE_CREATE: true,
  MESSAGE_REACTION_ADD: true,
  MESSAGE_REACTION_REMOVE: true,
} satisfies Record<AwaitedEvent, true>;
const isAwaited = (event: string): event is AwaitedEvent => Object.hasOwn(AWAITED, event);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
