import type { Intent, ReactionEmoji } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import { warnOnce } from '../warn-once.js';
import type { SentMessage, MessageInput } from '../answer/answer.js';
import { formatDuration, type Duration } from '../../text/duration.js';
import { readDuration } from '../../errors/read-duration.js';
import { checkKeys } from '../../errors/check-keys.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { isSameId } from '../../options/references.js';
import { actorOf, intentOf, type AwaitedEvent, type ReceivedEvent, type Wait } from './waits.js';

export interface Waiter {
  readonly env: BotEnvironment;
  /** Name in errors: `/reset`, or the file of an event. */
  readonly owner: string;
  /** The command or event handler: its file, the intents that it declares, and its timeout in milliseconds from its start. */
  readonly handler: {
    readonly file: string;
    readonly intents: readonly Intent[];
    readonly timeoutMs: number;
  };
  readonly channelId: string;
  /** Returns the id of the author whom `'author'` means. @throws VirguleError `E_AUTHOR_UNKNOWN`. */
  readonly authorId: () => string;
  readonly signal: AbortSignal;
  readonly reply: (input: MessageInput) => Promise<SentMessage>;
}

interface ListenOptions {
  /** Users whose events count. A call has either `by` or `from`. */
  readonly by?: Who;
  readonly from?: Who;
  /** Duration of the wait. Required; checked at run time, because JavaScript may pass anything. */
  readonly within?: Duration | undefined;
  /** @defaultValue the channel of the command or event */
  readonly channelId?: string | undefined;
}

const KEYS = {
  'confirm()': ['by', 'within'],
  'paginate()': ['by', 'within'],
  'reactions()': ['by', 'within', 'filter'],
  'waitForMessage()': ['from', 'within', 'filter', 'channelId'],
};

type EventsOf<Name extends AwaitedEvent> = Extract<ReceivedEvent, { readonly event: Name }>;

/**
 * Checks the options of a call, and returns a function that starts to listen. The checks come before anything is written.
 * Reactions count from this call on, however much later the returned function is called, or from the mark `since`. The returned
 * function takes the `read` of the wait, and a function that returns the id of the message to react to.
 *
 * @throws VirguleError `E_UNKNOWN_KEY` for an option that the call does not have, `E_INTENT_MISSING` if the waiter does not
 * declare the intent of the events, `E_DURATION` if `within` is not a duration.
 */
export function createListener<Name extends AwaitedEvent>(
  call: keyof typeof KEYS,
  events: readonly Name[],
  options: ListenOptions,
  { env, owner, handler, signal, authorId, ...waiter }: Waiter,
  since = env.waits.mark,
) {
  const { file, intents, timeoutMs } = handler;
  const { within, channelId = waiter.channelId } = options;
  // JavaScript may pass any key. A misspelled `by` must not mean `'anyone'`.
  checkKeys(`${call} in ${file}`, options, KEYS[call]);
  const isExpected = listensTo(options, authorId);
  const missing = events.map(intentOf).find((intent) => !intents.includes(intent));
  if (missing) throw runtimeErrors.E_INTENT_MISSING({ call, owner, file, intent: missing });
  const withinMs = readDuration(within, call);
  if (withinMs >= timeoutMs) {
    const [wait, timeout] = [formatDuration(withinMs), formatDuration(timeoutMs)];
    const err = runtimeErrors.E_TIMEOUT_TOO_SHORT({ file, call, wait, timeout });
    const command = owner.startsWith('/') ? owner.slice(1) : undefined;
    warnOnce(env.log, { command, file, err }, err.message, `${file} ${call}`);
  }
  const sinceMs = env.clock.monotonic();
  return <Item extends object>(
    read: (received: EventsOf<Name>, mark: number) => Item | undefined,
    messageId?: () => string | undefined,
  ): Wait<Item> =>
    env.waits.open<Item>({
      call,
      owner,
      channelId,
      events,
      withinMs,
      signal,
      since,
      sinceMs,
      messageId,
      read(received, mark) {
        // Only events of these names are delivered.
        const item = isExpected(actorOf(received)) && read(received as EventsOf<Name>, mark);
        if (item) env.consumed?.(received.event, received.raw);
        return item || undefined;
      },
    });
}

/** Answers to a question under its message. */
export const YES = '✅';
export const NO = '❌';

/** Returns an emoji without the selector of its colored form or its text form. Platforms keep or drop these characters. */
export const plainEmoji = (emoji: string): string => emoji.replaceAll(/[\ufe0e\ufe0f]/g, '');

/** Returns whether a reaction is a unicode emoji, regardless of its `kind`. */
export const isEmoji = ({ unicodeEmoji }: ReactionEmoji, emoji: string): boolean =>
  unicodeEmoji !== undefined && plainEmoji(unicodeEmoji) === plainEmoji(emoji);

/** Users that a command listens to: all users except the bot itself, its author, or the users with the listed ids. */
export type Who = 'anyone' | 'author' | readonly string[];

/**
 * Returns a test for user ids, from the member `by` or `from` of the options. Without the member, every user passes. No user
 * passes for a member of `undefined`, which JavaScript may pass against the types: the user is unknown then, and a confirmation
 * by anyone would be unsafe. A string is the id of one user.
 */
function listensTo(options: ListenOptions, authorId: () => string): (userId: string) => boolean {
  const who = 'from' in options ? options.from : 'by' in options ? options.by : 'anyone';
  const counted = who === 'author' ? [authorId()] : (who ?? []);
  return (userId) => passes(counted, userId);
}

/** Returns whether a user is one of the users that count. A string is the id of one user. */
export const passes = (who: string | readonly string[], userId: string): boolean =>
  who === 'anyone' || [who].flat().some((id) => isSameId(id, userId));
