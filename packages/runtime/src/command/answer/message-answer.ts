import { isOutcomeUnknown, sendReconciled } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { createChannel } from '../context/channel-handle.js';
import { isId, isSameId } from '../../options/references.js';
import { scopeOf } from '../lifetime.js';
import type { Answerable } from '../loop-guard.js';
import { NO_TEXT, textOf, type MessageParts } from './answer.js';
import { CommandAnswer } from './command-answer.js';
import type { ReceivedCommand } from './received-command.js';
import { sendReply } from './send-reply.js';
import { nextStep, outcomeOf, type Action } from './transitions.js';
import type { Attempted, WriteOptions } from './sent-message.js';

/** Returns the values of objects that are ids, except some. */
const idsIn = (objects: readonly unknown[], except: readonly (string | undefined)[]) =>
  objects
    .flatMap((each) => Object.values(Object(each)).map(String))
    .filter((id) => isId(id) && !except.some((other) => isSameId(id, other)));

/** A message that runs a command. */
export interface CommandMessage extends ReceivedCommand, Answerable {
  readonly channelId: string;
  readonly message: NonNullable<ReceivedCommand['message']>;
}

/**
 * Answers a command that a message runs: a reply to the message, edits of the reply, and further messages. Endpoint 6 creates
 * the reply once: an unknown outcome is settled by reading the channel. The answer is sent again while the channel shows that it
 * did not arrive, and has failed if the channel shows neither.
 */
export class MessageAnswer extends CommandAnswer {
  declare protected readonly received: CommandMessage;
  /** The latest state, if the answer that it edits cannot be found. */
  #unshown: string | undefined;
  /** The text of the answer that the channel shows, and the id of the message to which the answer replies. */
  #shown: string | undefined;
  #repliesTo: string | undefined;
  #hideTyping: (() => void) | undefined;

  /** Shows the typing indicator until there is an answer. */
  async defer(): Promise<void> {
    if (this.state !== 'received' || this.#hideTyping || this.lifeSignal.aborted) return;
    this.remember('thinking');
    const { typing } = createChannel(this.received.channelId, this.env, scopeOf(this.env.ending));
    void typing.during(new Promise<void>((resolve) => (this.#hideTyping = resolve)));
  }

  override end(): void {
    this.#hideTyping?.();
    super.end();
  }

  override async finish(): Promise<void> {
    const content = this.#unshown;
    // The run waits for the messages of its answer, and shows their failure.
    if (content !== undefined) await this.reply({ content }).catch(() => {});
    await super.finish();
  }

  /** Sends a message, or edits the answer. If the answer cannot be found, a new one has the text; of several states, only the last. */
  protected async attempt(
    action: Action,
    parts: MessageParts,
    { signal = this.env.ending, isState = false }: WriteOptions,
  ): Promise<Attempted> {
    if (this.state === 'failed') throw this.lastFailure;
    const step = nextStep(this.progress, action);
    if (step === 'respond' || step === 'follow-up') return this.#create(parts, step === 'respond');
    const { attachments: files } = parts;
    const content = parts.content || NO_TEXT;
    const { channelId } = this.received;
    this.answerId ??= (await this.#find())?.id;
    this.#unshown = isState && !this.answerId ? content : undefined;
    if (!this.answerId && !isState) return { ...(await this.#create({ content }, true)), files };
    const editing =
      this.answerId &&
      this.env.rest.messages.edit(channelId, this.answerId, { content }, { signal });
    const message = editing ? await this.#call(editing) : undefined;
    return { isAnswer: true, answer: { message: () => message }, files };
  }

  async #create({ content: text, attachments, replyTo }: MessageParts, isAnswer: boolean) {
    const content = textOf({ content: text, attachments });
    const { rest, clock, loops, ending, profile } = this.env;
    const { channelId, message: by, event } = this.received;
    const { interactionId: id } = event;
    const shown = loops?.answer(this.received);
    // A new message is sent to its end: after an abort, it would be unknown whether there is an answer.
    const options = { clock, signal: ending, since: { id, createdAt: by.createdAt } };
    const send = (replyToMessageId?: string): Promise<Message | undefined> =>
      sendReconciled(rest, channelId, { content, attachments, replyToMessageId }, options);
    const isReply = isAnswer && replyTo === undefined;
    try {
      const message = await this.#call(isReply ? sendReply(send, id) : send(replyTo));
      if (isAnswer) {
        this.reached('answered');
        this.answerId = message?.id;
        this.#shown = content;
        this.#repliesTo = isReply ? id : replyTo;
      }
      const held = isAnswer && !message ? { find: () => this.#current() } : undefined;
      return { isAnswer, answer: { message: () => message }, held };
    } catch (error) {
      const isLost = !isOutcomeUnknown(error) || !error.details.repeatIsHarmless;
      if (isAnswer && isLost && outcomeOf(error, profile) === 'unknown') {
        this.reached('failed');
        this.lastFailure = error;
        // An answer whose outcome is unknown must not be sent again.
        this.endWaits();
      }
      throw error;
    } finally {
      shown?.();
      this.#hideTyping?.();
    }
  }

  /**
   * Finds the answer by its text. Returns `undefined` if there are none or several. The fields of `replyTo` are not stated: its
   * own ids count, else those of the objects in it. A message that replies to the same one goes before messages since the command
   * that reply to none, or name only its author.
   */
  async #find(): Promise<Message | undefined> {
    const { rest, me } = this.env;
    const { channelId, event, message: by } = this.received;
    const { messages, hasMore } = await rest.messages.list(channelId);
    const command = messages.find(({ id }) => isSameId(id, event.interactionId));
    // Times of events may have another precision.
    const sinceMs = Date.parse((command ?? by).createdAt);
    // Else, the answer may be on an earlier page.
    const isWhole =
      hasMore === false || messages.some((each) => Date.parse(each.createdAt) < sinceMs);
    const except = [command?.authorId, channelId, event.serverId];
    const idsOf = ({ replyTo }: Message): readonly string[] => {
      const own = idsIn([replyTo], except);
      return own.length > 0 ? own : idsIn(Object.values(replyTo ?? {}), except);
    };
    const own = messages.filter(
      (each) => each.content === this.#shown && !each.isDeleted && isSameId(each.authorId, me.id),
    );
    const replies = own.filter((each) => idsOf(each).some((id) => isSameId(id, this.#repliesTo)));
    const likely = own.filter(
      (each) => isWhole && Date.parse(each.createdAt) >= sinceMs && idsOf(each).length === 0,
    );
    const [first, ...others] = replies.length > 0 ? replies : likely;
    return others.length === 0 ? first : undefined;
  }

  /** Returns the answer as the channel shows it now. */
  #current(): Promise<Message | undefined> {
    const { answerId, received, env } = this;
    return answerId ? env.rest.messages.get(received.channelId, answerId) : this.#find();
  }

  /** Counts a call in the log line of the run. */
  async #call<T>(call: Promise<T>): Promise<T> {
    const { clock } = this.env;
    this.run?.callStarted(clock.monotonic());
    return call.finally(() => this.run?.callEnded('answered', 'done', clock.monotonic()));
  }
}
