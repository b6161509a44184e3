import { errorText } from '@virgule/core/errors';
import { checkMessage, type MessageParts } from './answer.js';
import { NO_TEXT, SettledCalls, type Attempted, type Written } from './settled-calls.js';
import { waitToRetry } from './pursue.js';
import {
  nextStep,
  outcomeOf,
  saysNothingThere,
  type Action,
  type InteractionState,
} from './transitions.js';

interface WriteOptions {
  /** Ends the write, which is tried only once: the caller repeats it, with a newer message each time. */
  readonly signal?: AbortSignal;
  /** `true` if another state will follow this message. @defaultValue `false` */
  readonly isState?: boolean;
}

/**
 * The interaction of one run of a command. Messages are sent in their order, one call at a time; the state of the
 * interaction decides each call just before the call is sent. A failed message is repeated until the window of the
 * interaction ends or the bot drains. A defer can be sent while a message waits for its next attempt, and an answer
 * can be sent while a defer waits.
 */
export class Interaction extends SettledCalls {
  /** Lock that a message holds from its first attempt to its last. */
  readonly #messages = new Turns();
  /** Lock that one call holds, so that an answer never overtakes a defer in flight. */
  readonly #calls = new Turns();
  /** Messages that are being prepared. */
  #preparing: Set<Promise<unknown>> | undefined;
  #content: string | undefined;
  #isUnfinished = false;
  #failure: { readonly error: unknown } | undefined;
  #isDeferring = false;

  /** Current text of the answer; `undefined` if there is no answer yet. */
  get content(): string | undefined {
    return this.#content;
  }

  /** Returns whether the answer is an intermediate state: another state was expected to replace it. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /** Makes the current state the last one. */
  finish(): void {
    this.#isUnfinished = false;
    this.forget();
  }

  /** Error of the last write; `undefined` if the write succeeded. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Returns whether no message is being prepared, is waiting, or is in flight. */
  get isSettled(): boolean {
    return !this.#messages.isTaken && !this.#preparing?.size;
  }

  /** Resolves when every message so far is sent or abandoned. Never rejects. */
  async idle(): Promise<void> {
    if (!this.#messages.isTaken) return;
    await this.#messages.take();
    this.#messages.pass();
  }

  /** Makes `settled` wait for a message that is being prepared, such as during the upload of its files. */
  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    const forget = (): void => void preparing.delete(task);
    // The caller handles the result.
    task.finally(forget).catch(() => {});
    return task;
  }

  /** Resolves when no message is being prepared, and every message is sent or abandoned. Never rejects. */
  async settled(): Promise<void> {
    while (!this.isSettled) {
      if (this.#preparing?.size) await Promise.allSettled(this.#preparing);
      await this.idle();
    }
  }

  /**
   * Shows the thinking state, unless something was sent before. Resolves when the state is visible, or when the
   * call has to wait for another attempt; the attempts continue in the background until there is an answer.
   */
  defer(): Promise<void> {
    if (this.#isDeferring) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onWait = (): void => {
        this.#isDeferring = true;
        resolve();
      };
      this.pursue(() => this.#open('defer'), {}, onWait).then(resolve, (error: unknown) => {
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
    return this.pursue(() => this.#open('acknowledge'));
  }

  /** Replaces a thinking state that another process may have left. Creates no answer if there is no thinking state. */
  replaceThinking(content: string): Promise<void> {
    return this.pursue(() =>
      this.#inTurn(async () => {
        await this.send('edit', { content }).catch((error: unknown) => {
          if (!saysNothingThere(error, this.env.profile)) throw error;
        });
      }),
    );
  }

  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send('write', parts, options);
  }

  /** Creates the answer, or sends a follow-up if there is an answer. */
  reply(parts: MessageParts): Promise<Written> {
    return this.#send('reply', parts, {});
  }

  /** Makes calls when no other call is in flight. */
  async #inTurn<T>(calls: () => Promise<T>): Promise<T> {
    const turn = this.#calls.take();
    if (turn) await turn;
    try {
      await this.recheck();
      return await calls();
    } finally {
      this.#calls.pass();
    }
  }

  #open(action: 'defer' | 'acknowledge'): Promise<void> {
    return this.#inTurn(async () => {
      const isAgain = this.isAnswerUnknown;
      const isDoubtful = isAgain || (action === 'defer' && this.state === 'deferred');
      const state = this.mayBeDeferred && isDoubtful ? 'received' : this.state;
      const step = nextStep(state, action);
      if (step === 'defer' || step === 'ack') await this.sendOpen(step);
    });
  }

  async #send(action: Action, parts: MessageParts, options: WriteOptions): Promise<Written> {
    // Most commands write once and find the lock free; they need not await it.
    const turn = this.#messages.take();
    if (turn) await turn;
    try {
      checkMessage(parts, this.received.commandName, this.env.log);
      if (options.isState) this.remember('state');
      const { isAnswer, answer, files } = await this.#deliver(action, parts, options);
      this.#failure = undefined;
      if (isAnswer) {
        this.#content = parts.content;
        this.#isUnfinished = options.isState === true;
        if (!options.signal) this.forget();
        // Another piece follows.
        else if (!options.isState) this.remember('answer');
      }
      if (files) {
        const rest = { content: '', attachments: files };
        await this.pursue(() => this.#inTurn(() => this.send('follow-up', rest)));
      }
      return { answer, isAnswer, content: parts.content };
    } catch (error) {
      const failure = this.state === 'expired' ? this.expired(error) : error;
      this.#failure = { error: failure };
      throw failure;
    } finally {
      this.#messages.pass();
    }
  }

  /** Makes the calls of one message. Combines `pursue` and `#inTurn` for speed: every command runs this code. */
  async #deliver(action: Action, parts: MessageParts, options: WriteOptions): Promise<Attempted> {
    for (let failures = 0; ; failures += 1) {
      try {
        const turn = this.#calls.take();
        if (turn) await turn;
        try {
          const rechecking = this.recheck();
          if (rechecking) await rechecking;
          return await this.#attempt(action, parts, options);
        } finally {
          this.#calls.pass();
        }
      } catch (error) {
        if (options.signal) throw error;
        await waitToRetry(error, failures, () => {
          this.dropLost();
          return this.pursuit();
        });
      }
    }
  }

  /** Makes the one call that the state requires, or settles the unknown outcome of an earlier one. */
  #attempt(action: Action, parts: MessageParts, { signal }: WriteOptions): Promise<Attempted> {
    const before = this.state;
    switch (nextStep(before, action)) {
      case 'respond':
        return this.send('respond', parts, signal).then(
          (answer) => ({ isAnswer: true, answer }),
          (error: unknown) => this.#onRespondFailed(error, before, parts, signal),
        );
      case 'settle':
        return this.settle(parts, signal, false);
      case 'edit': {
        // An edit carries no files: they follow it.
        const files = parts.attachments?.length ? parts.attachments : undefined;
        const text = { content: parts.content || NO_TEXT };
        return this.send('edit', text, signal).then((answer) => ({
          isAnswer: true,
          answer,
          files,
        }));
      }
      case 'follow-up':
        return this.send('follow-up', parts, signal).then((answer) => ({
          isAnswer: false,
          answer,
        }));
      default:
        throw this.expired();
    }
  }

  #onRespondFailed(
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
    this.trouble = error;
    this.warn(
      { reason: errorText(error) },
      (command) => `it is unknown whether the answer of /${command} arrived; trying to edit it`,
    );
    return this.settle(parts, signal, before !== 'deferred');
  }

  #noteUndeferred(error: unknown): void {
    this.warn({ err: error }, (command) => `/${command} could not be deferred`);
  }
}

/** A lock that is passed on in the order of the requests. */
class Turns {
  #isTaken = false;
  /** Callers that wait for the lock. Created for the first of them. */
  #waiting: (() => void)[] | undefined;

  get isTaken(): boolean {
    return this.#isTaken;
  }

  /** Takes the lock. Returns nothing if the lock was free, else a promise that resolves when the caller has the lock. */
  take(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((resolve) => void (this.#waiting ??= []).push(resolve));
    this.#isTaken = true;
    return undefined;
  }

  /** Passes the lock to the next caller in the queue; no new caller can take the lock in between. */
  pass(): void {
    const next = this.#waiting?.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}
