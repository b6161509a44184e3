import { isDeepStrictEqual } from 'node:util';
import { onAbort, raceAbort } from '@virgule/core/abort';
import { errorText, readableError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import { countOf } from '@virgule/core/text';
import type { Message } from '@virgule/core/protocol';
import { splitMessage, toParts, type MessageInput } from '../command/answer/answer.js';
import { sendReply } from '../command/answer/send-reply.js';
import { isSentMessage, Sent } from '../command/answer/sent-message.js';
import type { CallParent } from '../command/context/call.js';
import type { BotEnvironment } from '../command/environment.js';
import { channelsOf } from '../command/context/channel-handle.js';
import { contextsOf, HANDLER_MEMBERS } from '../command/context/context-members.js';
import type { ChannelHandle, ChannelOf } from '../command/context/shared-context.js';
import { formatDuration } from '../text/duration.js';
import { createContextLog } from '../command/context/context-log.js';
import type { AskedTaskContext, TaskContext } from './define-task.js';
import { createShaper } from '../observe/shape.js';
import { isStop } from '../errors/error-guards.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createController, scopeOf, type CallScope } from '../command/lifetime.js';
import { isDoubtful, limitMsOf, type Reachability } from './reachability.js';
import type { AskAnswers } from './ask-answers.js';
import { upgradedPayload } from './check-call.js';
import { persist } from './persist.js';
import { isWithdrawn, type TaskQueue } from './task-queue.js';
import { runIdOf } from './task-repeats.js';
import type { Ask, RunChanges, StoredRun } from './stored-run.js';
import type { Task } from './task.js';

const MAX_BACKOFF_MS = 3_600_000;
/** Maximum time that a run waits for an unreachable platform or a rate limit, and maximum pause in that time, in milliseconds. */
const MAX_WAIT_MS = 86_400_000;
const MAX_AWAY_PAUSE_MS = 300_000;
/** Maximum number of failed reads of an answer that are repeated while the platform is reachable. */
const MAX_UNREAD = 5;
/** Maximum number of starts of one attempt. A run that always ends its process would otherwise end the process again and again. */
export const MAX_BEGUN = 3;

/** A run of a task that this process has claimed, with the parts that the run needs. */
interface ClaimedRun {
  readonly env: BotEnvironment;
  readonly queue: TaskQueue;
  readonly answers: AskAnswers;
  readonly platform: Reachability;
  readonly task: Task;
  /** The run as it is stored. */
  run: StoredRun;
  step: Step;
}

/**
 * Step of a run: reads the answer to its question, parses its payload, calls its handler, and sends the reply. A handler that is
 * done is not called again for a reply that is not sent.
 */
type Step = 'reading' | 'parsing' | 'handling' | 'replying';

/** Makes one attempt of a run, and stores the outcome. Never rejects. */
export async function completeRun(claimed: ClaimedRun): Promise<void> {
  const { env, queue, answers } = claimed;
  const { store } = queue;
  const claiming = createController();
  store.keepClaim(() => claimed.run, env.log, claiming.signal).catch(() => {});
  const startMs = env.clock.monotonic();
  const next = await attemptRun(claimed);
  const { run } = claimed;
  const tookMs = Math.round(env.clock.monotonic() - startMs);
  // The claim is kept until the outcome is stored: the run would begin again otherwise.
  await persist(env, 'the end of a run', async () => {
    if (typeof next === 'object') return store.change(run, next);
    if (run.repeat !== undefined) await queue.repeats.advance(run);
    if (run.place && run.question) {
      answers.close(run.question, run.isCanceled);
      await queue.asks.end(run.question);
    }
    return store.delete(run);
  });
  claiming.abort();
  await store.release(run).catch(() => {});
  // Without this entry, only a list of runs is shorter.
  if (next === 'done') await store.keepDone(run, tookMs).catch(() => {});
}

/**
 * Outcome of an attempt: the changed entry of a run that begins again; `'done'` after a success, `'over'` for a run that ended for
 * good in another way.
 */
type Outcome = RunChanges | 'done' | 'over';

async function attemptRun(claimed: ClaimedRun): Promise<Outcome> {
  const { env, queue, answers, platform, task, run } = claimed;
  const { clock, log, onError, stopping } = env;
  const { name, file, maxLateMs, retries, backoffMs } = task;
  const { id, dueMs, attempt, begun, waitingSince, isCanceled } = run;
  if (isCanceled) return 'over';
  const lateMs = Math.max(0, clock.now() - dueMs);
  const line = { task: name, file, run: id, attempt };
  if (attempt === 1 && lateMs > maxLateMs) {
    const late = formatDuration(Math.ceil(lateMs / 1_000) * 1_000);
    log.warn({ ...line, lateMs }, `skipped a run of ${name}: it was due ${late} ago`);
    return 'over';
  }
  const maxBegun = task.isOnce?.(run.answer) ? 1 : MAX_BEGUN;
  if (begun > maxBegun && !run.reply) {
    const times = countOf(maxBegun, 'time');
    const error = new Error(`it began ${times} and ended its process each time`);
    onError(error, file);
    log.error({ ...line, isOver: true }, `${file} failed: ${error.message}`);
    const work = { kind: 'task', name, id, startMs: clock.monotonic() } as const;
    await env.observed?.watch(work, () => Promise.reject(error)).catch(() => {});
    return fail(claimed, error.message, 'interrupted');
  }
  try {
    const { waits } = task;
    if (waits && run.question && run.answer === undefined) {
      const answer = await answers.late(run.question, waits, run.unread >= MAX_UNREAD);
      const answered = await queue.store.change(run, { answer, waits });
      // Another process has the run.
      if (!answered) return {};
      claimed.run = answered;
    }
    claimed.step = 'parsing';
    const startMs = clock.monotonic();
    const handle = (): Promise<void> => call(claimed, lateMs);
    // The pause before another attempt is no delay.
    const delayMs = Math.max(0, clock.now() - Math.max(dueMs, run.notBefore));
    const work = { kind: 'task', name, id, startMs, lateMs: delayMs } as const;
    await (env.observed ? env.observed.watch(work, handle) : handle());
    platform.succeeded();
    const ms = Math.round((clock.monotonic() - startMs) * 10) / 10;
    log.info({ ...line, lateMs, ms }, `task ${name.replace(':', '')} done`);
    return 'done';
  } catch (thrown) {
    const { step } = claimed;
    const [isReading, isReplying] = [step === 'reading', step === 'replying'];
    const hasBegun = step === 'handling' || isReplying;
    const isOnce = hasBegun && task.isOnce?.(claimed.run.answer);
    const isEnding = isReading && answers.ending.signal.aborted;
    if (isEnding || isStop(thrown, stopping.aborted ? stopping : undefined))
      return isOnce ? {} : { begun: begun - 1 };
    const error = readableError(thrown);
    const reason = errorText(error);
    const canRepeat = isReading || isReplying || (hasBegun && !isOnce && !isWithdrawn(error));
    const limitMs = limitMsOf(error);
    const mayHelp = limitMs !== undefined || (isReplying && isDoubtful(error));
    const isAway = canRepeat && (mayHelp || (await platform.explains(error)));
    const unread = isReading && !isAway ? run.unread + 1 : run.unread;
    const waits = isAway || isReading;
    const nowMs = clock.now();
    const waitedMs = waits ? Math.max(0, nowMs - (waitingSince ?? nowMs)) : Infinity;
    const leftMs = MAX_WAIT_MS - waitedMs;
    if (leftMs > 0) {
      // Each pause doubles the time waited.
      const awayMs = Math.min(Math.max(backoffMs, waitedMs), MAX_AWAY_PAUSE_MS);
      const pauseMs = Math.min(limitMs || awayMs, MAX_BACKOFF_MS, leftMs);
      log.warn({ ...line, error: reason, delayMs: pauseMs }, `${file} waits for the platform`);
      return { ...again(nowMs, pauseMs), unread, waitingSince: nowMs - waitedMs };
    }
    if (isReplying) {
      onError(error, file);
      log.warn({ ...line, err: error }, `the reply of ${file} was not sent: ${reason}`);
      return 'done';
    }
    // The runs of a repeat whose payload does not fit fail alike: the first of them is kept and reported.
    const { repeat: key } = hasBegun ? {} : run;
    const kept = key === undefined ? id : runIdOf({ task: name, key, due: 0 });
    const known = kept !== id && (await queue.store.failedRun(kept).catch(() => undefined));
    if (known && known.reason === env.redact(reason)) return 'over';
    onError(error, file);
    const failed = `${file} failed: ${reason}`;
    if (canRepeat && attempt <= retries) {
      const pauseMs = Math.min(backoffMs * 2 ** (attempt - 1), MAX_BACKOFF_MS);
      log.error({ ...line, err: error, delayMs: pauseMs }, failed);
      const since = waits ? nowMs - waitedMs : undefined;
      return { ...again(clock.now(), pauseMs), attempt: attempt + 1, waitingSince: since };
    }
    log.error({ ...line, err: error, isOver: true }, failed);
    // A payload of an earlier version is kept for a later one.
    const ttlMs = hasBegun || kept !== id ? undefined : null;
    return fail({ ...claimed, run: { ...claimed.run, id: kept } }, reason, 'failed', ttlMs);
  }
}

/** Returns the entry of a run that begins again after a pause. */
const again = (nowMs: number, pauseMs: number): RunChanges => ({
  begun: 0,
  notBefore: nowMs + pauseMs,
  pauseMs,
});

/** Stores a run as permanently failed, and replies to its question: a user waits for an outcome. */
async function fail(
  { env, queue, run }: ClaimedRun,
  reason: string,
  text: 'failed' | 'interrupted',
  ttlMs?: null,
): Promise<'over'> {
  const read = { payload: run.payload, answer: run.answer };
  const safe = createShaper(undefined, env.redact)(read);
  const shown = isDeepStrictEqual(safe, read) ? undefined : safe;
  const at = new Date(env.clock.now()).toISOString();
  // The payload is kept with the run.
  const question = run.question && { ...run.question, payload: undefined };
  const kept = { ...read, reason: env.redact(reason), shown, question, at, dueMs: run.dueMs };
  await persist(env, 'the end of a run', () => queue.store.keepFailed(run.id, kept, ttlMs));
  if (run.question) {
    const { channelId, messageId } = run.question;
    const content = env.texts[text]({ serverId: '', channelId, cause: undefined });
    const send = (replyToMessageId?: string): Promise<unknown> =>
      env.rest.messages.send(channelId, { content, replyToMessageId });
    await sendReply(send, messageId).catch(() => {});
  }
  return 'over';
}

/** Calls the handler of a run. */
async function call(claimed: ClaimedRun, lateMs: number): Promise<void> {
  const { clock, stopping } = claimed.env;
  const { name: task, timeoutMs, caller, run } = claimed.task;
  const controller = createController();
  const { signal } = controller;
  const detach = onAbort(stopping, (reason) => controller.abort(reason));
  const stop = (): void => controller.abort(runtimeErrors.E_TASK_TIMEOUT({ task, timeoutMs }));
  const timer = clock.setTimeout(stop, timeoutMs);
  const atEnd = (note: () => void): void => void handled.then(note, note);
  const lifetime = { ...scopeOf(signal), place: undefined, caller, signal, isOver: false, atEnd };
  const running = (async () => {
    const { reply } = claimed.run;
    const payload = reply ? undefined : await upgradedPayload(claimed.task, claimed.run.payload);
    claimed.step = 'handling';
    const context = contextOf({ ...claimed, payload, lateMs, lifetime });
    return { context, answer: reply ?? (await run(context)) };
  })();
  const handled = raceAbort(running, signal);
  try {
    const { context, answer } = await handled;
    claimed.step = 'replying';
    timer.cancel();
    await replyWith(answer, context, claimed);
  } finally {
    lifetime.isOver = true;
    timer.cancel();
    detach();
  }
}

/** A run with the parts that its handler gets. */
interface HandledRun extends ClaimedRun, Pick<TaskContext, 'payload' | 'lateMs'> {
  readonly lifetime: CallScope & CallParent & { readonly atEnd: (note: () => void) => void };
}

/**
 * Sends what the handler of a question returned, or the texts of it that an earlier attempt did not send, as a reply to the question.
 * Texts are stored before they are sent; files are sent by the first attempt only.
 */
async function replyWith(answer: unknown, context: AskedTaskContext, claimed: ClaimedRun) {
  const isMessage = typeof answer === 'string' || (isRecord(answer) && !isSentMessage(answer));
  if (!context.here || !(isMessage || claimed.run.reply)) return;
  const { reply: left, question, hasReplied, begun } = claimed.run;
  const texts = left?.map((content) => ({ content }));
  const parts = [...(texts ?? splitMessage(toParts(answer as MessageInput)))];
  // Only a process that was ended leaves it open whether the first text was sent: a needless search could find another reply.
  const mayHaveReplied = begun > 1 && left && question && hasReplied === false;
  // The next process searches again if the bot ends during the search.
  claimed.step = 'reading';
  const isKnown = mayHaveReplied && (await claimed.answers.hasReply(question, left[0]));
  claimed.step = 'replying';
  if (isKnown) parts.shift();
  let isFirst = !hasReplied && !isKnown;
  for (const [index, part] of parts.entries()) {
    const reply = parts.slice(index).map(({ content }) => content);
    const changes = { reply, hasReplied: !isFirst };
    const stored = await claimed.queue.store.change(claimed.run, changes).catch(() => undefined);
    claimed.run = stored ?? claimed.run;
    const send = (replyTo?: string): Promise<unknown> => context.here.send({ ...part, replyTo });
    await sendReply(send, isFirst ? context.question.id : undefined);
    isFirst = false;
  }
}

const channelsIn = ({ env, lifetime, task }: HandledRun): ChannelOf =>
  channelsOf(env, lifetime, { owner: task.file, since: null, run: lifetime });

const contextOf = contextsOf<HandledRun, AskedTaskContext>({
  ...HANDLER_MEMBERS,
  task: ({ task }) => task.name,
  runId: ({ run }) => run.id,
  payload: ({ payload }) => payload,
  dueAt: ({ run }) => new Date(run.dueMs),
  lateMs: ({ lateMs }) => lateMs,
  attempt: ({ run }) => run.attempt,
  channel: channelsIn,
  call: ({ env, lifetime }) => env.calls(lifetime).call,
  log: ({ env, task, run }) => createContextLog(env.log, { task: task.name, run: run.id }),
  answer: ({ run }) => run.answer,
  // Only the handler of a question reads these members: its run has the question, whose text is not stored.
  question: ({ env: { rest }, run: { question } }) => {
    const { channelId, messageId: id } = question as Ask;
    return new Sent({ rest, channelId, content: '', known: { id, channelId } as Message });
  },
  here: (handled) =>
    (handled.run.question && channelsIn(handled)(handled.run.question.channelId)) as ChannelHandle,
});
