import { isApiRefused, isOutcomeUnknown, sendReconciled } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { createChannel } from '../context/channel-handle.js';
import type { BotEnvironment } from '../environment.js';
import type { OpenInteraction } from '../interaction-journal.js';
import { createController, scopeOf } from '../lifetime.js';
import type { Answerable } from '../loop-guard.js';
import { NO_TEXT, type MessageParts } from './answer.js';
import type { AnswerPort, WriteOptions, Written } from './answer-port.js';
import type { CallingRun } from './interaction-calls.js';
import { PlainAnswer } from './plain-answer.js';
import { pursue, type Pursue } from './pursue.js';
import { outcomeOf } from './transitions.js';

/** A message that runs a command. */
export interface CommandMessage extends Answerable, Pick<Message, 'id' | 'createdAt'> {
  readonly channelId: string;
  readonly serverId: string;
  /** Name of the command. */
  readonly name: string;
}

/**
 * Answers a command that a message runs: a reply to the message, edits of the reply, and further messages. Endpoint 6 creates
 * the reply once: an unknown outcome is settled by reading the channel. The answer is sent again while the channel shows that it
 * did not arrive, and has failed if the channel shows neither.
 */
export class MessageAnswer extends PlainAnswer implements AnswerPort {
  readonly #to: CommandMessage;
  readonly #env: BotEnvironment;
  readonly #run: CallingRun | undefined;
  readonly #life = createController();
  /** Error of the answer, if it is unknown whether the answer exists. */
  #lost: { readonly error: unknown } | undefined;
  /** The answer, if the platform has returned it. */
  #sent: Pick<Message, 'id'> | undefined;
  #open: { readonly shows: OpenInteraction['shows']; readonly forget: () => void } | undefined;
  /** The latest state, if the answer that it edits cannot be found. */
  #unshown: string | undefined;
  #hideTyping: (() => void) | undefined;

  /**
   * @param run - is notified of every call; its open states are written to the journal.
   * @param left - the answer that an ended process has left.
   */
  constructor(
    to: CommandMessage,
    env: BotEnvironment,
    run?: CallingRun,
    left?: Pick<OpenInteraction, 'shows' | 'message'>,
  ) {
    super(to.name, env.log);
    const id = left?.message?.answerId;
    this.#sent = id === undefined ? undefined : { id };
    if (left && left.shows !== 'thinking') this.state = 'answered';
    this.#to = to;
    this.#env = env;
    this.#run = run;
    const { ending } = env;
    ending.addEventListener('abort', () => this.#life.abort(), { signal: this.#life.signal });
  }

  /** Shows the typing indicator until there is an answer. */
  async defer(): Promise<void> {
    if (this.state !== 'received' || this.#hideTyping || this.#life.signal.aborted) return;
    this.remember('thinking');
    const { typing } = createChannel(this.#to.channelId, this.#env, scopeOf(this.#env.ending));
    void typing.during(new Promise<void>((resolve) => (this.#hideTyping = resolve)));
  }

  autoDefer(isSilent = false): void {
    if (!isSilent) void this.defer();
  }

  readonly pursue: Pursue = (call, { signal }) =>
    pursue(call, () => {
      const { clock, random, profile } = this.#env;
      const untilMs = this.#lost ? -Infinity : this.#to.receivedAtMs + profile.deferredWindowMs;
      return { clock, random, untilMs, signal, onWait: this.#run?.onRetry };
    });

  end(): void {
    this.#hideTyping?.();
    this.#life.abort();
    // As for a slash: an unfinished state at the end of the bot stays in the journal.
    if (!this.#env.ending.aborted || this.#open?.shows === 'answer') this.#forget();
  }

  override remember(shows: OpenInteraction['shows']): void {
    const { journal, clock } = this.#env;
    if (!journal || !this.#run || this.#open?.shows === shows) return;
    const { id: interactionId, serverId, channelId, name, createdAt } = this.#to;
    const message = { createdAt, answerId: this.#sent?.id };
    const open = { interactionId, serverId, channelId, name, shows, atMs: clock.now(), message };
    this.#open = { shows, forget: journal.open(interactionId, open) };
  }

  #forget(): void {
    this.#open?.forget();
    this.#open = undefined;
  }

  protected async deliver(
    parts: MessageParts,
    isAnswer: boolean,
    { signal, isState = false }: WriteOptions,
  ): Promise<Pick<Written, 'answer'>> {
    const isEdit = isAnswer && this.state === 'answered';
    // A new message is sent to its end: after an abort, it would be unknown whether there is an answer.
    const step = (): Promise<Message | undefined> =>
      isEdit
        ? this.#edit(parts.content || NO_TEXT, isState, signal)
        : this.#create(parts, isAnswer);
    const message = await (signal ? step() : this.pursue(step, this.#life));
    const { attachments } = parts;
    if (isEdit && attachments?.length)
      await this.pursue(() => this.#create({ content: '', attachments }, false), this.#life);
    if (isAnswer) {
      this.#sent = message ?? this.#sent;
      if (isState) this.remember('state');
      else if (signal || this.#env.asksQuestions) this.remember('answer');
      else this.#forget();
    }
    return { answer: { message: () => message } };
  }

  async #create(
    { content, attachments, replyTo }: MessageParts,
    isAnswer: boolean,
  ): Promise<Message | undefined> {
    const { rest, clock, loops, ownTexts, ending, profile } = this.#env;
    const { channelId, id } = this.#to;
    // An answer whose outcome is unknown must not be sent again.
    if (this.#lost) throw this.#lost.error;
    const shown = loops?.answer(this.#to);
    ownTexts.add(content.trim());
    try {
      const options = { clock, signal: ending, since: this.#to };
      const send = (replyToMessageId?: string): Promise<Message | undefined> =>
        sendReconciled(rest, channelId, { content, attachments, replyToMessageId }, options);
      const isReply = isAnswer && replyTo === undefined;
      const sending = send(isReply ? id : replyTo).catch((error: unknown) => {
        // The message of the command may be deleted. How the platform refuses such a reply is assumed.
        if (isReply && isApiRefused(error)) return send();
        throw error;
      });
      const message = await this.#call(sending);
      if (isAnswer) this.state = 'answered';
      return message;
    } catch (error) {
      const isLost = !isOutcomeUnknown(error) || !error.details.repeatIsHarmless;
      if (isAnswer && isLost && outcomeOf(error, profile) === 'unknown') {
        this.state = 'failed';
        this.#lost = { error };
      }
      throw error;
    } finally {
      shown?.();
      this.#hideTyping?.();
    }
  }

  override async finish(): Promise<void> {
    await super.finish();
    const content = this.#unshown;
    // The run waits for the messages of its answer, and shows their failure.
    if (content !== undefined) void this.reply({ content }).catch(() => {});
    if (this.#open?.shows === 'answer') this.#forget();
    await this.#env.journal?.written();
  }

  /** Edits the answer. If the answer cannot be found, a new message has the text; of several states, only the last one. */
  async #edit(
    content: string,
    isState: boolean,
    signal = this.#env.ending,
  ): Promise<Message | undefined> {
    const { rest } = this.#env;
    const { channelId } = this.#to;
    this.#sent ??= await this.#find();
    this.#unshown = isState && !this.#sent ? content : undefined;
    if (this.#sent)
      return this.#call(rest.messages.edit(channelId, this.#sent.id, { content }, { signal }));
    return isState ? undefined : this.#create({ content }, true);
  }

  /** Finds the answer by its text among the messages after the command; `undefined` if there are none or several. */
  async #find(): Promise<Message | undefined> {
    const { rest, me } = this.#env;
    const { channelId, id } = this.#to;
    const { messages } = await rest.messages.list(channelId);
    const since = messages.findIndex((message) => message.id === id);
    const found = messages
      .slice(0, since < 0 ? undefined : since)
      .filter(({ authorId, content }) => authorId === me.id && content === this.content);
    return found.length === 1 ? found[0] : undefined;
  }

  /** Counts a call in the log line of the run. */
  async #call<T>(call: Promise<T>): Promise<T> {
    const { clock } = this.#env;
    this.#run?.callStarted(clock.monotonic());
    return call.finally(() => this.#run?.callEnded('answered', 'done', clock.monotonic()));
  }
}
