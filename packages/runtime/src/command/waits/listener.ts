import type { Intent, ReactionEmoji } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import { isFirst } from '../is-first.js';
import type { SentMessage, MessageInput } from '../answer/answer.js';
import { durationMs, formatDuration, type Duration } from '../../text/duration.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { actorOf, intentOf, type AwaitedEvent, type ReceivedEvent, type Wait } from './waits.js';

/** What waits: a running command, or the handler of an event. */
export interface Waiter {
  readonly env: BotEnvironment;
  /** What errors call it: `/reset`, or the file of an event. */
  readonly owner: string;
  /** Path of its file, for the error that names the line to add. */
  readonly file: string;
  /** The intents that it declares. */
  readonly intents: readonly Intent[];
  readonly channelId: string;
  readonly signal: AbortSignal;
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
  /** When it ends, in milliseconds from its start. */
  readonly timeoutMs?: number;
}

/** Options of a call that waits. */
interface ListenOptions {
  /** Whose events count; the call has one of both. */
  readonly by?: Who;
  readonly from?: Who;
  /** Checked here: JavaScript may pass anything, or nothing. */
  readonly within?: Duration | undefined;
  /** @defaultValue the channel of the command or event */
  readonly channelId?: string | undefined;
}

/** The calls that wait, with the keys of their options. */
const KEYS = {
  'confirm()': ['by', 'within'],
  'paginate()': ['by', 'within'],
  'reactions()': ['by', 'within', 'filter'],
  'waitForMessage()': ['from', 'within', 'filter', 'channelId'],
};

/** The events of some names. */
type EventsOf<Name extends AwaitedEvent> = Extract<ReceivedEvent, { readonly event: Name }>;

/**
 * Returns a function that listens, after all checks that need nothing to be written or waited for. Reactions
 * count from here on, however much later it is called, or from `since`. It is given the `read` of the wait, and the
 * message that it is about.
 *
 * @throws VirguleError `E_UNKNOWN_KEY` for an option that the call does not have, `E_INTENT_MISSING` when the waiter does not declare the intent that brings
 *   the events, `E_DURATION` if `within` is not a duration.
 */
export function createListener<Name extends AwaitedEvent>(
  call: keyof typeof KEYS,
  events: readonly Name[],
  options: ListenOptions,
  { env, owner, file, intents, signal, timeoutMs = Infinity, ...waiter }: Waiter,
  since = env.waits.mark,
) {
  const { within, channelId = waiter.channelId } = options;
  // JavaScript may pass any. A misspelled `by` must not mean anyone.
  const known: readonly string[] = KEYS[call];
  const key = Object.keys(options).find((each) => !known.includes(each));
  if (key !== undefined)
    throw runtimeErrors.E_UNKNOWN_KEY({ file: `${call} in ${file}`, key, known });
  const isExpected = listensTo(options);
  const missing = events.map(intentOf).find((intent) => !intents.includes(intent));
  if (missing) throw runtimeErrors.E_INTENT_MISSING({ call, owner, file, intent: missing });
  const withinMs = durationMs(within);
  if (withinMs === undefined) throw runtimeErrors.E_DURATION({ saw: String(within), call });
  if (withinMs >= timeoutMs) {
    const [wait, timeout] = [formatDuration(withinMs), formatDuration(timeoutMs)];
    const err = runtimeErrors.E_TIMEOUT_TOO_SHORT({ file, call, wait, timeout });
    if (isFirst(env.log, `${file} ${call}`))
      env.log.warn(
        { command: owner.startsWith('/') ? owner.slice(1) : undefined, file, err },
        err.message,
      );
  }
  const request = {
    call,
    owner,
    channelId,
    events,
    withinMs,
    signal,
    since,
    sinceMs: env.clock.monotonic(),
  };
  return <Item extends object>(
    read: (received: EventsOf<Name>, mark: number) => Item | undefined,
    messageId?: () => string | undefined,
  ): Wait<Item> =>
    env.waits.open<Item>({
      ...request,
      messageId,
      read: (received, mark) =>
        // Only events of these names are delivered.
        isExpected(actorOf(received)) ? read(received as EventsOf<Name>, mark) : undefined,
    });
}

/** Requests the colored form; platforms keep or drop it. */
const VARIATION = /\ufe0f/g;

/** Returns whether a reaction is this unicode emoji, whatever its `kind` is. */
export function isEmoji({ unicodeEmoji }: ReactionEmoji, emoji: string): boolean {
  return unicodeEmoji?.replace(VARIATION, '') === emoji.replace(VARIATION, '');
}

/** Whom a command listens to: all users except the bot itself, or those with these ids. */
export type Who = 'anyone' | readonly string[];

/**
 * Returns a test for user ids, from the member `by` or `from` of some options. Without the member it is anyone. A
 * member of `undefined`, which JavaScript may pass against the types, is no one: the user is unknown
 * then, and a confirmation by anyone would be unsafe. A single id is that user.
 */
function listensTo(options: ListenOptions): (userId: string) => boolean {
  const who = 'from' in options ? options.from : 'by' in options ? options.by : 'anyone';
  if (who === 'anyone') return () => true;
  const ids = new Set<string>(typeof who === 'string' ? [who] : who);
  return (userId) => ids.has(userId);
}
