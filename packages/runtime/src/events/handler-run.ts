import type { Deadline } from '@virgule/core/clock';
import {
  errorText,
  isVirguleError,
  readableError,
  toError,
  type VirguleError,
} from '@virgule/core/errors';
import { isObject, isRecord } from '@virgule/core/objects';
import type { EventContext } from './event-context.js';
import { isStop } from '../errors/error-guards.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { Lifetime } from '../command/lifetime.js';
import type { Delivery, EventListener } from './event-listener.js';
import type { BotEnvironment, Stoppable } from '../command/environment.js';
import type { CallParent, CallPlace } from '../command/context/call.js';
import type { ChannelHandle } from '../command/context/shared-context.js';
import { warnOnce } from '../command/warn-once.js';

/** One run of an event handler, until its end or its timeout. */
export class HandlerRun implements CallParent {
  #lifetime: Lifetime<Stoppable> | undefined;
  /** `true` after the end of the handler, which may have left work running. */
  isOver = false;
  /** Environment, which records the run if the bot has the setting `failed`. */
  env: BotEnvironment;
  readonly listener: EventListener;
  readonly delivery: Delivery;
  /** Payloads of the events that this run replaces, oldest first. */
  skipped: readonly unknown[] | undefined;
  /** Channel of the event. Created on first use. */
  here: ChannelHandle | undefined;
  /** Number of messages and typing indicators that the handler has sent to the channel of the event. */
  #shown = 0;
  /** `true` after a message that was sent when the handler had been stopped: its final word. */
  #hasSpoken = false;
  /** `true` after the user was informed of the timeout, or a newer event aborted the run: the handler may send nothing more. */
  #isSealed = false;
  #failure: { readonly error: unknown } | undefined;
  /** Removes the note of the run for the next start. */
  #forget: (() => void) | undefined;
  /** Functions that are called at the end of the handler. */
  #notes: (() => void)[] | undefined;

  constructor(env: BotEnvironment, listener: EventListener, delivery: Delivery) {
    this.env = env;
    this.listener = listener;
    this.delivery = delivery;
  }

  /** Created on first use: most handlers end at once. */
  get lifetime(): Lifetime<Stoppable> {
    if (!this.#lifetime) {
      this.#lifetime = new Lifetime<Stoppable>(this, this.env.handlerRuns);
      if (this.isOver) this.#lifetime.detach();
    }
    return this.#lifetime;
  }

  get signal(): AbortSignal {
    return this.lifetime.signal;
  }

  get place(): CallPlace | undefined {
    const { channelId, data } = this.delivery;
    // A call looks up a server that is missing.
    const serverId = isRecord(data) && typeof data['serverId'] === 'string' ? data['serverId'] : '';
    return channelId === undefined ? undefined : { channelId, serverId };
  }

  get authorId(): string | undefined {
    const { actorId } = this.delivery;
    const isAuthor = this.listener.event === 'MESSAGE_CREATE' && typeof actorId === 'string';
    return isAuthor ? actorId : undefined;
  }

  /**
   * Counts a message or typing indicator for the channel of the event. Returns a function to call after the message was sent;
   * `undefined` if none is needed.
   *
   * @throws VirguleError `E_ANSWER_LOOP` when a message must not be sent, `E_COMMAND_TIMEOUT` after the user was informed of
   * the timeout, `E_HANDLER_STOPPED` after `replace`.
   */
  showing(what: 'message' | 'typing'): (() => void) | undefined {
    if (this.#isSealed) throw this.lifetime.stopped?.reason;
    const sent = what === 'message' ? this.env.loops?.answer(this.delivery) : undefined;
    this.#shown += 1;
    if (what === 'message' && this.#lifetime?.stopped) this.#hasSpoken = true;
    return sent;
  }

  /** Notes the run if a message of it may be a question. Until its end, the next start says that the run was interrupted. */
  remember(): void {
    const { asksQuestions, journal, clock } = this.env;
    if (!asksQuestions || !journal || !this.place || this.#forget || this.isOver) return;
    const { channelId, serverId = '' } = this.place;
    const { id, messageId = id, createdAt = '' } = Object(this.delivery.data);
    const interactionId = String(messageId);
    const of = { interactionId, channelId, serverId, name: this.listener.file };
    const message = { createdAt: String(createdAt) };
    const note = { ...of, message, shows: 'thinking' as const, atMs: clock.now() };
    this.#forget = journal.open(interactionId, note);
  }

  async finish(): Promise<void> {
    this.#forget?.();
    this.#forget = undefined;
    await this.env.journal?.written();
  }

  /** Stops the run for a newer event, whose run gets this event too. */
  replace(): void {
    this.#isSealed ||= this.lifetime.stopped === undefined;
    this.lifetime.stop(runtimeErrors.E_HANDLER_STOPPED({ by: 'event' }));
  }

  /** Starts the handler, inside the observers of the bot. Returns a promise, which never rejects, if the handler is still running. */
  start(context: EventContext<unknown>): Promise<unknown> | undefined {
    const { observed } = this.env;
    const { event, file: name } = this.listener;
    // A handler of `ready` may be a loop, so only its failure is observed.
    if (!observed || event === 'ready') return this.#start(context);
    const startMs = this.delivery.receivedAtMs;
    const running = observed.watch({ kind: 'event', name, startMs }, async () => {
      await this.#start(context);
      if (this.#failure) throw this.#failure.error;
    });
    return running.catch(() => {});
  }

  #start(context: EventContext<unknown>): Promise<unknown> | undefined {
    this.#record();
    try {
      const returned = this.listener.run(context);
      if (isObject(returned) && 'then' in returned)
        return this.#complete(Promise.resolve(returned), context);
      this.#noteUnsent(returned);
      this.#end();
      return undefined;
    } catch (error) {
      this.#end();
      return this.#fail(error, context);
    }
  }

  #record(): void {
    const { listener: handler, skipped } = this;
    const { event: t, file: name } = handler;
    const { data: d, receivedAtMs, channelId } = this.delivery;
    if (!this.env.recorder || channelId === undefined || t === 'error') return;
    const work = { kind: 'event', name, t, d, skipped, receivedAtMs, handler } as const;
    this.env = this.env.recorder.open(this.env, work);
  }

  async #complete(returned: Promise<unknown>, context: EventContext<unknown>): Promise<void> {
    const { deadlines, clock, handlerRuns, log } = this.env;
    const { timeoutMs } = this.listener;
    const { lifetime } = this;
    handlerRuns.add(this);
    let timeout: VirguleError | undefined;
    let deadline: Deadline | undefined;
    let shown = 0;
    const timedOut = new Promise<never>((_resolve, giveUp) => {
      const stop = (): void => {
        const { event, file } = this.listener;
        timeout = runtimeErrors.E_COMMAND_TIMEOUT({ event, file, timeoutMs });
        lifetime.stop(timeout);
        shown = this.#shown;
        // A handler that ends because of the stop can still answer.
        clock.setTimeout(() => giveUp(timeout), 0);
      };
      if (timeoutMs !== Infinity) deadline = deadlines.add(clock.monotonic() + timeoutMs, stop);
    });
    try {
      this.#noteUnsent(await Promise.race([returned, timedOut]));
      // A handler that ends because of a stop, without a message, has not answered.
      if (timeout && shown === this.#shown) throw timeout;
    } catch (thrown) {
      const { stopped } = lifetime;
      // The calls of a stopped handler fail with errors of their own.
      const error = timeout ?? (stopped ? stopped.reason : thrown);
      if (error !== thrown) {
        const { event, file } = this.listener;
        const err = readableError(thrown);
        log.debug({ event, file, err }, `${file} was stopped, and threw: ${errorText(err)}`);
      }
      await this.#fail(error, context);
    } finally {
      if (deadline) deadlines.cancel(deadline);
      this.#end();
    }
  }

  /** Calls a function at the end of the handler, or now if the handler has ended or may be a loop. */
  atEnd(note: () => void): void {
    if (this.isOver || this.listener.event === 'ready') note();
    else (this.#notes ??= []).push(note);
  }

  /** Ends the run. The handler may have left work running. */
  #end(): void {
    this.isOver = true;
    for (const note of this.#notes ?? []) note();
    this.env.endRecord?.();
    this.#forget?.();
    this.#lifetime?.detach();
  }

  /** Shows and reports an error. Returns a promise, which never rejects, if the error is shown to the user. */
  #fail(thrown: unknown, context: EventContext<unknown>): Promise<void> | undefined {
    this.#failure = { error: thrown };
    if (isStop(thrown, this.lifetime.stopped)) {
      // A user who has seen a part of an answer waits for more.
      const owesMore = this.#shown > 0 && !this.#hasSpoken && isShutdown(thrown);
      return owesMore ? this.#say('restarting', context) : undefined;
    }
    const report = (): void => reportFailure(this.env, this.listener, thrown);
    const { event, file: name } = this.listener;
    const { observed, clock } = this.env;
    const failed = { kind: 'event', name, startMs: clock.monotonic() } as const;
    if (event === 'ready') observed?.watch(failed, () => Promise.reject(thrown)).catch(() => {});
    const isTimeout = isVirguleError(thrown, 'E_COMMAND_TIMEOUT');
    const { stopped } = this.lifetime;
    // A run that was stopped before its timeout owes no answer.
    const owesAnswer = !stopped || stopped.reason === thrown;
    if (owesAnswer && (isTimeout || this.listener.errorHandlers.length > 0))
      return this.#show(thrown, isTimeout, context).then(report);
    report();
    return undefined;
  }

  /** Replies with the message of the nearest error handler that returns one, else with the text of a timeout. */
  async #show(error: unknown, isTimeout: boolean, context: EventContext<unknown>): Promise<void> {
    const { file, errorHandlers, hasTimeout } = this.listener;
    for (const handler of errorHandlers) {
      try {
        const answer = await handler(error, context);
        if (answer === undefined) continue;
        if (answer !== null) await context.reply?.(answer);
        return;
      } catch (reason) {
        // The next outer handler is called after an error handler that fails.
        this.#warn(reason, `an error handler of ${file} failed`);
      }
    }
    // Nothing is shown for a handler that may only observe, such as to count messages: no user waits for it.
    if (isTimeout && (hasTimeout || this.#shown > 0)) await this.#say('timedOut', context);
  }

  /** Replies with a text of the bot, after which the handler may send nothing more. */
  async #say(text: 'timedOut' | 'restarting', context: EventContext<unknown>): Promise<void> {
    const { channelId = '', serverId = '' } = this.place ?? {};
    try {
      await context.reply?.(this.env.texts[text]({ channelId, serverId }));
      this.#isSealed = true;
    } catch (reason) {
      this.#warn(reason, `the end of ${this.listener.file} could not be shown`);
    }
  }

  #warn(thrown: unknown, what: string): void {
    const { file } = this.listener;
    const error = readableError(thrown);
    if (!isStop(error, this.lifetime.stopped))
      this.env.log.error({ file, err: error }, `${what}: ${errorText(error)}`);
  }

  /** Warns once if a handler returns an answer like a command: a string is not sent, and a generator is not run. */
  #noteUnsent(value: unknown): void {
    const { development, log } = this.env;
    if (!development) return;
    const { event, file } = this.listener;
    const isGenerator = isObject(value) && 'next' in value && Symbol.asyncIterator in value;
    if (!isGenerator && typeof value !== 'string') return;
    const what = isGenerator
      ? 'is a generator, which is not run'
      : 'returned a string, which is not sent';
    warnOnce(log, { event, file }, `${file} ${what}; send messages with reply()`);
  }
}

/** Returns whether a handler was stopped because the bot shuts down. */
const isShutdown = (error: unknown): boolean =>
  isVirguleError(error, 'E_HANDLER_STOPPED') && error.details['by'] === undefined;

/** Logs an error of a handler, and emits an `error` event. */
export function reportFailure(
  { log, onError }: BotEnvironment,
  { event, file }: EventListener,
  thrown: unknown,
): void {
  const error = toError(thrown);
  log.error({ event, file, err: error }, `${file} failed: ${errorText(error)}`);
  // An error handler that fails would receive its own error indefinitely.
  if (event !== 'error') onError(error, file);
}
