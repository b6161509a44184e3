import { AsyncResource } from 'node:async_hooks';
import { settlesWithin, type Clock, type Deadline } from '@virgule/core/clock';
import { readableError } from '@virgule/core/errors';
import { isKept } from '@virgule/core/log';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { userOfEvent, type Author } from '../author.js';
import type { CommandContext } from '../context/command-context.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import type { SentMessage } from '../answer/answer.js';
import { Interaction } from '../answer/interaction.js';
import type { TextAppender } from '../answer/append-text.js';
import type { CommandAnswer } from '../answer/command-answer.js';
import type { Caller, ReceivedCommand } from '../answer/received-command.js';
import type { ChannelHandle } from '../context/shared-context.js';
import { lostText } from '../context/watched-promise.js';
import type { RefusedInput } from '../raw-input/input-failure.js';
import { Lifetime } from '../lifetime.js';
import type { InteractionState, Outcome } from '../answer/transitions.js';
import type { ConcurrencySlot } from '../throttle/concurrency-store.js';
import type { Command } from '../define/command.js';
import type { BotEnvironment, OpenRun } from '../environment.js';
import type { RunResult, Work } from '../observer.js';
import { RunTimings } from './run-timings.js';

/** Delay of a start or a defer from which it is logged as late, in milliseconds. */
const LATE_MS = 200;

/** Minimum age of an interaction that can expire, in milliseconds. An earlier refusal has another reason than time. */
const MIN_EXPIRY_MS = 500;

/** Maximum time that a defer is sent before it is due when the event loop lags, in milliseconds. */
const DEFER_AHEAD_MS = 500;

/** Time for the error handler of a stopped command, in milliseconds. */
const FINAL_REPLY_MS = 3_000;

const NONE: readonly never[] = [];

/** Reason of a late start. */
export type LateCause = keyof typeof LATE_TEXTS;

const LATE_TEXTS = {
  queued: 'no worker was free',
  starting: 'the bot was starting',
  lookup: 'the author or the server was looked up',
  blocked: 'the event loop was blocked',
};

export interface CommandRunInit extends ReceivedCommand {
  readonly command: Command;
  readonly event: ApplicationCommandEvent;
  /** Reason to log if the command starts late. */
  readonly cause: LateCause;
  /** @defaultValue a slash */
  readonly caller?: Exclude<Caller, 'slash'> | undefined;
  /** User who sent the command as a message. A slash command has its user in the event, if at all. */
  readonly author?: Author | undefined;
  /** Id of the author of the message that caused the call. @defaultValue the id of `author` */
  readonly authorId?: string | undefined;
  /** Creates the answer, in the form that the caller takes. @defaultValue the answer of an interaction */
  readonly open?: ((run: CommandRun) => CommandAnswer) | undefined;
  /** Names of the commands around a call, outermost first. @defaultValue no code or model called the command */
  readonly around?: readonly string[] | undefined;
  /** Refusal of the options of a call: no line carries them. @defaultValue the line of `event` is parsed */
  readonly refused?: RefusedInput | undefined;
  /** Resolves when the command can run. @defaultValue the command runs at once */
  readonly ready?: Promise<void> | undefined;
  /** The run for the observers of the bot; `undefined` if there are none. */
  readonly work?: Work | undefined;
}

/** Returns the work of a run that begins. */
export const workOf = (init: CommandRunInit): Work => ({
  kind: init.around ? 'call' : 'command',
  name: init.command.name,
  id: init.event.interactionId,
  caller: init.caller ?? 'slash',
  startMs: init.receivedAtMs,
  trace: init.queued?.trace,
});

export class CommandRun {
  readonly init: CommandRunInit;
  readonly command: Command;
  readonly event: ApplicationCommandEvent;
  readonly env: BotEnvironment;
  readonly author: Author | undefined;
  readonly interaction: CommandAnswer;
  readonly lifetime: Lifetime<OpenRun>;
  readonly timings: RunTimings | null;
  options: Readonly<Record<string, unknown>> = {};
  /** Context of the handler, and members of it that stay the same. Each is created on first use. */
  context: CommandContext | undefined;
  locals: CommandContext['locals'] | undefined;
  here: ChannelHandle | undefined;
  appender: TextAppender<SentMessage> | undefined;
  /** Slots that the run holds until it ends. */
  slots: readonly ConcurrencySlot[] = NONE;
  /** Text that replaces a thinking state if the run ends without an answer. @defaultValue the text `silent` */
  silentText: string | undefined;
  result: RunResult = 'ok';
  /** Reason why the handler was not called, for the log. */
  refusal: string | undefined;
  failure: { readonly error: unknown } | undefined;
  statesWritten: Promise<void> | null = null;
  /** `true` if the handler wrote something after it was stopped. */
  hasSpoken = false;
  /** Error for further writes of the handler. Set when the final reply was sent in its place, which must not be overwritten. */
  sealed: { readonly error: unknown } | undefined;
  /** Delay of the start or the defer, in milliseconds; 0 if there was no delay. */
  lateMs = 0;
  /** Number of messages that user code wrote. */
  written = 0;
  /** Functions that log failed calls at the end of the run. Created for the first failed call: most runs have none. */
  #failedCalls: (() => void)[] | undefined;
  #hasEnded = false;
  #isArmed = false;
  #deadline: Deadline | undefined;
  /** Due time of a defer that is not sent yet: a reading of `Clock.monotonic()`. */
  #deferDueMs = Infinity;
  #callStartMs = 0;

  constructor(init: CommandRunInit, env: BotEnvironment) {
    const { command, event, receivedAtMs, cause } = init;
    const { log, clock } = env;
    this.init = init;
    this.command = command;
    this.event = event;
    this.env = env;
    this.lifetime = new Lifetime<OpenRun>(this, env.runs);
    this.author = init.author ?? userOfEvent(event, env.profile);
    this.interaction = init.open?.(this) ?? new Interaction(init, env, this);
    this.timings = isKept(log, 'info') ? new RunTimings(clock, receivedAtMs) : null;
    const waitedMs = clock.monotonic() - receivedAtMs;
    if (waitedMs > LATE_MS) this.#noteLate(waitedMs, cause, 'started');
    if (command.deferAfterMs !== null)
      this.#deferDueMs = receivedAtMs + Math.max(command.deferAfterMs, waitedMs);
    if (command.deferAfterMs === 0) this.interaction.autoDefer(command.silent);
  }

  /** The command as its user types it, without options: `/roll` or `!roll`. */
  get typed(): string {
    const { name, messages } = this.command;
    const isMessage = this.init.caller === 'message' || messages === 'only';
    return (isMessage ? this.env.messages.prefix : '/') + name;
  }

  /** Keeps a failed call until the end of the run, when it is known whether the handler awaited `watched`. */
  failed(error: unknown, watched: { readonly isAwaited: boolean }): void {
    this.atEnd(() => this.#noteLost(error, watched.isAwaited));
  }

  /** Calls a function at the end of the run, or now if the run has ended. */
  atEnd(note: () => void): void {
    if (this.#hasEnded) note();
    else (this.#failedCalls ??= []).push(note);
  }

  /** Records that user code writes. After a stop of the handler, a write counts as its final reply. */
  speaking(): void {
    this.written += 1;
    if (this.lifetime.stopped) this.hasSpoken = true;
  }

  /** Waits for a promise, with the deadlines set. With a clock, a handler that ends because of a stop can still answer. */
  waitFor<T>(promise: PromiseLike<T>, clock?: Clock): Promise<T> {
    this.#arm();
    return this.lifetime.race(promise, clock);
  }

  /** Waits for the final reply, after a stop for at most `FINAL_REPLY_MS`. */
  async finalReply<T>(promise: Promise<T>): Promise<T> {
    const { stopped } = this.lifetime;
    if (!stopped) return this.waitFor(promise);
    if (await settlesWithin(promise, FINAL_REPLY_MS, this.env.clock)) return promise;
    throw stopped.reason;
  }

  end(): void {
    const { init, command, env, interaction, failure, timings } = this;
    if (failure) this.sealed ??= failure;
    if (this.#deadline) env.deadlines.cancel(this.#deadline);
    for (const slot of this.slots) slot.release();
    interaction.end();
    this.#hasEnded = true;
    for (const note of this.#failedCalls ?? []) note();
    this.lifetime.end();
    if (failure) env.onError(failure.error, `/${command.name}`);
    env.endRecord?.();
    if (!env.observed && !timings) return;
    const { state } = interaction;
    const { result } = this;
    const outcome = state === 'shared' || state === 'reopened' ? 'failed' : state;
    const error = failure?.error;
    const ms = env.clock.monotonic() - init.receivedAtMs;
    env.observed?.ended(Object.assign(init.work ?? workOf(init), { outcome, result, error, ms }));
    if (timings === null) return;
    const details = timings.detailsOf(init, outcome, result, ms);
    const how = this.refusal === undefined ? outcome : `refused: ${this.refusal}`;
    // No event shows the options of a call.
    const what = env.development && init.around ? this.event.rawInput : `/${command.name}`;
    const text = `${what} ${failure ? 'failed' : how}`;
    env.log.info(this.lateMs > 0 ? { ...details, lateMs: Math.round(this.lateMs) } : details, text);
  }

  callStarted(nowMs: number): void {
    this.#callStartMs = nowMs;
    const lateMs = nowMs - this.#deferDueMs;
    // The deadline of the defer has not fired: the handler has blocked the event loop itself.
    if (lateMs > LATE_MS) this.#noteLate(lateMs, 'blocked', 'answered');
    this.#deferDueMs = Infinity;
  }

  /** Called when a call is settled. `before` is the state in which the call was sent. */
  callEnded(before: InteractionState, outcome: Outcome, nowMs: number): void {
    this.timings?.callTook(nowMs - this.#callStartMs);
    // A call that this process sent late says nothing about the window of the platform.
    if (before !== 'received' || outcome !== 'gone' || this.lateMs > 0) return;
    const ageMs = Math.round(nowMs - this.init.receivedAtMs);
    if (ageMs < MIN_EXPIRY_MS) return;
    const message = `the platform treated /${this.command.name} as expired after ${ageMs} ms; set a shorter defer, or profile.answerWindowMs for all commands`;
    this.interaction.note('warn', { ageMs }, message);
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    const { deferAfterMs, timeoutMs } = this.command;
    const timeout = (): void => {
      const dueMs = this.init.receivedAtMs + timeoutMs;
      this.#deadline = this.env.deadlines.add(dueMs, () => this.#timeOut());
    };
    // One deadline at a time: most commands end before the first one.
    if (deferAfterMs === null || deferAfterMs === 0 || timeoutMs <= deferAfterMs) timeout();
    else this.#armDefer(this.init.receivedAtMs + deferAfterMs, timeout);
  }

  #armDefer(dueMs: number, next: () => void): void {
    const { deadlines, clock } = this.env;
    const expectedMs = Math.max(dueMs, clock.monotonic());
    const fire = (): void => {
      this.#deferDueMs = Infinity;
      const lateMs = clock.monotonic() - expectedMs;
      if (lateMs > LATE_MS) this.#noteLate(lateMs, 'blocked', 'deferred');
      next();
      this.interaction.autoDefer(this.command.silent);
    };
    // The timer of the deadlines runs in the context of any command. `AsyncResource.bind` costs 10 µs.
    const scope = this.init.work && new AsyncResource('virgule.defer');
    const bound = scope ? () => scope.runInAsyncScope(fire) : fire;
    this.#deadline = deadlines.add(dueMs, bound, DEFER_AHEAD_MS);
  }

  #timeOut(): void {
    const { name: commandName, timeoutMs, deferAfterMs } = this.command;
    // The final reply may be slow too and need a defer.
    if (deferAfterMs !== null && timeoutMs <= deferAfterMs)
      this.#armDefer(this.init.receivedAtMs + deferAfterMs, () => {});
    this.lifetime.stop(runtimeErrors.E_COMMAND_TIMEOUT({ commandName, timeoutMs }));
  }

  #noteLost(error: unknown, isAwaited: boolean): void {
    // The error that failed the command is logged separately, and a refusal after the final reply has the same error.
    if (isAwaited || error === this.failure?.error || error === this.sealed?.error) return;
    const message = lostText(`/${this.command.name}`, error);
    this.interaction.note('warn', { err: readableError(error) }, message);
  }

  #noteLate(ms: number, cause: LateCause, what: 'started' | 'deferred' | 'answered'): void {
    const lateMs = Math.round(ms);
    this.lateMs = Math.max(this.lateMs, ms);
    const message = `${LATE_TEXTS[cause]}: /${this.command.name} was ${what} ${lateMs} ms late`;
    this.interaction.note('warn', { lateMs }, message);
  }
}
