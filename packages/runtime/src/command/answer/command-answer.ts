import { errorText } from '@virgule/core/errors';
import type { LogLevel } from '@virgule/core/log';
import type { BotEnvironment } from '../environment.js';
import type { OpenInteraction } from '../interaction-journal.js';
import type { CommandRun } from '../run/command-run.js';
import { checkMessage, type MessageParts } from './answer.js';
import { pursue, waitToRetry, type PursuitOptions } from './pursue.js';
import type { ReceivedCommand } from './received-command.js';
import { progressFrom, type Action, type InteractionState, type Progress } from './transitions.js';
import { MessageTurns, Turns } from './turns.js';
import type { Attempted, WriteOptions, Written } from './sent-message.js';

/** The members of a run that the calls of its answer use. At most one call is in flight. */
export type CallingRun = Pick<CommandRun, 'timings' | 'callStarted' | 'callEnded'>;

/** Controller of every answer that ended before it waited for another attempt. */
const ENDED = new AbortController();
ENDED.abort();

/**
 * The answer of one run of a command, in the form that its caller takes. Messages are sent in their order, one call at a time.
 * A failed message is repeated until its window ends or the bot drains.
 */
export abstract class CommandAnswer {
  /** Current text of the answer; `undefined` if this process has not answered. */
  content: string | undefined;
  /** `true` if the answer is an intermediate state: another state was expected to replace it. */
  isUnfinished = false;
  /** Error of the last write; `undefined` if the write succeeded. */
  failure: { readonly error: unknown } | undefined;
  protected readonly received: ReceivedCommand;
  protected readonly env: BotEnvironment;
  protected readonly run: CallingRun | undefined;
  protected readonly commandName: string;
  protected progress: Progress;
  /** Last failure that another attempt may fix. */
  protected lastFailure: unknown;
  /** Id of the answer, if the answer is a message of the bot. */
  protected answerId: string | undefined;
  /** Lock that a message holds from its first attempt to its last. */
  readonly messages = new MessageTurns();
  /** Lock that one call holds, so that an answer never overtakes a defer in flight. */
  readonly #calls = new Turns();
  /** Controller that ends the waits for another attempt. Created for the first wait. */
  #life: AbortController | undefined;
  #noted: { readonly state: string; readonly forget: () => void } | undefined;

  /** @param run - is notified of every call; its open states are written to the journal. */
  constructor(received: ReceivedCommand, env: BotEnvironment, run?: CallingRun) {
    this.received = received;
    this.env = env;
    this.run = run;
    this.commandName = (received.command ?? received.event).name;
    this.answerId = received.message?.answerId;
    this.progress = progressFrom(received.opened);
    if (received.opened === 'deferred') this.remember('thinking');
  }

  get state(): InteractionState {
    return this.progress.state;
  }

  /** Returns whether another process has answered. */
  get isAnsweredBefore(): boolean {
    return this.progress.hasAnswer && this.content === undefined;
  }

  /** Shows that the command works, unless something was sent before. */
  abstract defer(): Promise<void>;

  /** Makes the call that the state requires for a message, or throws the reason why there is none. */
  protected abstract attempt(
    action: Action,
    parts: MessageParts,
    options: WriteOptions,
  ): Promise<Attempted>;

  /** Shows that the command works, in the background, or only keeps a silent command open; a failure is logged. */
  autoDefer(isSilent = false): void {
    const deferring = isSilent ? this.acknowledge() : this.defer();
    deferring.catch((error: unknown) => this.noteUndeferred(error));
  }

  /** Ends a command without an answer, unless something was sent before. */
  async acknowledge(): Promise<void> {
    if (this.state === 'received') this.reached('acknowledged');
  }

  /** Replaces a thinking state that another process may have left. Creates no answer without one. */
  async replaceThinking(_content: string): Promise<void> {}

  /** Creates the answer, or replaces its text. */
  write(parts: MessageParts, options: WriteOptions = {}): Promise<Written> {
    return this.#send('write', parts, options);
  }

  /** Creates the answer, or sends a follow-up if there is an answer. */
  reply(parts: MessageParts): Promise<Written> {
    return this.#send('reply', parts, {});
  }

  /** Repeats a call of the command until it succeeds, the window ends, the bot drains, or the signal is aborted. */
  pursue<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return pursue(call, () => this.#pursuit(signal));
  }

  /** Makes the current state final. Resolves when the state is no longer in the journal. */
  async finish(): Promise<void> {
    this.isUnfinished = false;
    this.#forget();
    await this.env.journal?.written();
  }

  /** Ends the waits for another attempt. A later write is tried once. */
  end(): void {
    this.endWaits();
    // A thinking state or an unfinished state at the end of the bot stays in the journal, for the next start.
    if (!this.env.ending.aborted || this.#noted?.state.startsWith('answer')) this.#forget();
  }

  /** Writes the state that the user sees to the journal, for the next start after a kill. */
  remember(shows: OpenInteraction['shows']): void {
    const { journal, clock } = this.env;
    const { answerId } = this;
    const state = answerId === undefined ? shows : `${shows} ${answerId}`;
    if (!journal || !this.run || this.#noted?.state === state) return;
    const { event, message: by } = this.received;
    const { interactionId, serverId, channelId, name } = event;
    const message = by && { ...by, answerId };
    const open = { interactionId, serverId, channelId, name, message, shows, atMs: clock.now() };
    this.#noted = { state, forget: journal.open(interactionId, open) };
  }

  #forget(): void {
    this.#noted?.forget();
    this.#noted = undefined;
  }

  /** Makes calls when no other call is in flight, and repeats them. `onWait` is called before each wait. */
  protected inTurn<T>(calls: () => Promise<T>, onWait?: () => void): Promise<T> {
    const inTurn = async (): Promise<T> => {
      await this.#calls.take();
      try {
        await this.recheck?.();
        return await calls();
      } finally {
        this.#calls.pass();
      }
    };
    return pursue(inTurn, () => this.#pursuit(undefined, onWait));
  }

  async #send(action: Action, parts: MessageParts, options: WriteOptions): Promise<Written> {
    const { signal, isState = false } = options;
    const { asksQuestions, ownTexts } = this.env;
    const turn = this.messages.take();
    if (turn) await turn;
    try {
      checkMessage(parts, this.commandName, this.env.log);
      ownTexts.add(parts.content);
      if (isState) this.remember('state');
      else if (asksQuestions && this.state === 'received') this.remember('answer');
      let attempted: Attempted | undefined;
      // Repeats the loop of `pursue` with the lock in it for speed: most calls find the lock free, and need not await it.
      for (let failures = 0; !attempted; failures += 1) {
        try {
          const free = this.#calls.take();
          if (free) await free;
          try {
            const rechecking = this.recheck?.();
            if (rechecking) await rechecking;
            attempted = await this.attempt(action, parts, options);
          } finally {
            this.#calls.pass();
          }
        } catch (error) {
          if (signal) throw error;
          await waitToRetry(error, failures, () => this.#pursuit());
        }
      }
      const { answer, isAnswer, held, files } = attempted;
      const { content } = parts;
      this.failure = undefined;
      if (isAnswer) {
        this.content = content;
        this.isUnfinished = isState;
        // Another piece follows, or a question is stored.
        if (signal || asksQuestions) this.remember(isState ? 'state' : 'answer');
        else this.#forget();
      }
      if (files?.length)
        await this.inTurn(() => this.attempt('reply', { content: '', attachments: files }, {}));
      return { answer, isAnswer, content, held };
    } catch (error) {
      const failure = this.writeError ? this.writeError(error) : error;
      this.failure = { error: failure };
      throw failure;
    } finally {
      this.messages.pass();
    }
  }

  /** Checks whether another process runs the command now. Returns nothing if that cannot be. */
  protected recheck?(): Promise<void> | undefined;

  /** Returns the error of a failed message. @defaultValue the error of its last call */
  protected writeError?(error: unknown): unknown;

  /** End of the window: a reading of `Clock.monotonic()`. A defer that is accepted during a wait extends the window. */
  protected get untilMs(): number {
    const { deferredAtMs = this.received.receivedAtMs } = this.progress;
    return deferredAtMs + this.env.profile.deferredWindowMs;
  }

  protected reached(state: InteractionState): void {
    const hasAnswer = this.progress.hasAnswer || state === 'answered';
    this.progress = { ...this.progress, state, hasAnswer };
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

  protected endWaits(): void {
    // Not aborted again: that creates an error, which takes longer than the rest of a command.
    if (this.#life) this.#life.abort();
    else this.#life = ENDED;
  }

  /** Returns the limits of the attempts of a call. */
  #pursuit(signal = this.lifeSignal, onWait?: () => void): PursuitOptions {
    const { clock, random } = this.env;
    return {
      clock,
      random,
      untilMs: this.untilMs,
      signal,
      onWait: (error, waitMs) => {
        // One warning for the first failure; the client logs each request itself.
        const level = this.lastFailure === undefined ? 'warn' : 'debug';
        const details = { waitMs: Math.round(waitMs), reason: errorText(error) };
        this.note(level, details, `a call of /${this.commandName} failed; retrying`);
        this.lastFailure = error;
        this.run?.timings?.onRetry();
        onWait?.();
      },
    };
  }

  protected noteUndeferred(error: unknown): void {
    this.note('warn', { err: error }, `/${this.commandName} could not be deferred`);
  }

  /** Writes a log line that names the command and its interaction. */
  note(level: LogLevel, details: object, message: string): void {
    const { interactionId } = this.received.event;
    this.env.log[level]({ command: this.commandName, interactionId, ...details }, message);
  }
}
