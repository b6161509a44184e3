import type { CallOptions, CallPriority, SentAnswer } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import type { BotEnvironment } from '../environment.js';
import type { QueuedDelivery } from '../gateway-port.js';
import type { CommandRun } from '../run/command-run.js';
import type { MessageParts } from './answer.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { OpenInteraction } from '../interaction-journal.js';
import { OrderedAnswer } from './ordered-answer.js';
import type { PursuitOptions } from './pursue.js';
import {
  answerDeadlineMs,
  isLost,
  isSettling,
  nextStep,
  outcomeOf,
  progressAfter,
  progressFrom,
  SETTLE_MS,
  type Call,
  type InteractionState,
  type Outcome,
  type Progress,
} from './transitions.js';

/** The members of a run that the calls of its answer use. At most one call is in flight. */
export type CallingRun = Pick<CommandRun, 'onRetry' | 'callStarted' | 'callEnded'>;

/** An interaction as it was received. */
export interface ReceivedInteraction {
  readonly event: Pick<OpenInteraction, 'interactionId' | 'serverId' | 'channelId' | 'name'>;
  /** Command that runs: the event may name an alias of it. @defaultValue no command runs */
  readonly command?: { readonly name: string };
  /** Start of the answer windows: a reading of `Clock.monotonic()`. */
  readonly receivedAtMs: number;
  /** State in which another process left the interaction. @defaultValue no other process had it */
  readonly opened?: Exclude<InteractionState, 'received' | 'expired' | 'failed'> | undefined;
  /** `background` if the calls of other interactions go first. @defaultValue `awaited` */
  readonly priority?: CallPriority | undefined;
  /** Queue that delivered the interaction, or an object with the same members. */
  readonly queued?: Pick<QueuedDelivery, 'followingUp' | 'isOwn'> | undefined;
}

type Shows = OpenInteraction['shows'];

/**
 * Deadline of a defer or an acknowledgement, in milliseconds, doubled after each timeout for a slow platform. A rate limit asks
 * for a second or more: the client then rejects the call, and an answer that is ready goes first.
 */
const OPEN_DEADLINE_MS = { first: 1_000, max: 8_000 };

/** Controller of every interaction that ended before it waited for another attempt. */
const ENDED = new AbortController();
ENDED.abort();

/** Makes the calls of one interaction and records their outcomes. The caller makes one call at a time. */
export class InteractionCalls extends OrderedAnswer {
  protected readonly received: ReceivedInteraction;
  protected readonly env: BotEnvironment;
  readonly #run: CallingRun | undefined;
  protected readonly commandName: string;
  protected progress: Progress;
  /** Last failure that another attempt may fix. */
  protected lastFailure: unknown;
  #openDeadlineMs = OPEN_DEADLINE_MS.first;
  /** Controller that ends the waits for another attempt. Created for the first wait. */
  #life: AbortController | undefined;
  #remembered: { readonly shows: Shows; readonly forget: () => void } | undefined;

  /** @param run - is notified of every call; its open states are written to the journal. */
  constructor(received: ReceivedInteraction, env: BotEnvironment, run?: CallingRun) {
    super();
    this.received = received;
    this.env = env;
    this.#run = run;
    this.commandName = (received.command ?? received.event).name;
    this.progress = progressFrom(received.opened);
    if (received.opened === 'deferred') this.remember('thinking');
  }

  get state(): InteractionState {
    return this.progress.state;
  }

  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void {
    this.#stop();
    // A thinking state or an unfinished state at the end of the bot stays in the journal, for the next start.
    if (!this.env.ending.aborted || this.#remembered?.shows === 'answer') this.forget();
  }

  /** Writes the state that the user sees to the journal, for the next start after a kill. */
  remember(shows: Shows): void {
    const { journal, clock } = this.env;
    if (!journal || !this.#run || this.#remembered?.shows === shows) return;
    const { interactionId, serverId, channelId, name } = this.received.event;
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
      if (ending.aborted) life.abort();
      else ending.addEventListener('abort', () => life.abort(), { signal: life.signal });
    }
    return this.#life.signal;
  }

  #stop(): void {
    // Not aborted again: that creates an error, which takes longer than the rest of a command.
    if (this.#life) this.#life.abort();
    else this.#life = ENDED;
  }

  /** Returns the limits of the attempts of a call. A defer that is accepted during a wait extends the window. */
  protected pursuit(signal = this.lifeSignal, onWait?: () => void): PursuitOptions {
    const { clock, random, profile } = this.env;
    const { deferredAtMs = this.received.receivedAtMs } = this.progress;
    return {
      clock,
      random,
      untilMs: this.#isLost ? clock.monotonic() : deferredAtMs + profile.deferredWindowMs,
      signal,
      onWait: (error, waitMs) => {
        this.#noteTrouble(error, waitMs);
        onWait?.();
      },
    };
  }

  #noteTrouble(error: unknown, waitMs: number): void {
    // One warning for the first failure; the client logs each request itself.
    this.note(
      this.lastFailure === undefined ? 'warn' : 'debug',
      { waitMs: Math.round(waitMs), reason: errorText(error) },
      `a call of /${this.commandName} failed; retrying`,
    );
    this.lastFailure = error;
    this.#run?.onRetry?.();
  }

  get #isLost(): boolean {
    const { clock, profile } = this.env;
    return isLost(this.progress, clock.monotonic() - this.received.receivedAtMs, profile);
  }

  /** Returns the error of a failed message: the expiry, also if the platform provably has not opened the interaction in time. */
  protected writeError(error: unknown): unknown {
    if (this.#isLost) this.#expire();
    return this.state === 'expired' ? this.expired(error) : error;
  }

  #expire(): void {
    this.progress = { ...this.progress, state: 'expired' };
    this.#stop();
  }

  protected note(level: 'warn' | 'debug', details: object, message: string): void {
    const { interactionId } = this.received.event;
    this.env.log[level]({ command: this.commandName, interactionId, ...details }, message);
  }

  /**
   * Checks, after this process was suspended, whether another process runs the command now; if so, the other process answers,
   * and the promise rejects. Returns nothing if this process was not suspended.
   */
  protected recheck(): Promise<void> | undefined {
    return this.received.queued?.isOwn?.()?.then((isOwn) => {
      const { hasAnswer, state } = this.progress;
      if (isOwn === undefined && !hasAnswer && state !== 'expired')
        this.progress = { ...this.progress, state: 'shared' };
      if (isOwn !== false) return;
      this.#expire();
      this.lastFailure = new Error('its process was suspended, and another one runs it');
      throw this.expired();
    });
  }

  /** Defers or acknowledges, unless something was sent before. */
  protected async open(action: 'defer' | 'acknowledge'): Promise<void> {
    const step = nextStep(this.progress, action);
    if (step === 'defer' || step === 'ack') await this.sendOpen(step);
  }

  protected async sendOpen(call: 'ack' | 'defer'): Promise<void> {
    const { rest, profile, clock } = this.env;
    // Before the call: if this process is killed during the call, only the journal knows of the thinking state.
    if (call === 'defer') this.remember('thinking');
    const options = this.#options(undefined, this.#openDeadlineMs);
    try {
      const sending = rest.interactions[call](this.received.event.interactionId, options);
      await this.#call(call, sending, clock.monotonic(), () => {});
    } catch (error) {
      if (isVirguleError(error, 'E_TIMEOUT'))
        this.#openDeadlineMs = Math.min(this.#openDeadlineMs * 2, OPEN_DEADLINE_MS.max);
      // An earlier attempt with an unknown outcome has opened the interaction, or another process has.
      if (outcomeOf(error, profile) !== 'already') throw error;
    }
  }

  /** Sends a message, and resolves to the result of `toResult` or `failed`. An edit sends only the text. */
  protected send<Result>(
    call: 'respond' | 'edit' | 'follow-up',
    { content, attachments, replyTo }: MessageParts,
    signal: AbortSignal | undefined,
    toResult: (answer: SentAnswer) => Result,
    failed?: (error: unknown) => Promise<Result>,
  ): Promise<Result> {
    const { rest, profile, clock } = this.env;
    const { interactions } = rest;
    const { event, queued, receivedAtMs } = this.received;
    const { interactionId: id } = event;
    const nowMs = clock.monotonic();
    const ageMs = nowMs - receivedAtMs;
    if (call === 'edit') {
      // The deadline leaves time for a defer, in case there is nothing to edit yet.
      const options = this.#options(signal, answerDeadlineMs(this.progress, ageMs, profile));
      return this.#call(call, interactions.editResponse(id, { content }, options), nowMs, toResult);
    }
    // Null means no text, which is allowed only with files.
    const text = content === '' ? null : content;
    const body = { content: text, attachments, replyToMessageId: replyTo };
    if (call === 'respond') {
      const deadlineMs = answerDeadlineMs(this.progress, ageMs, profile, SETTLE_MS);
      const options = this.#options(signal, deadlineMs);
      return this.#call(call, interactions.respond(id, body, options), nowMs, toResult, failed);
    }
    const options = this.#options(signal);
    const send = (): Promise<Result> =>
      this.#call(call, interactions.followUp(id, body, options), clock.monotonic(), toResult);
    return queued?.followingUp?.().then(send) ?? send();
  }

  protected expired(cause?: unknown): Error {
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
    const onRetry = this.#run?.onRetry;
    return { signal, deadlineMs, priority, onRetry, isRetry, isSequential: true };
  }

  /** Records the outcome of a call. In one step with `toResult` and `failed`: every command runs this code. */
  #call<T extends SentAnswer | void, Result>(
    call: Call,
    sending: Promise<T>,
    nowMs: number,
    toResult: (result: T) => Result,
    failed?: (error: unknown) => Promise<Result>,
  ): Promise<Result> {
    this.#run?.callStarted(nowMs);
    return sending.then(
      (result) => {
        // A platform may accept an edit although there is no answer.
        const isDoubtful = this.state === 'shared' && call === 'edit' && !result?.message();
        this.#ended(call, isDoubtful ? 'unknown' : 'done');
        return toResult(result);
      },
      (error: unknown) => {
        const meansExpired = !isSettling(this.state, call);
        const outcome = outcomeOf(error, this.env.profile);
        this.#ended(call, outcome);
        const reason = outcome === 'gone' && meansExpired ? this.expired(error) : error;
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
    if (this.state === 'expired') this.#stop();
    this.#run?.callEnded(state, outcome, nowMs);
  }
}
