import { sendReconciled } from '@virgule/client/rest';
import { linkSignals } from '@virgule/core/abort';
import { TYPING_MS } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import {
  splitMessage,
  toParts,
  warnUnsupported,
  type MessageParts,
  type SentMessage,
} from '../answer/answer.js';
import type { TextSource } from '../answer/text-source.js';
import { sentPage, TextAppender } from '../answer/append-text.js';
import type { CallScope } from '../lifetime.js';
import { pursue } from '../answer/pursue.js';
import { Sent } from '../answer/sent-message.js';
import type { ChannelHandle, ChannelOf, Typing } from './shared-context.js';

/** Settings of a `Channel` for sending. */
export interface ChannelSending {
  /** Scope that ends the streams of `append`. @defaultValue streams end with the other calls */
  readonly streams?: CallScope | undefined;
  /** Run that counts messages. `showing` returns a function to call after the message was sent, and throws if nothing may be sent. */
  readonly run?: { showing(what: 'message' | 'typing'): (() => void) | undefined } | undefined;
  /** `true` if a message with an unknown outcome is searched in the channel, for runs that are repeated. @defaultValue false */
  readonly reconciles?: boolean | undefined;
}

/** Share of its time after which the typing indicator is shown again. */
const AGAIN_AFTER = 0.6;

export class Channel implements ChannelHandle {
  readonly id: string;
  readonly #env: BotEnvironment;
  readonly #lifetime: CallScope;
  readonly #sending: ChannelSending;
  #typing: Typing | undefined;

  /** @param lifetime - ends the calls of the handle. */
  constructor(id: string, env: BotEnvironment, lifetime: CallScope, sending: ChannelSending = {}) {
    this.id = id;
    this.#env = env;
    this.#lifetime = lifetime;
    this.#sending = sending;
  }

  get send(): ChannelHandle['send'] {
    return (input) => this.#held(this.#send(toParts(input)));
  }

  get append(): ChannelHandle['append'] {
    return (source, { replyTo } = {}) => this.#held(this.#append(source, replyTo));
  }

  /** Shows that the bot is typing. Created on first use: a function with members costs more than a short command. */
  get typing(): Typing {
    this.#sending.run?.showing('typing');
    return (this.#typing ??= createTyping(this.id, this.#env, this.#lifetime));
  }

  /** Makes a shutdown wait for a call, also if the handler does not await the call. */
  #held<T>(call: Promise<T>): Promise<T> {
    this.#env.activity.hold(call);
    return call;
  }

  async #append(source: TextSource, replyTo: string | undefined): Promise<readonly SentMessage[]> {
    const { clock, random, profile } = this.#env;
    const untilMs = clock.monotonic() + profile.deferredWindowMs;
    const { streams = this.#lifetime } = this.#sending;
    return streams.during((signal) =>
      new TextAppender({
        answer: sentPage((content) => this.#sendOne({ content, replyTo })),
        next: () => sentPage((content) => this.#sendOne({ content })),
        pursue: (call, { signal: stopped }) =>
          pursue(call, () => ({ clock, random, untilMs, signal: stopped })),
        clock,
        intervalMs: profile.editIntervalMs,
        signal,
        ready: () => null,
      }).append(source),
    );
  }

  async #send(parts: MessageParts): Promise<SentMessage> {
    warnUnsupported(parts, undefined, this.#env.log);
    const [first, ...others] = splitMessage(parts);
    const sent = await this.#sendOne(first);
    for (const message of others) await this.#sendOne(message);
    return sent;
  }

  async #sendOne({ content, files, attachments, replyTo }: MessageParts): Promise<SentMessage> {
    const { rest, clock } = this.#env;
    const common = { content, attachments, replyToMessageId: replyTo };
    const body = files ? { ...common, files } : common;
    const { reconciles, run } = this.#sending;
    const sent = run?.showing('message');
    const message = await this.#lifetime
      .during((signal) =>
        reconciles
          ? sendReconciled(rest, this.id, body, { signal, clock })
          : rest.messages.send(this.id, body, { signal }),
      )
      .finally(sent);
    return new Sent({ rest, channelId: this.id, content, known: message });
  }
}

/** Returns the `channel` function of a context. The parameters are passed to each `Channel`. */
export const channelsOf = (
  env: BotEnvironment,
  lifetime: CallScope,
  sending?: ChannelSending,
): ChannelOf => {
  const channel: (id: string) => ChannelHandle = (id) => new Channel(id, env, lifetime, sending);
  // The type of `name` differs from a function's name on purpose.
  return channel as ChannelOf;
};

function createTyping(
  channelId: string,
  { rest, clock }: BotEnvironment,
  lifetime: CallScope,
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
