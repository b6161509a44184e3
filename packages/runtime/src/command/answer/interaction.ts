import type { SentAnswer } from '@virgule/client/rest';
import { errorText } from '@virgule/core/errors';
import type { AnswerPort, WriteOptions, Written } from './answer-port.js';
import { checkMessage, NO_TEXT, type MessageParts } from './answer.js';
import { InteractionCalls } from './interaction-calls.js';
import { pursue, waitToRetry } from './pursue.js';
import { Turns } from './turns.js';
import {
  nextStep,
  outcomeOf,
  saysNothingThere,
  type Action,
  type InteractionState,
} from './transitions.js';

/** A written message, with the files that still have to follow. */
interface Attempted extends Omit<Written, 'content'> {
  readonly files?: MessageParts['attachments'];
}

/**
 * The interaction of one run of a command. Messages are sent in their order, one call at a time; the state decides each call
 * just before it is sent. A failed message is repeated until the window ends or the bot drains. A defer can be sent while a
 * message waits for its next attempt, and an answer while a defer waits.
 */
export class Interaction extends InteractionCalls implements AnswerPort {
  /** Lock that one call holds, so that an answer never overtakes a defer in flight. */
  readonly #calls = new Turns();
  /** `true` while a defer waits for another attempt. */
  #isDeferring = false;

  get isAnsweredBefore(): boolean {
    return this.progress.hasAnswer && this.content === undefined;
  }

  async finish(): Promise<void> {
    this.isUnfinished = false;
    this.forget();
    await this.env.journal?.written();
  }

  /**
   * Shows the thinking state, unless something was sent before. Resolves when it is visible, or when the call has to wait for
   * another attempt; the attempts continue in the background until there is an answer.
   */
  defer(): Promise<void> {
    if (this.#isDeferring) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onWait = (): void => {
        this.#isDeferring = true;
        resolve();
      };
      this.#inTurn(() => this.open('defer'), onWait).then(resolve, (error: unknown) => {
        // A defer that fails after the end of the run is not needed.
        if (this.#isDeferring && !this.lifeSignal.aborted) this.#noteUndeferred(error);
        this.#isDeferring = false;
        reject(error);
      });
    });
  }

  /** Keeps the interaction open, in the background; a failure is logged. */
  autoDefer(isSilent = false): void {
    const deferring = isSilent ? this.acknowledge() : this.defer();
    deferring.catch((error: unknown) => this.#noteUndeferred(error));
  }

  /** Stops the expiry without showing anything, unless something was sent before. */
  acknowledge(): Promise<void> {
    return this.#inTurn(() => this.open('acknowledge'));
  }

  async replaceThinking(content: string): Promise<void> {
    await this.#inTurn(() => this.#edit({ content }, undefined)).catch((error: unknown) => {
      if (!saysNothingThere(error, this.env.profile)) throw error;
    });
  }

  write(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send('write', parts, options);
  }

  reply(parts: MessageParts): Promise<Written> {
    return this.#send('reply', parts, {});
  }

  /** Repeats a call of the command until the call succeeds, the window ends, the bot drains, or the signal is aborted. */
  pursue<T>(call: () => Promise<T>, { signal }: { readonly signal: AbortSignal }): Promise<T> {
    return pursue(call, () => this.pursuit(signal));
  }

  /** Makes calls when no other call is in flight, and repeats them. `onWait` is called before each wait. */
  async #inTurn<T>(calls: () => Promise<T>, onWait?: () => void): Promise<T> {
    for (let failures = 0; ; failures += 1) {
      try {
        // Most calls find the lock free; they need not await it.
        const turn = this.#calls.take();
        if (turn) await turn;
        try {
          await this.recheck();
          return await calls();
        } finally {
          this.#calls.pass();
        }
      } catch (error) {
        await waitToRetry(error, failures, () => this.pursuit(undefined, onWait));
      }
    }
  }

  async #send(action: Action, parts: MessageParts, options: WriteOptions): Promise<Written> {
    const { signal, isState = false } = options;
    const turn = this.messages.take();
    if (turn) await turn;
    try {
      checkMessage(parts, this.commandName, this.env.log);
      if (isState) this.remember('state');
      else if (this.env.asksQuestions && this.state === 'received') this.remember('answer');
      let attempted: Attempted | undefined;
      // Repeats the loop of `#inTurn` for speed: every command runs this code.
      for (let failures = 0; !attempted; failures += 1) {
        try {
          const free = this.#calls.take();
          if (free) await free;
          try {
            const rechecking = this.recheck();
            if (rechecking) await rechecking;
            attempted = await this.#attempt(action, parts, signal);
          } finally {
            this.#calls.pass();
          }
        } catch (error) {
          if (signal) throw error;
          await waitToRetry(error, failures, () => this.pursuit());
        }
      }
      const { isAnswer, answer, files } = attempted;
      this.failure = undefined;
      if (isAnswer) {
        this.content = parts.content;
        this.isUnfinished = isState;
        // Another piece follows, or a question is stored.
        if (!isState && (signal || this.env.asksQuestions)) this.remember('answer');
        else if (!signal) this.forget();
      }
      const rest = { content: '', attachments: files };
      if (files?.length)
        await this.#inTurn(() => this.send('follow-up', rest, undefined, toFollowUp));
      return { answer, isAnswer, content: parts.content };
    } catch (error) {
      const failure = this.writeError(error);
      this.failure = { error: failure };
      throw failure;
    } finally {
      this.messages.pass();
    }
  }

  /** Makes the call that the state requires, or settles the unknown outcome of an earlier one. */
  #attempt(
    action: Action,
    parts: MessageParts,
    signal: AbortSignal | undefined,
  ): Promise<Attempted> {
    const { state } = this;
    switch (nextStep(this.progress, action)) {
      case 'respond':
        return this.send('respond', parts, signal, toAnswer, (error) =>
          this.#onUnanswered(error, state, parts, signal),
        );
      case 'settle':
        return this.#settle(parts, signal, false);
      case 'edit':
        return this.#edit(parts, signal);
      case 'follow-up':
        return this.send('follow-up', parts, signal, toFollowUp);
      default:
        throw this.expired();
    }
  }

  #onUnanswered(
    error: unknown,
    before: InteractionState,
    parts: MessageParts,
    signal: AbortSignal | undefined,
  ): Promise<Attempted> {
    const outcome = outcomeOf(error, this.env.profile);
    // Rate limits differ by call: a defer may succeed and keep the interaction open.
    if (outcome === 'limited' && before === 'received' && !this.lifeSignal.aborted)
      this.autoDefer();
    if (outcome !== 'unknown' || signal?.aborted) throw error;
    this.lastFailure = error;
    const message = `it is unknown whether the answer of /${this.commandName} arrived; trying to edit it`;
    this.note('warn', { reason: errorText(error) }, message);
    return this.#settle(parts, signal, before !== 'deferred');
  }

  /** An edit carries no files: they follow it. */
  #edit(
    { content, attachments: files }: MessageParts,
    signal: AbortSignal | undefined,
  ): Promise<Attempted> {
    return this.send('edit', { content: content || NO_TEXT }, signal, (answer) => ({
      isAnswer: true,
      answer,
      files,
    }));
  }

  /**
   * Settles an answer whose outcome is unknown, without a second call of endpoint 31: endpoint 30 edits an existing answer. If
   * there is nothing to edit, a defer creates a thinking state that endpoint 30 replaces.
   *
   * @param isConclusive - `true` if an accepted edit shows that the answer exists, with its files.
   */
  async #settle(
    parts: MessageParts,
    signal: AbortSignal | undefined,
    isConclusive: boolean,
  ): Promise<Attempted> {
    try {
      const edited = await this.#edit(parts, signal);
      // An edit replaces a thinking state as well, and the files are missing then. Sending files twice is better than losing them.
      const hasFiles = isConclusive || edited.answer.message()?.attachments.length;
      if (this.state === 'answered') return hasFiles ? { ...edited, files: undefined } : edited;
    } catch (error) {
      if (!saysNothingThere(error, this.env.profile)) throw error;
    }
    await this.sendOpen('defer');
    return this.#edit(parts, signal);
  }

  #noteUndeferred(error: unknown): void {
    this.note('warn', { err: error }, `/${this.commandName} could not be deferred`);
  }
}

const toAnswer = (answer: SentAnswer): Attempted => ({ isAnswer: true, answer });
const toFollowUp = (answer: SentAnswer): Attempted => ({ isAnswer: false, answer });
