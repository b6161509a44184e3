import { sendReconciled } from '@virgule/client/rest';
import { linkSignals } from '@virgule/core/abort';
import { readableError } from '@virgule/core/errors';
import { TYPING_MS, type Message } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import {
  splitMessage,
  textOf,
  toParts,
  warnUnsupported,
  type MessageParts,
  type SentMessage,
} from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import { sentPage, TextAppender } from '../answer/append-text.js';
import type { CallParent } from './call.js';
import type { CallScope } from '../lifetime.js';
import { pursue } from '../answer/pursue.js';
import { Sent } from '../answer/sent-message.js';
import { readConversation } from './channel-history.js';
import { lostText, WatchedPromise } from './watched-promise.js';
import type { ChannelHandle, ChannelOf, Typing } from './shared-context.js';

/** Settings of a handle. */
interface ChannelSettings {
  /** Command or file whose code sends. @defaultValue 'the bot' */
  readonly owner?: string | undefined;
  /** Scope that ends the streams of `append`. @defaultValue streams end with the other calls */
  readonly streams?: CallScope | undefined;
  /**
   * Run that counts messages. `showing` returns a function to call after the message was sent, and throws if nothing may be sent.
   * `atEnd` calls a function when the handler has ended.
   */
  readonly run?:
    | (Pick<CallParent, 'showing' | 'remember' | 'finish'> & {
        readonly atEnd?: ((note: () => void) => void) | undefined;
      })
    | undefined;
  /**
   * Older message, after which a message with an unknown outcome is searched; `null` if it is read from the channel before each
   * message. @defaultValue such a message is not searched
   */
  readonly since?: Message | null | undefined;
  /** Message with which the history ends. @defaultValue the newest message */
  readonly newest?: Message | undefined;
}

/** Time without text after which an event handler that appends shows that it is typing, in milliseconds. */
const THINKING_MS = 500;
/** Share of its time after which the typing indicator is shown again. */
const AGAIN_AFTER = 0.6;

/** The part of the environment that a channel needs; services have no more. */
type ChannelEnvironment = Pick<
  BotEnvironment,
  'rest' | 'clock' | 'random' | 'profile' | 'activity' | 'log'
> &
  Partial<Pick<BotEnvironment, 'me' | 'ownTexts'>>;

/** Creates the handle of a channel. `lifetime` ends its calls. */
export function createChannel(
  id: string,
  env: ChannelEnvironment,
  lifetime: CallScope,
  { owner = 'the bot', streams = lifetime, run, since, newest }: ChannelSettings = {},
): ChannelHandle {
  const { rest, clock, random, profile, activity } = env;
  let typing: Typing | undefined;

  async function sendOne(parts: MessageParts): Promise<SentMessage> {
    const { files, attachments, replyTo } = parts;
    const content = textOf(parts);
    const common = { content, attachments, replyToMessageId: replyTo };
    const body = files ? { ...common, files } : common;
    run?.remember?.();
    const sent = run?.showing?.('message');
    env.ownTexts?.add(content);
    const message = await lifetime
      .during((signal) =>
        since === undefined
          ? rest.messages.send(id, body, { signal })
          : sendReconciled(rest, id, body, { signal, clock, since: since ?? undefined }),
      )
      .finally(sent);
    return new Sent({ rest, channelId: id, content, known: message, noted: run });
  }

  async function send(parts: MessageParts): Promise<SentMessage> {
    warnUnsupported(parts, undefined, env.log);
    const [first, ...others] = splitMessage(parts);
    const sent = await sendOne(first);
    for (const message of others) await sendOne(message);
    return sent;
  }

  async function append(source: TextSource, replyTo?: string): Promise<readonly SentMessage[]> {
    const untilMs = clock.monotonic() + profile.deferredWindowMs;
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    if (run?.showing) {
      run.showing('typing');
      void createTyping(id, env, streams, THINKING_MS).during(begun);
    }
    const page = (to?: string) =>
      sentPage((content) => {
        begin();
        return sendOne({ content, replyTo: to });
      });
    return streams
      .during((signal) =>
        new TextAppender({
          answer: page(replyTo),
          next: page,
          pursue: (call, stopped) =>
            pursue(call, () => ({ clock, random, untilMs, signal: stopped })),
          clock,
          intervalMs: profile.editIntervalMs,
          signal,
          ready: () => null,
        }).append(source),
      )
      .finally(begin);
  }

  /** Makes the bot wait for messages, and reports a failure that no code awaits. */
  const sending = <Result>(call: Promise<Result>): Promise<Result> =>
    WatchedPromise.watch(activity.hold(call), (error, watched) => {
      const details = { channelId: id, err: readableError(error) };
      const note = (): void => {
        if (!watched.isAwaited) env.log.warn(details, lostText(owner, error));
      };
      // The handler may wait for the message later.
      if (run?.atEnd) run.atEnd(note);
      else note();
    });

  return {
    id,
    send: (input) => sending(send(toParts(input))),
    append: (source, { replyTo } = {}) => sending(append(source, replyTo)),
    history: (options) =>
      streams.during(async (signal) => {
        const meId = env.me?.id || (await rest.users.me({ signal })).botUserId;
        return readConversation(rest.messages, id, options, { meId, newest, signal });
      }),
    get typing() {
      run?.showing?.('typing');
      return (typing ??= createTyping(id, env, lifetime));
    },
  };
}

/** Returns the `channel` function of a context. The parameters are passed to each handle. */
export const channelsOf = (
  env: ChannelEnvironment,
  lifetime: CallScope,
  sending: ChannelSettings,
): ChannelOf => {
  const channel: (id: string) => ChannelHandle = (id) => createChannel(id, env, lifetime, sending);
  // The type of `name` differs from a function's name on purpose.
  return channel as ChannelOf;
};

/** Creates the typing indicator of a channel. `during` shows it after `delayMs`. */
function createTyping(
  channelId: string,
  { rest, clock }: ChannelEnvironment,
  lifetime: CallScope,
  delayMs = 0,
): Typing {
  const show = (signal: AbortSignal): Promise<void> => rest.channels.typing(channelId, { signal });
  const typing = (): Promise<void> => lifetime.during(show);
  typing.during = async <Result>(
    work: PromiseLike<Result> | (() => Result),
  ): Promise<Awaited<Result>> => {
    const done = new AbortController();
    // Repeats until the work is done, the scope is stopped, or the platform refuses.
    const repeating = lifetime.during(async (stop) => {
      const link = linkSignals(stop, done.signal);
      const { signal } = link;
      try {
        if (delayMs > 0) await clock.sleep(delayMs, { signal });
        while (!signal.aborted) {
          await show(signal);
          await clock.sleep(TYPING_MS * AGAIN_AFTER, { signal });
        }
      } finally {
        link.unlink();
      }
    });
    repeating.catch(() => {});
    try {
      return await (typeof work === 'function' ? work() : work);
    } finally {
      done.abort();
    }
  };
  return typing;
}
