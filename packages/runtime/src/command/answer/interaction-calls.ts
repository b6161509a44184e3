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

/** A run, as the calls of its interaction see it. */
interface CallingRun {
  readonly event: ApplicationCommandEvent;
  /** Called when a call is made again; `undefined` if that is not counted. */
  readonly onRetry: (() => void) | undefined;
  /** Called when a call is sent. There is one at a time. */
  callStarted(): void;
  /** Called when a call is settled. `before` is the state in which it was sent. */
  callEnded(before: InteractionState, outcome: Outcome): void;
}

/** An interaction as it was received. */
export interface ReceivedInteraction {
  readonly interactionId: string;
  readonly commandName: string;
  /** A reading of `Clock.monotonic()`: the windows begin then. */
  readonly receivedAtMs: number;
  /** How another process left it; `unknown`: a first answer may be there. @defaultValue none had it */
  readonly opened?: 'deferred' | 'acknowledged' | 'answered' | 'unknown' | undefined;
  /** `background` if the calls of other interactions go first. @defaultValue `awaited` */
  readonly priority?: CallPriority | undefined;
  /** The queue that delivered it, or what is like one. */
  readonly queued?: Pick<QueuedDelivery, 'followingUp' | 'isOwn'> | undefined;
  /** The run that is informed of every call. */
  readonly run?: CallingRun | undefined;
}

/** What the user of an open interaction sees. */
type Shows = Parameters<InteractionJournal['open']>[1]['shows'];

/**
 * Time for the first defer or acknowledgement, in milliseconds. A rate limit asks for a second or more, so the client rejects
 * the call instead of waiting in it, and an answer that is ready goes first. After one that took longer, the next has twice
 * the time, up to the maximum: a platform that is slow would get the same call again and again.
 */
const OPEN_DEADLINE_MS = { first: 1_000, max: 8_000 };

/**
 * Time that a first answer leaves of the window, in milliseconds: when nothing says what became of it, an
 * edit and a defer must still have their turn.
 */
const SETTLE_MS = 1_000;

/**
 * While all calls of an interaction were refused or never sent, it is pursued for this many answer windows, and for the
 * minimum at least: it has expired by then, and a platform that comes back must not get the calls of its whole outage.
 * One that was sent and got no answer may have opened it, so its user may see the thinking state: that is pursued.
 */
const UNOPENED = { windows: 5, minMs: 15_000 };

/** The calls that open an interaction. */
const OPENS: ReadonlySet<Call> = new Set<Call>(['ack', 'defer', 'respond']);

/** Least time for a first answer within the window, in milliseconds. */
const ANSWER_DEADLINE_MIN_MS = 1_000;

/**
 * The calls of one interaction, and its state after each. The caller makes one at a time, and decides by the
 * state which one.
 */
export class InteractionCalls {
  protected readonly received: ReceivedInteraction;
  protected readonly env: BotEnvironment;
  /** The last failure that another attempt may fix. */
  protected trouble: unknown;
  /** Whether a defer was sent and its outcome is unknown. */
  protected mayBeDeferred = false;
  /** Whether a defer was accepted after the outcome of an answer had become unknown. */
  protected isReopened = false;
  #state: InteractionState = 'received';
  /** Whether another process may have answered. */
  #isShared = false;
  #isAnsweredBefore = false;
  #hasAnswer = false;
  /** Whether the platform accepted a call. */
  #isOpened = false;
  /** Whether it accepted one, or no answer says that it did not. */
  #mayBeOpened = false;
  #deferredAtMs: number | undefined;
  #openDeadlineMs = OPEN_DEADLINE_MS.first;
  /** Ends the waits for another attempt. Created for the first one. */
  #life: AbortController | undefined;
  #hasEnded = false;
  /** What the journal says that its user sees. */
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

  /** Whether the platform refused the answer because it has one already, such as from an earlier process. */
  get isAnsweredBefore(): boolean {
    return this.#isAnsweredBefore;
  }

  /** Whether another process may have answered, and nothing has shown yet whether it did. */
  get isAnswerUnknown(): boolean {
    return this.#state === 'failed' && this.#isShared;
  }

  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void {
    this.#hasEnded = true;
    this.#life?.abort();
    // What the bot could not show before it ended is left to the next start.
    if (!this.env.ending.aborted || this.#remembered?.shows === 'answer') this.forget();
  }

  /** Remembers what its user sees, for the next start if this process is killed. */
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

  /** Aborted when there is no other attempt: after the expiry, the end of the run or that of the bot. */
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
   * Makes a call of the command until it gets through, the window ends, or the bot drains; or until the signal ends the wait.
   *
   * @param onWait - notified before each wait for another attempt.
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
    // One line for the first failure; each attempt is a detail, and the client has lines for the requests.
    log[this.trouble === undefined ? 'warn' : 'debug'](
      { command, interactionId, waitMs: Math.round(waitMs), reason: errorText(error) },
      `a call of /${command} failed; retrying`,
    );
    this.trouble = error;
    run?.onRetry?.();
  }

  /** When the window ends: a reading of `Clock.monotonic()`. A defer may be accepted during a wait. */
  get #untilMs(): number {
    if (this.#isLost) return this.env.clock.monotonic();
    return (this.#deferredAtMs ?? this.received.receivedAtMs) + this.env.profile.deferredWindowMs;
  }

  /** When an interaction is dropped that the platform provably has not opened. */
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
   * Finds out, after this process was suspended, whether another one runs the command meanwhile: then that one answers.
   * Returns nothing if it was not.
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

  /** Another process may have answered, so a first answer is tried as an edit. */
  #share(): void {
    if (this.#hasAnswer || this.#state === 'expired') return;
    this.#isShared = true;
    this.#state = 'failed';
  }

  protected async sendOpen(call: 'ack' | 'defer'): Promise<void> {
    const { rest, profile } = this.env;
    const before = this.#state;
    // First: of a process that is killed meanwhile, nothing else would know.
    if (call === 'defer') this.remember('thinking');
    const options = this.#options(undefined, this.#openDeadlineMs);
    try {
      await this.#call(call, rest.interactions[call](this.received.interactionId, options));
    } catch (error) {
      if (isVirguleError(error, 'E_TIMEOUT'))
        this.#openDeadlineMs = Math.min(this.#openDeadlineMs * 2, OPEN_DEADLINE_MS.max);
      // An earlier try that seemed to be lost has opened it, or another process has.
      if (outcomeOf(error, profile) !== 'already') throw error;
      if (call === 'defer' && before === 'received') this.#share();
    }
  }

  /** Sends a message. An edit has its text alone. */
  protected send(
    call: 'respond' | 'edit' | 'follow-up',
    { content, attachments, replyTo }: MessageParts,
    signal?: AbortSignal,
  ): Promise<SentAnswer> {
    const { interactions } = this.env.rest;
    const { interactionId: id, queued } = this.received;
    if (call === 'edit') {
      // If there is nothing to edit yet, a defer must still be in time.
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

  /** Returns the options of a call, always with the same keys: a spread takes longer than what reads them. */
  #options(signal?: AbortSignal, deadlineMs?: number): CallOptions {
    const { priority, run } = this.received;
    // After a failure, a platform that is away is asked by a few calls, and not by those of each interaction.
    const isRetry = this.trouble === undefined ? undefined : true;
    return { signal, deadlineMs, priority, onRetry: run?.onRetry, isRetry };
  }

  /**
   * Returns the time for a call of a first answer, except what it has to leave. The client rejects at once
   * for a rate limit that ends after it, so that a defer can be sent meanwhile.
   */
  #answerDeadlineMs(leaveMs = 0): number | undefined {
    if (this.#isOpened) return undefined;
    const { profile, clock } = this.env;
    const nowMs = clock.monotonic();
    const leftMs = this.received.receivedAtMs + profile.answerWindowMs - nowMs;
    // After the assumed window: it is longer than assumed, or over.
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
