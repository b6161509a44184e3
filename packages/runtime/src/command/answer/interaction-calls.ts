import type { CallOptions, CallPriority, SentAnswer } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import type { BotEnvironment } from '../environment.js';
import type { QueuedDelivery } from '../gateway-port.js';
import type { MessageParts } from './answer.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { InteractionJournal } from '../interaction-journal.js';
import { pursue, type PursuitOptions } from './pursue.js';
import {
  outcomeOf,
  saysNothingThere,
  stateAfter,
  type Call,
  type InteractionState,
  type Outcome,
} from './transitions.js';

/** The members of a run that the calls of its interaction use. */
interface CallingRun {
  readonly event: ApplicationCommandEvent;
  /** Called when a call is repeated; `undefined` if retries are not counted. */
  readonly onRetry: (() => void) | undefined;
  /** Called when a call is sent. At most one call is in flight. */
  callStarted(): void;
  /** Called when a call is settled. `before` is the state in which the call was sent. */
  callEnded(before: InteractionState, outcome: Outcome): void;
}

/** An interaction as it was received. */
export interface ReceivedInteraction {
  readonly interactionId: string;
  readonly commandName: string;
  /** Start of the answer windows: a reading of `Clock.monotonic()`. */
  readonly receivedAtMs: number;
  /**
   * State in which another process left the interaction; `unknown`: a first answer may exist.
   *
   * @defaultValue no other process had the interaction
   */
  readonly opened?: 'deferred' | 'acknowledged' | 'answered' | 'unknown' | undefined;
  /** `background` if the calls of other interactions go first. @defaultValue `awaited` */
  readonly priority?: CallPriority | undefined;
  /** Queue that delivered the interaction, or an object with the same members. */
  readonly queued?: Pick<QueuedDelivery, 'followingUp' | 'isOwn'> | undefined;
  /** Run that is notified of every call. */
  readonly run?: CallingRun | undefined;
}

/** State that the user of an open interaction sees. */
type Shows = Parameters<InteractionJournal['open']>[1]['shows'];

/**
 * Deadline of a defer or an acknowledgement, in milliseconds. A rate limit asks for a second or more, so the client rejects
 * the call instead of waiting for the limit, and an answer that is ready goes first. After a timeout the next call has twice
 * the time, up to the maximum: a slow platform would otherwise get the same call again and again.
 */
const OPEN_DEADLINE_MS = { first: 1_000, max: 8_000 };

/**
 * Time between the deadline of a first answer and the end of the answer window, in milliseconds: enough for an
 * edit and a defer if the outcome of the answer is unknown.
 */
const SETTLE_MS = 1_000;

/**
 * Time after which an interaction is dropped if all its calls were refused or never sent: a number of answer windows, and a
 * minimum in milliseconds. The interaction has expired by then, and a platform that recovers must not get the calls of its
 * whole outage. After a call with an unknown outcome the user may see the thinking state, so the interaction is not dropped.
 */
const UNOPENED = { windows: 5, minMs: 15_000 };

/** Calls that open an interaction. */
const OPENS: ReadonlySet<Call> = new Set<Call>(['ack', 'defer', 'respond']);

/** Minimum deadline of a first answer, in milliseconds. */
const ANSWER_DEADLINE_MIN_MS = 1_000;

/**
 * Makes the calls of one interaction and keeps its state after each call. The caller makes one call at a time, and
 * chooses the call by the state.
 */
export class InteractionCalls {
  protected readonly received: ReceivedInteraction;
  protected readonly env: BotEnvironment;
  /** Last failure that another attempt may fix. */
  protected trouble: unknown;
  /** `true` if a defer was sent and its outcome is unknown. */
  protected mayBeDeferred = false;
  /** `true` if a defer was accepted after the outcome of an answer had become unknown. */
  protected isReopened = false;
  #state: InteractionState = 'received';
  /** `true` if another process may have answered. */
  #isShared = false;
  #isAnsweredBefore = false;
  #hasAnswer = false;
  /** `true` if the platform accepted a call. */
  #isOpened = false;
  /** `true` if the platform accepted a call, or the outcome of an opening call is unknown. */
  #mayBeOpened = false;
  #deferredAtMs: number | undefined;
  #openDeadlineMs = OPEN_DEADLINE_MS.first;
  /** Controller that ends the waits for another attempt. Created for the first wait. */
  #life: AbortController | undefined;
  #hasEnded = false;
  /** Entry of this interaction in the journal. */
  #remembered: { readonly shows: Shows; readonly forget: () => void } | undefined;

  constructor(received: ReceivedInteraction, env: BotEnvironment) {
    this.received = received;
    this.env = env;
    const { opened } = received;
    if (!opened) return;
    this.#isOpened = true;
    this.#mayBeOpened = true;
    this.#isShared = opened === 'unknown';
    this.#state = opened === 'unknown' ? 'failed' : opened;
    this.mayBeDeferred = opened !== 'answered';
    if (opened === 'deferred') this.remember('thinking');
  }

  get state(): InteractionState {
    return this.#state;
  }

  /** Returns whether the platform refused the answer because there is an answer already, such as from an earlier process. */
  get isAnsweredBefore(): boolean {
    return this.#isAnsweredBefore;
  }

  /** Returns whether another process may have answered, and no call has shown yet whether an answer exists. */
  get isAnswerUnknown(): boolean {
    return this.#state === 'failed' && this.#isShared;
  }

  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void {
    this.#hasEnded = true;
    this.#life?.abort();
    // A thinking state or an unfinished state at the end of the bot stays in the journal, for the next start.
    if (!this.env.ending.aborted || this.#remembered?.shows === 'answer') this.forget();
  }

  /** Writes the state that the user sees to the journal, for the next start if this process is killed. */
  remember(shows: Shows): void {
    const { journal, clock } = this.env;
    const { run } = this.received;
    if (!journal || !run || this.#remembered?.shows === shows) return;
    const { interactionId, serverId, channelId, name } = run.event;
    const open = { interactionId, serverId, channelId, name, shows, atMs: clock.now() };
    this.#remembered = { shows, forget: journal.open(interactionId, open) };
  }

  protected forget(): void {
    this.#remembered?.forget();
    this.#remembered = undefined;
  }

  /** Signal that is aborted when no other attempt is made: after the expiry, the end of the run, or the end of the bot. */
  protected get lifeSignal(): AbortSignal {
    if (!this.#life) {
      const { ending } = this.env;
      const life = (this.#life = new AbortController());
      if (ending.aborted || this.#hasEnded || this.#state === 'expired') life.abort();
      else ending.addEventListener('abort', () => life.abort(), { signal: life.signal });
    }
    return this.#life.signal;
  }

  /**
   * Repeats a call of the command until the call succeeds, the window ends, the bot drains, or the signal is aborted.
   *
   * @param onWait - called before each wait for another attempt.
   */
  pursue<T>(
    call: () => Promise<T>,
    options: { readonly signal?: AbortSignal } = {},
    onWait?: () => void,
  ): Promise<T> {
    return pursue(call, () => this.pursuit(options.signal, onWait));
  }

  protected pursuit(signal = this.lifeSignal, onWait?: () => void): PursuitOptions {
    const { clock, random } = this.env;
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

  #noteTrouble(error: unknown, waitMs: number): void {
    const { log } = this.env;
    const { commandName: command, interactionId, run } = this.received;
    // One warning for the first failure; the client logs each request itself.
    log[this.trouble === undefined ? 'warn' : 'debug'](
      { command, interactionId, waitMs: Math.round(waitMs), reason: errorText(error) },
      `a call of /${command} failed; retrying`,
    );
    this.trouble = error;
    run?.onRetry?.();
  }

  /** End of the window: a reading of `Clock.monotonic()`. A defer that is accepted during a wait extends the window. */
  get #untilMs(): number {
    if (this.#isLost) return this.env.clock.monotonic();
    return (this.#deferredAtMs ?? this.received.receivedAtMs) + this.env.profile.deferredWindowMs;
  }

  /** Time to drop an interaction that the platform provably has not opened: a reading of `Clock.monotonic()`. */
  get #dropAtMs(): number {
    const { windows, minMs } = UNOPENED;
    return this.received.receivedAtMs + Math.max(windows * this.env.profile.answerWindowMs, minMs);
  }

  get #isLost(): boolean {
    return !this.#mayBeOpened && this.env.clock.monotonic() >= this.#dropAtMs;
  }

  /** Drops the interaction after a failed write if the platform provably has not opened it in time. */
  protected dropLost(): void {
    if (!this.#isLost) return;
    this.#state = 'expired';
    this.#life?.abort();
  }

  protected warn(details: object, message: (command: string) => string): void {
    const { commandName: command, interactionId } = this.received;
    this.env.log.warn({ command, interactionId, ...details }, message(command));
  }

  /**
   * Checks, after this process was suspended, whether another process runs the command now; if so, the other process
   * answers, and the promise rejects. Returns nothing if this process was not suspended.
   */
  protected recheck(): Promise<void> | undefined {
    return this.received.queued?.isOwn?.()?.then((isOwn) => {
      if (isOwn === undefined) this.#share();
      if (isOwn !== false) return;
      this.#state = 'expired';
      this.#life?.abort();
      this.trouble = new Error('its process was suspended, and another one runs it');
      throw this.expired();
    });
  }

  /** Notes that another process may have answered: a first answer is then tried as an edit. */
  #share(): void {
    if (this.#hasAnswer || this.#state === 'expired') return;
    this.#isShared = true;
    this.#state = 'failed';
  }

  protected async sendOpen(call: 'ack' | 'defer'): Promise<void> {
    const { rest, profile } = this.env;
    const before = this.#state;
    // Before the call: if this process is killed during the call, only the journal knows of the thinking state.
    if (call === 'defer') this.remember('thinking');
    const options = this.#options(undefined, this.#openDeadlineMs);
    try {
      await this.#call(call, rest.interactions[call](this.received.interactionId, options));
    } catch (error) {
      if (isVirguleError(error, 'E_TIMEOUT'))
        this.#openDeadlineMs = Math.min(this.#openDeadlineMs * 2, OPEN_DEADLINE_MS.max);
      // An earlier attempt with an unknown outcome has opened the interaction, or another process has.
      if (outcomeOf(error, profile) !== 'already') throw error;
      if (call === 'defer' && before === 'received') this.#share();
    }
  }

  /** Sends a message. An edit sends only the text. */
  protected send(
    call: 'respond' | 'edit' | 'follow-up',
    { content, attachments, replyTo }: MessageParts,
    signal?: AbortSignal,
  ): Promise<SentAnswer> {
    const { interactions } = this.env.rest;
    const { interactionId: id, queued } = this.received;
    if (call === 'edit') {
      // The deadline leaves time for a defer, in case there is nothing to edit yet.
      const options = this.#options(signal, this.#answerDeadlineMs());
      return this.#call(call, interactions.editResponse(id, { content }, options));
    }
    // Null means no text, which is allowed only with files.
    const text = content === '' ? null : content;
    const body = { content: text, attachments, replyToMessageId: replyTo };
    if (call === 'respond') {
      const options = this.#options(signal, this.#answerDeadlineMs(SETTLE_MS));
      return this.#call(call, interactions.respond(id, body, options));
    }
    const options = this.#options(signal);
    const send = (): Promise<SentAnswer> =>
      this.#call(call, interactions.followUp(id, body, options));
    return queued?.followingUp?.().then(send) ?? send();
  }

  protected expired(cause?: unknown): Error {
    if (isVirguleError(cause, 'E_INTERACTION_EXPIRED')) return cause;
    const { commandName, interactionId } = this.received;
    const trouble = this.trouble === undefined ? undefined : errorText(this.trouble);
    const [state, hasAnswer] = [this.#state, this.#hasAnswer];
    const details = { commandName, interactionId, state, hasAnswer, trouble };
    return runtimeErrors.E_INTERACTION_EXPIRED(details, { cause });
  }

  /** Returns the options of a call, always with the same keys: a spread takes longer than the code that reads them. */
  #options(signal?: AbortSignal, deadlineMs?: number): CallOptions {
    const { priority, run } = this.received;
    // After a failure, only a few calls probe a platform that is unreachable, not the calls of every interaction.
    const isRetry = this.trouble === undefined ? undefined : true;
    return { signal, deadlineMs, priority, onRetry: run?.onRetry, isRetry };
  }

  /**
   * Returns the deadline of a first answer in milliseconds, `leaveMs` before the end of the window; `undefined` for no
   * deadline. The client rejects at once for a rate limit that ends after the deadline, so that a defer can be sent.
   */
  #answerDeadlineMs(leaveMs = 0): number | undefined {
    if (this.#isOpened) return undefined;
    const { profile, clock } = this.env;
    const nowMs = clock.monotonic();
    const leftMs = this.received.receivedAtMs + profile.answerWindowMs - nowMs;
    // After the assumed window: the real window is longer, or over.
    const isLate = this.#state === 'deferred' || leftMs <= 0;
    if (isLate && this.#mayBeOpened) return undefined;
    const untilMs = isLate ? this.#dropAtMs : nowMs + leftMs - leaveMs;
    return Math.max(ANSWER_DEADLINE_MIN_MS, untilMs - nowMs);
  }

  /** Records the outcome of a call. */
  #call<T>(call: Call, sending: Promise<T>): Promise<T> {
    this.received.run?.callStarted();
    return sending.then(
      (result) => {
        this.#ended(call, 'done');
        return result;
      },
      (error: unknown) => {
        const { profile } = this.env;
        // Only a defer shows that the interaction is gone: an edit with nothing to edit does not.
        const isOpen = call === 'edit' && this.#state === 'failed' && !this.isReopened;
        const outcome =
          isOpen && saysNothingThere(error, profile) ? 'refused' : outcomeOf(error, profile);
        this.#ended(call, outcome);
        throw outcome === 'gone' ? this.expired(error) : error;
      },
    );
  }

  #ended(call: Call, outcome: Outcome): void {
    const before = this.#state;
    this.#state = stateAfter(before, call, outcome);
    if (this.#state === 'answered') this.#hasAnswer = true;
    if (outcome === 'done') this.trouble = undefined;
    if (outcome === 'done' || outcome === 'already') this.#isOpened = true;
    if (this.#isOpened || (outcome === 'unknown' && OPENS.has(call))) this.#mayBeOpened = true;
    if (call === 'respond' && outcome === 'already') this.#isAnsweredBefore = true;
    if (call === 'ack' && outcome === 'done') this.mayBeDeferred = false;
    if (call === 'defer') {
      if (outcome === 'unknown') this.mayBeDeferred = true;
      else if (outcome === 'done' || outcome === 'already') {
        this.mayBeDeferred = false;
        this.#deferredAtMs ??= this.env.clock.monotonic();
      }
    }
    if (this.#state === 'expired') this.#life?.abort();
    this.received.run?.callEnded(before, outcome);
  }
}
