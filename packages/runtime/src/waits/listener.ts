import type { Clock } from '@virgule/core/clock';
import type { Intent, Profile } from '@virgule/core/protocol';
import type { SentMessage } from '../context/sent-message.js';
import type { MessageInput } from '../define/answer.js';
import { durationMs, type Duration } from '../define/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { intentOf, type AwaitedEvent, type ReceivedEvent, type Waits } from './waits.js';

/** What waits: a running command, or the handler of an event. */
export interface Waiter {
  readonly env: { readonly waits: Waits; readonly clock: Clock; readonly profile: Profile };
  /** What errors call it: `/reset`, or the file of an event. */
  readonly owner: string;
  /** Path of its file, for the error that names the line to add. */
  readonly file: string;
  /** The intents that it declares. */
  readonly intents: readonly Intent[];
  readonly channelId: string;
  readonly signal: AbortSignal;
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
  /** Called when a wait begins. */
  readonly onWait?: (call: string, withinMs: number) => void;
}

export interface ListenerOptions {
  /** The call that waits, as its author wrote it: `confirm()`. */
  readonly call: string;
  readonly events: readonly AwaitedEvent[];
  /** Checked here: JavaScript may pass anything, or nothing. */
  readonly within: Duration | undefined;
  /** A reading of `Waits.mark`: reactions count from there on. @defaultValue from now on */
  readonly since?: number | undefined;
  /** @defaultValue the channel of the command or event */
  readonly channelId?: string | undefined;
}

/** What arrived for one call. Every member can be destructured. */
export interface Inbox<Item> {
  /** Resolves to the next item; `null` when the time is over. Rejects with why it ended before. */
  readonly next: () => Promise<Item | null>;
  /** Restarts the time. */
  readonly extend: () => void;
  /** Stops listening. */
  readonly close: () => void;
}

/** The maximum number of items that wait for a busy loop; later ones are dropped. */
const MAX_WAITING = 1_000;

/**
 * Returns a function that listens, after all checks that need nothing to be written or waited for. Reactions
 * count from here on, however much later it is called, or from `since`. It is given a function that returns
 * the item of an event, or `undefined` if it does not count; what that throws ends the wait.
 *
 * @throws VirguleError `E_INTENT_MISSING` when the waiter does not declare the intent that brings
 *   the events, `E_DURATION` if `within` is not a duration.
 */
export function createListener(
  { call, events, within, since, channelId }: ListenerOptions,
  { env, owner, file, intents, signal, onWait, ...waiter }: Waiter,
) {
  const missing = events.map(intentOf).find((intent) => !intents.includes(intent));
  if (missing) throw runtimeErrors.E_INTENT_MISSING({ call, owner, file, intent: missing });
  const withinMs = durationMs(within);
  if (withinMs === undefined) throw runtimeErrors.E_DURATION({ saw: String(within), call });
  onWait?.(call, withinMs);
  const request = {
    call,
    owner,
    channelId: channelId ?? waiter.channelId,
    events,
    withinMs,
    signal,
    since: since ?? env.waits.mark,
  };
  return <Item extends object>(
    read: (received: ReceivedEvent, mark: number) => Item | undefined,
  ): Inbox<Item> => {
    const waiting: Item[] = [];
    let ended: { readonly reason: { readonly error: unknown } | undefined } | undefined;
    let wake = (): void => {};
    const onEnd = (reason?: { readonly error: unknown }): void => {
      ended = { reason };
      wake();
    };
    const { extend, close } = env.waits.open({
      ...request,
      onEvent(received, mark) {
        try {
          const item = read(received, mark);
          if (item !== undefined && waiting.length < MAX_WAITING) waiting.push(item);
        } catch (error) {
          close();
          onEnd({ error });
        }
        wake();
      },
      onEnd,
    });
    async function next(): Promise<Item | null> {
      for (;;) {
        const item = waiting.shift();
        if (item) return item;
        if (ended?.reason) throw ended.reason.error;
        if (ended) return null;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return { next, extend, close };
  };
}
