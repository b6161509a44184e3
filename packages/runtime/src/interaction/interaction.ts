import type { CallOptions, Rest, SentAnswer } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { CONTENT_MAX_LENGTH } from '@virgule/core/protocol';
import type { BotEnvironment } from '../bot/bot-environment.js';
import type { MessageParts } from '../define/answer.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { pursue, waitToRetry, type PursuitOptions } from './pursue.js';
import {
  nextStep,
  outcomeOf,
  saysNothingThere,
  stateAfter,
  type Call,
  type InteractionState,
  type Outcome,
  type Action,
} from './transitions.js';
import { Turns } from './turns.js';
import { warnUnsupported } from './warn-unsupported.js';

/** The parts of a bot that its interactions use. */
export interface InteractionEnvironment extends Pick<
  BotEnvironment,
  'profile' | 'log' | 'clock' | 'random' | 'ending'
> {
  readonly rest: Pick<Rest, 'interactions'>;
}

/** Observes the calls of one interaction. There is one at a time. */
export interface CallObserver {
  /** Called when a call is sent. */
  callStarted(): void;
  /** Called when it is settled. `before` is the state in which it was sent. */
  callEnded(before: InteractionState, outcome: Outcome): void;
  /** Called when a call is made again; `undefined` if that is not counted. */
  readonly onRetry: (() => void) | undefined;
}

/** An interaction as it was received. */
export interface ReceivedInteraction {
  readonly interactionId: string;
  readonly commandName: string;
  /** A reading of `Clock.monotonic()`: the windows begin then. */
  readonly receivedAtMs: number;
  /** How another process may have opened it. @defaultValue it did not */
  readonly opened?: 'deferred' | 'acknowledged' | undefined;
  /** Observes every call. */
  readonly observer?: CallObserver | undefined;
}

export interface WriteOptions {
  /** Ends the only attempt: the caller pursues it, with a newer message each time. */
  readonly signal?: AbortSignal;
  /** Whether another state will follow it. @defaultValue `false` */
  readonly isState?: boolean;
}

export interface PursueOptions {
  /** Ends the wait, instead of the end of the interaction. */
  readonly signal?: AbortSignal;
  /** Notified before each wait for another attempt. */
  readonly onWait?: () => void;
}

/** The result of a write. */
export interface Written {
  /** The response of the platform, which is parsed only when its message is used. */
  readonly answer: SentAnswer;
  /** Whether the text is the interaction's answer; a follow-up is a message of its own. */
  readonly isAnswer: boolean;
}

/**
 * Time for one defer or acknowledgement, in milliseconds. A rate limit asks for a second or more, so the client rejects the
 * call instead of waiting in it, and an answer that is ready goes first.
 */
const DEFER_DEADLINE_MS = 1_000;

/**
 * Time that a first answer leaves of the window, in milliseconds: when nothing says what became of it, an
 * edit and a defer must still have their turn.
 */
const SETTLE_MS = 1_000;

/** Least time for a first answer within the window, in milliseconds. */
const ANSWER_DEADLINE_MIN_MS = 1_000;

/** The text of an answer of files alone when it has to be edited: an edit needs one. */
const NO_TEXT = '📎';

/**
 * The interaction of one run of a command. Messages are sent in their order, one call at a time; the state
 * at its turn decides each call. A message that does not get through is pursued until the window of the
 * interaction ends or the bot drains. While it only waits, a defer can be sent, as an answer can be while
 * a defer waits.
 */
export class Interaction {
  readonly #received: ReceivedInteraction;
  readonly #env: InteractionEnvironment;
  #state: InteractionState = 'received';
  /** Held for a message from its first attempt to its last. */
  readonly #messages = new Turns();
  /** Held for one call, so that an answer never overtakes a defer that is in flight. */
  readonly #calls = new Turns();
  /** Messages that are being prepared. */
  #preparing: Set<Promise<unknown>> | undefined;
  #content: string | undefined;
  #isUnfinished = false;
  #isAnsweredBefore = false;
  #failure: { readonly error: unknown } | undefined;
  /** The last failure that another attempt may fix. */
  #trouble: unknown;
  /** Whether a defer was sent and its outcome is unknown. */
  #mayBeDeferred = false;
  /** Whether a defer was accepted after the outcome of an answer had become unknown. */
  #isReopened = false;
  #isDeferring = false;
  #deferredAtMs: number | undefined;
  /** Ends the waits for another attempt. Created for the first one. */
  #life: AbortController | undefined;
  #hasEnded = false;

  constructor(received: ReceivedInteraction, env: InteractionEnvironment) {
    this.#received = received;
    this.#env = env;
    if (!received.opened) return;
    this.#state = received.opened;
    this.#mayBeDeferred = true;
  }

  get state(): InteractionState {
    return this.#state;
  }

  /** Current text of the answer; `undefined` while there is none. */
  get content(): string | undefined {
    return this.#content;
  }

  /** Whether the answer is a state that another one was to follow. */
  get isUnfinished(): boolean {
    return this.#isUnfinished;
  }

  /** Whether the platform refused the answer because it has one already, such as from an earlier process. */
  get isAnsweredBefore(): boolean {
    return this.#isAnsweredBefore;
  }

  /** Makes the current state the last one. */
  finish(): void {
    this.#isUnfinished = false;
  }

  /** The error of the last write; `undefined` if it succeeded. */
  get failure(): { readonly error: unknown } | undefined {
    return this.#failure;
  }

  /** Whether no message is being prepared, waits or is in flight. */
  get isSettled(): boolean {
    return !this.#messages.isTaken && !this.#preparing?.size;
  }

  /** Resolves when every message so far was sent or abandoned. Never rejects. */
  async idle(): Promise<void> {
    if (!this.#messages.isTaken) return;
    await this.#messages.take();
    this.#messages.pass();
  }

  /** Makes `settled` wait for a message that is being prepared, such as one whose files are uploaded. */
  prepare<T>(task: Promise<T>): Promise<T> {
    const preparing = (this.#preparing ??= new Set());
    preparing.add(task);
    const forget = (): void => void preparing.delete(task);
    // The caller handles the result.
    task.finally(forget).catch(() => {});
    return task;
  }

  /** Resolves when no message is being prepared and all were sent or abandoned. Never rejects. */
  async settled(): Promise<void> {
    while (!this.isSettled) {
      if (this.#preparing?.size) await Promise.allSettled(this.#preparing);
      await this.idle();
    }
  }

  /**
   * Shows the thinking state, unless something was sent before. Resolves when it shows, or when it has
   * to wait for another attempt: that continues in the background until there is an answer.
   */
  defer(): Promise<void> {
    if (this.#isDeferring) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onWait = (): void => {
        this.#isDeferring = true;
        resolve();
      };
      this.pursue(() => this.#open('defer'), { onWait }).then(resolve, (error: unknown) => {
        // At the end of the run, nothing has to be deferred any more.
        if (this.#isDeferring && !this.#lifeSignal.aborted) this.#noteUndeferred(error);
        this.#isDeferring = false;
        reject(error);
      });
    });
  }

  /** Stops the expiry and shows nothing, unless something was sent before. */
  acknowledge(): Promise<void> {
    return this.pursue(() => this.#open('acknowledge'));
  }

  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send('write', parts, options);
  }

  /** Creates the answer, or sends a follow-up if there is one. */
  reply(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send('reply', parts, options);
  }

  /** Makes a call of the command until it gets through, the window ends, or the bot drains. */
  pursue<T>(call: () => Promise<T>, options?: PursueOptions): Promise<T> {
    return pursue(call, () => this.#pursuit(options));
  }

  #pursuit({ signal = this.#lifeSignal, onWait }: PursueOptions = {}): PursuitOptions {
    const { clock, random } = this.#env;
    return {
      clock,
      random,
      untilMs: this.#untilMs,
      signal,
      onWait: (error, waitMs) => {
        this.#noteTrouble(error, waitMs);
        onWait?.();
      },
    };
  }

  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void {
    this.#hasEnded = true;
    this.#life?.abort();
  }

  get #lifeSignal(): AbortSignal {
    if (!this.#life) {
      const { ending } = this.#env;
      const life = (this.#life = new AbortController());
      // After the expiry, the end of the run or that of the bot, there is no other attempt.
      if (ending.aborted || this.#hasEnded || this.#state === 'expired') life.abort();
      else ending.addEventListener('abort', () => life.abort(), { signal: life.signal });
    }
    return this.#life.signal;
  }

  get #untilMs(): number {
    const { receivedAtMs } = this.#received;
    const { profile } = this.#env;
    return (this.#deferredAtMs ?? receivedAtMs) + profile.deferredWindowMs;
  }

  #noteTrouble(error: unknown, waitMs: number): void {
    const { log } = this.#env;
    const { commandName: command, interactionId, observer } = this.#received;
    const details = {
      command,
      interactionId,
      waitMs: Math.round(waitMs),
      reason: errorText(error),
    };
    const message = `a call of /${command} failed; retrying`;
    // One line for the first failure; each attempt is a detail, and the client has lines for the requests.
    log[this.#trouble === undefined ? 'warn' : 'debug'](details, message);
    this.#trouble = error;
    observer?.onRetry?.();
  }

  /** Makes calls when no other one is in flight. */
  async #inTurn<T>(calls: () => Promise<T>): Promise<T> {
    const turn = this.#calls.take();
    if (turn) await turn;
    try {
      return await calls();
    } finally {
      this.#calls.pass();
    }
  }

  #open(action: 'defer' | 'acknowledge'): Promise<void> {
    return this.#inTurn(async () => {
      const isDoubtful = action === 'defer' && this.#mayBeDeferred && this.#state === 'deferred';
      const step = isDoubtful ? 'defer' : nextStep(this.#state, action);
      if (step === 'defer') await this.#defer();
      else if (step === 'ack') {
        const { interactions } = this.#env.rest;
        await this.#call(
          'ack',
          interactions.ack(
            this.#received.interactionId,
            this.#options(undefined, DEFER_DEADLINE_MS),
          ),
        );
      }
    });
  }

  async #send(action: Action, parts: MessageParts, options: WriteOptions): Promise<Written> {
    // Most commands write once, so the lock is free: a turn costs nothing then.
    const turn = this.#messages.take();
    if (turn) await turn;
    try {
      this.#check(parts);
      warnUnsupported(parts, this.#received.commandName, this.#env.log);
      const { isAnswer, answer, files } = await this.#deliver(action, parts, options);
      this.#failure = undefined;
      if (isAnswer) {
        this.#content = parts.content;
        this.#isUnfinished = options.isState === true;
      }
      if (files) {
        const rest = { content: '', attachments: files };
        await this.pursue(() => this.#inTurn(() => this.#followUp(rest, {})));
      }
      return { answer, isAnswer };
    } catch (error) {
      const failure = this.#state === 'expired' ? this.#expired(error) : error;
      this.#failure = { error: failure };
      throw failure;
    } finally {
      this.#messages.pass();
    }
  }

  /** Makes the calls of one message. As `pursue` and `#inTurn` in one: every command passes here. */
  async #deliver(action: Action, parts: MessageParts, options: WriteOptions): Promise<Attempted> {
    for (let failures = 0; ; failures += 1) {
      try {
        const turn = this.#calls.take();
        if (turn) await turn;
        try {
          return await this.#attempt(action, parts, options);
        } finally {
          this.#calls.pass();
        }
      } catch (error) {
        if (options.signal) throw error;
        await waitToRetry(error, failures, () => this.#pursuit());
      }
    }
  }

  /** Makes the one call that the state requires, or settles the unknown outcome of an earlier one. */
  #attempt(action: Action, parts: MessageParts, options: WriteOptions): Promise<Attempted> {
    switch (nextStep(this.#state, action)) {
      case 'respond':
        return this.#respond(parts, options);
      case 'settle':
        return this.#settle(parts, options, false);
      case 'edit':
        // An edit carries no files: they follow it.
        return this.#edit(parts.content || NO_TEXT, options).then((answer) => ({
          isAnswer: true,
          answer,
          files: parts.attachments?.length ? parts.attachments : undefined,
        }));
      case 'follow-up':
        return this.#followUp(parts, options).then((answer) => ({ isAnswer: false, answer }));
      default:
        throw this.#expired();
    }
  }

  #respond(parts: MessageParts, options: WriteOptions): Promise<Attempted> {
    const before = this.#state;
    const { interactions } = this.#env.rest;
    const responding = interactions.respond(
      this.#received.interactionId,
      bodyOf(parts),
      this.#options(options.signal, this.#answerDeadlineMs(SETTLE_MS)),
    );
    return this.#call('respond', responding).then(
      (answer) => ({ isAnswer: true, answer }),
      (error: unknown) => this.#onRespondFailed(error, before, parts, options),
    );
  }

  #onRespondFailed(
    error: unknown,
    before: InteractionState,
    parts: MessageParts,
    options: WriteOptions,
  ): Promise<Attempted> {
    const { log, profile } = this.#env;
    const { commandName: command, interactionId } = this.#received;
    const outcome = outcomeOf(error, profile);
    // Limits differ by call: a defer may keep the interaction open meanwhile.
    if (outcome === 'limited' && before === 'received' && !this.#lifeSignal.aborted)
      this.defer().catch((refusal: unknown) => this.#noteUndeferred(refusal));
    if (outcome !== 'unknown' || options.signal?.aborted) throw error;
    this.#trouble = error;
    log.warn(
      { command, interactionId, reason: errorText(error) },
      `it is unknown whether the answer of /${command} arrived; trying to edit it`,
    );
    return this.#settle(parts, options, before !== 'deferred');
  }

  /**
   * Settles an answer whose outcome is unknown, without a second 31: endpoint 30 edits an answer that
   * exists. If there is nothing to edit, a defer creates a thinking state that 30 replaces.
   */
  async #settle(
    parts: MessageParts,
    options: WriteOptions,
    isConclusive: boolean,
  ): Promise<Attempted> {
    const { profile } = this.#env;
    const content = parts.content || NO_TEXT;
    const { attachments } = parts;
    try {
      const answer = await this.#edit(content, options);
      if (isConclusive || !attachments?.length) return { isAnswer: true, answer };
      // An edit replaces a thinking state as well: then the files are missing.
      const message = answer.message();
      const isMissing = message?.attachments.length === 0;
      if (!message) this.#noteFilesUnknown();
      return { isAnswer: true, answer, files: isMissing ? attachments : undefined };
    } catch (error) {
      if (this.#isReopened || !saysNothingThere(error, profile)) throw error;
    }
    await this.#defer();
    this.#isReopened = true;
    return { isAnswer: true, answer: await this.#edit(content, options), files: attachments };
  }

  #edit(content: string, { signal }: WriteOptions): Promise<SentAnswer> {
    const { interactionId } = this.#received;
    // If there is nothing to edit yet, a defer must still be in time.
    const editing = this.#env.rest.interactions.editResponse(
      interactionId,
      { content },
      this.#options(signal, this.#answerDeadlineMs()),
    );
    return this.#call('edit', editing);
  }

  #followUp(parts: MessageParts, { signal }: WriteOptions): Promise<SentAnswer> {
    const { interactionId } = this.#received;
    const sending = this.#env.rest.interactions.followUp(
      interactionId,
      bodyOf(parts),
      this.#options(signal),
    );
    return this.#call('follow-up', sending);
  }

  /** Returns the options of a call, always with the same keys: a spread takes longer than what reads them. */
  #options(signal?: AbortSignal, deadlineMs?: number): CallOptions {
    return { signal, deadlineMs, onRetry: this.#received.observer?.onRetry };
  }

  #defer(): Promise<void> {
    const { interactionId } = this.#received;
    const options = this.#options(undefined, DEFER_DEADLINE_MS);
    return this.#call('defer', this.#env.rest.interactions.defer(interactionId, options));
  }

  #noteFilesUnknown(): void {
    const { commandName: command, interactionId } = this.#received;
    this.#env.log.warn(
      { command, interactionId },
      `it is unknown whether the files of the answer of /${command} arrived`,
    );
  }

  #noteUndeferred(error: unknown): void {
    const { commandName: command, interactionId } = this.#received;
    this.#env.log.warn({ command, interactionId, err: error }, `/${command} could not be deferred`);
  }

  /**
   * Returns the time for a call of a first answer, except what it has to leave. The client rejects at once
   * for a rate limit that ends after it, so that a defer can be sent meanwhile.
   */
  #answerDeadlineMs(leaveMs = 0): number | undefined {
    if (this.#state !== 'received' && this.#state !== 'failed') return undefined;
    if (this.#deferredAtMs !== undefined) return undefined;
    const { profile, clock } = this.#env;
    const leftMs = this.#received.receivedAtMs + profile.answerWindowMs - clock.monotonic();
    // After the assumed window: it is longer than assumed, or over.
    return leftMs > 0 ? Math.max(ANSWER_DEADLINE_MIN_MS, leftMs - leaveMs) : undefined;
  }

  /** Records the outcome of a call. */
  #call<T>(call: Call, sending: Promise<T>): Promise<T> {
    this.#received.observer?.callStarted();
    return sending.then(
      (result) => {
        this.#ended(call, 'done');
        return result;
      },
      (error: unknown) => {
        throw this.#failed(call, error);
      },
    );
  }

  #failed(call: Call, error: unknown): unknown {
    const { profile } = this.#env;
    // Only a defer shows that the interaction is gone: an edit with nothing to edit does not.
    const isOpen = call === 'edit' && this.#state === 'failed' && !this.#isReopened;
    const outcome =
      isOpen && saysNothingThere(error, profile) ? 'refused' : outcomeOf(error, profile);
    const wasAnswered = this.#state === 'answered';
    this.#ended(call, outcome);
    if (outcome !== 'gone') return error;
    return this.#expired(error, wasAnswered ? 'answered' : this.#state);
  }

  #ended(call: Call, outcome: Outcome): void {
    const before = this.#state;
    this.#state = stateAfter(before, call, outcome);
    if (outcome === 'done') this.#trouble = undefined;
    if (call === 'respond' && outcome === 'already') this.#isAnsweredBefore = true;
    if (call === 'defer') {
      if (outcome === 'unknown') this.#mayBeDeferred = true;
      else if (outcome === 'done' || outcome === 'already') {
        this.#mayBeDeferred = false;
        this.#deferredAtMs ??= this.#env.clock.monotonic();
      }
    }
    if (this.#state === 'expired') this.#life?.abort();
    this.#received.observer?.callEnded(before, outcome);
  }

  #expired(cause?: unknown, state = this.#state): Error {
    if (isVirguleError(cause, 'E_INTERACTION_EXPIRED')) return cause;
    const { commandName, interactionId } = this.#received;
    const trouble = this.#trouble === undefined ? undefined : errorText(this.#trouble);
    const details = { commandName, interactionId, state, trouble };
    return runtimeErrors.E_INTERACTION_EXPIRED(details, { cause });
  }

  #check({ content, attachments }: MessageParts): void {
    const { commandName } = this.#received;
    if (typeof content !== 'string')
      throw runtimeErrors.E_ANSWER_TYPE({ commandName, saw: typeof content });
    const isMissing = content.length === 0 && !attachments?.length;
    if (isMissing || content.length > CONTENT_MAX_LENGTH) {
      throw runtimeErrors.E_CONTENT_LENGTH({ owner: `/${commandName}`, length: content.length });
    }
  }
}

/** A message that got through, with the files that still have to follow it. */
interface Attempted extends Written {
  readonly files?: MessageParts['attachments'];
}

/** Builds the body: null means no text, which is allowed only with files. */
const bodyOf = ({ content, attachments, replyTo }: MessageParts) => ({
  content: content === '' ? null : content,
  attachments,
  replyToMessageId: replyTo,
});
