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

/** How a `Channel` sends. */
export interface ChannelSending {
  /** Ends its streams before its calls end. @defaultValue they end with the calls */
  readonly streams?: CallScope | undefined;
  /** Counts what it shows. `showing` returns a function to call when it was sent, and throws if it must not be. */
  readonly run?: { showing(what: 'message' | 'typing'): (() => void) | undefined } | undefined;
  /** Whether the channel is searched for a message whose outcome is unknown, for runs that are repeated. @defaultValue false */
  readonly reconciles?: boolean | undefined;
}

/** It is shown again when this share of its time has passed. */
const AGAIN_AFTER = 0.6;

/** Creates messages in a channel. */
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

  /** Created on first use: a function with members costs more than a command that answers at once. */
  get typing(): Typing {
    this.#sending.run?.showing('typing');
    return (this.#typing ??= createTyping(this.id, this.#env, this.#lifetime));
  }

  /** Lets a shutdown wait for a call, whether the handler does or not. */
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

/** Returns the `channel` of a context. Its parameters are those of a `Channel`. */
export const channelsOf = (
  env: BotEnvironment,
  lifetime: CallScope,
  sending?: ChannelSending,
): ChannelOf => {
  const channel: (id: string) => ChannelHandle = (id) => new Channel(id, env, lifetime, sending);
  // Its name has another type on purpose.
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
    // Until the work is done, the scope is stopped or the platform refuses.
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
