import type { CallOptions, SentAnswer } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { NO_TEXT, type MessageParts } from './answer.js';
import { CommandAnswer } from './command-answer.js';
import {
  answerDeadlineMs,
  isLost,
  isSettling,
  nextStep,
  outcomeOf,
  progressAfter,
  saysNothingThere,
  SETTLE_MS,
  type Action,
  type Call,
  type InteractionState,
  type Outcome,
} from './transitions.js';
import { NOTHING_SENT, type Attempted, type WriteOptions } from './sent-message.js';

/**
 * Deadline of a defer or an acknowledgement, in milliseconds, doubled after each timeout for a slow platform. A rate limit asks
 * for a second or more: the client then rejects the call, and an answer that is ready goes first.
 */
const OPEN_DEADLINE_MS = { first: 1_000, max: 8_000 };

/**
 * The interaction of one run of a command. The state decides each call just before it is sent. A defer can be sent while a
 * message waits for its next attempt, and an answer while a defer waits.
 */
export class Interaction extends CommandAnswer {
  #openDeadlineMs = OPEN_DEADLINE_MS.first;
  /** `true` while a defer waits for another attempt. */
  #isDeferring = false;

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
      this.inTurn(() => this.#openFor('defer'), onWait).then(resolve, (error: unknown) => {
        // A defer that fails after the end of the run is not needed.
        if (this.#isDeferring && !this.lifeSignal.aborted) this.noteUndeferred(error);
        this.#isDeferring = false;
        reject(error);
      });
    });
  }

  /** Stops the expiry without showing anything, unless something was sent before. */
  override acknowledge(): Promise<void> {
    return this.inTurn(() => this.#openFor('acknowledge'));
  }

  override async replaceThinking(content: string): Promise<void> {
    const editing = this.inTurn(() => this.#send('edit', { content }, undefined));
    await editing.catch((error: unknown) => {
      if (!saysNothingThere(error, this.env.profile)) throw error;
    });
  }

  /** Makes the call that the state requires, or settles the unknown outcome of an earlier one. */
  protected attempt(action: Action, parts: MessageParts, { signal }: WriteOptions) {
    const step = nextStep(this.progress, action);
    if (step === 'respond' || step === 'edit' || step === 'follow-up')
      return this.#send(step, parts, signal);
    if (step === 'settle') return this.#settle(parts, signal, false);
    throw this.#expired();
  }

  protected override get untilMs(): number {
    return this.#isLost ? this.env.clock.monotonic() : super.untilMs;
  }

  get #isLost(): boolean {
    const { clock, profile } = this.env;
    return isLost(this.progress, clock.monotonic() - this.received.receivedAtMs, profile);
  }

  /** Returns the error of a failed message: the expiry, also if the platform provably has not opened the interaction in time. */
  protected override writeError(error: unknown): unknown {
    if (this.#isLost) this.#expire();
    return this.state === 'expired' ? this.#expired(error) : error;
  }

  #expire(): void {
    this.reached('expired');
    this.endWaits();
  }

  /**
   * Checks, after this process was suspended, whether another process runs the command now; if so, the other process answers,
   * and the promise rejects. Returns nothing if this process was not suspended.
   */
  protected override recheck(): Promise<void> | undefined {
    return this.received.queued?.isOwn?.()?.then((isOwn) => {
      const { hasAnswer, state } = this.progress;
      if (isOwn === undefined && !hasAnswer && state !== 'expired') this.reached('shared');
      if (isOwn !== false) return;
      this.#expire();
      this.lastFailure = new Error('its process was suspended, and another one runs it');
      throw this.#expired();
    });
  }

  async #openFor(action: 'defer' | 'acknowledge'): Promise<void> {
    const step = nextStep(this.progress, action);
    if (step === 'defer' || step === 'ack') await this.#open(step);
  }

  async #open(call: 'ack' | 'defer'): Promise<void> {
    const { rest, profile, clock } = this.env;
    // Before the call: if this process is killed during the call, only the journal knows of the thinking state.
    if (call === 'defer') this.remember('thinking');
    const options = this.#options(undefined, this.#openDeadlineMs);
    try {
      const sending = rest.interactions[call](this.received.event.interactionId, options);
      await this.#call(call, sending, clock.monotonic());
    } catch (error) {
      if (isVirguleError(error, 'E_TIMEOUT'))
        this.#openDeadlineMs = Math.min(this.#openDeadlineMs * 2, OPEN_DEADLINE_MS.max);
      // An earlier attempt with an unknown outcome has opened the interaction, or another process has.
      if (outcomeOf(error, profile) !== 'already') throw error;
    }
  }

  /** Sends a message. An edit carries only the text: its files follow it. */
  #send(
    call: 'respond' | 'edit' | 'follow-up',
    parts: MessageParts,
    signal: AbortSignal | undefined,
  ): Promise<Attempted> {
    const { content, attachments, replyTo } = parts;
    const { rest, profile, clock } = this.env;
    const { interactions } = rest;
    const { event, queued, receivedAtMs } = this.received;
    const { interactionId: id } = event;
    const nowMs = clock.monotonic();
    const ageMs = nowMs - receivedAtMs;
    if (call === 'edit') {
      // The deadline leaves time for a defer, in case there is nothing to edit yet.
      const options = this.#options(signal, answerDeadlineMs(this.progress, ageMs, profile));
      const editing = interactions.editResponse(id, { content: content || NO_TEXT }, options);
      return this.#call(call, editing, nowMs, attachments);
    }
    // Null means no text, which is allowed only with files.
    const text = content === '' ? null : content;
    const body = { content: text, attachments, replyToMessageId: replyTo };
    if (call === 'respond') {
      const { state } = this;
      const deadlineMs = answerDeadlineMs(this.progress, ageMs, profile, SETTLE_MS);
      const responding = interactions.respond(id, body, this.#options(signal, deadlineMs));
      return this.#call(call, responding, nowMs, undefined, (error) =>
        this.#onUnanswered(error, state, parts, signal),
      );
    }
    const options = this.#options(signal);
    const send = (): Promise<Attempted> =>
      this.#call(call, interactions.followUp(id, body, options), clock.monotonic());
    return queued?.followingUp?.().then(send) ?? send();
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

  /**
   * Settles an answer whose outcome is unknown, without a second call of endpoint 31: endpoint 30 edits an existing answer. If
   * there is nothing to edit, a defer creates a thinking state that endpoint 30 replaces.
   *
   * @param isConclusive - `true` if an accepted edit shows that the answer exists, with its files.
   */
  async #settle(parts: MessageParts, signal: AbortSignal | undefined, isConclusive: boolean) {
    try {
      const edited = await this.#send('edit', parts, signal);
      // An edit replaces a thinking state as well, and the files are missing then. Sending files twice is better than losing them.
      const hasFiles = isConclusive || edited.answer.message()?.attachments.length;
      if (this.state === 'answered') return hasFiles ? { ...edited, files: undefined } : edited;
    } catch (error) {
      if (!saysNothingThere(error, this.env.profile)) throw error;
    }
    await this.#open('defer');
    return this.#send('edit', parts, signal);
  }
  #expired(cause?: unknown): Error {
    if (isVirguleError(cause, 'E_INTERACTION_EXPIRED')) return cause;
    const { commandName, progress, received } = this;
    const { interactionId } = received.event;
    const trouble = this.lastFailure === undefined ? undefined : errorText(this.lastFailure);
    const details = { ...progress, commandName, interactionId, trouble };
    return runtimeErrors.E_INTERACTION_EXPIRED(details, { cause });
  }

  /** Returns the options of a call, always with the same keys: a spread takes longer than the code that reads them. */
  #options(signal?: AbortSignal, deadlineMs?: number): CallOptions {
    const { priority } = this.received;
    // After a failure, only a few calls probe a platform that is unreachable, not the calls of every interaction.
    const isRetry = this.lastFailure === undefined ? undefined : true;
    const onRetry = this.run?.timings?.onRetry;
    return { signal, deadlineMs, priority, onRetry, isRetry, isSequential: true };
  }

  /** Records the outcome of a call. In one step with the result and `failed`: every command runs this code. */
  #call(
    call: Call,
    sending: Promise<SentAnswer | void>,
    nowMs: number,
    files?: MessageParts['attachments'],
    failed?: (error: unknown) => Promise<Attempted>,
  ): Promise<Attempted> {
    this.run?.callStarted(nowMs);
    return sending.then(
      (result) => {
        const answer = result ?? NOTHING_SENT;
        // A platform may accept an edit although there is no answer.
        const isDoubtful = this.state === 'shared' && call === 'edit' && !answer.message();
        this.#ended(call, isDoubtful ? 'unknown' : 'done');
        return { isAnswer: call !== 'follow-up', answer, files };
      },
      (error: unknown) => {
        const meansExpired = !isSettling(this.state, call);
        const outcome = outcomeOf(error, this.env.profile);
        this.#ended(call, outcome);
        const reason = outcome === 'gone' && meansExpired ? this.#expired(error) : error;
        if (failed) return failed(reason);
        throw reason;
      },
    );
  }

  #ended(call: Call, outcome: Outcome): void {
    const { state } = this.progress;
    const nowMs = this.env.clock.monotonic();
    this.progress = progressAfter(this.progress, call, outcome, nowMs);
    if (outcome === 'done') this.lastFailure = undefined;
    if (this.state === 'expired') this.endWaits();
    this.run?.callEnded(state, outcome, nowMs);
  }
}
