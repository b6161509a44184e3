import { isApiRefused, isBadResponse, isNotFound } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import { isPassing } from '../command/answer/pursue.js';
import { createController } from '../command/lifetime.js';
import type { BotEnvironment } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { isEmoji, NO, passes, YES } from '../command/waits/listener.js';
import { actorOf, readAwaited } from '../command/waits/waits.js';
import { idsIn, isSameId } from '../options/references.js';
import { persist } from './persist.js';
import type { Ask } from './stored-run.js';
import type { TaskQueue } from './task-queue.js';
import { ANSWER_EVENTS, type Awaited } from './task.js';

/** Reaction of the bot to a question that was canceled. */
const CANCELED = '🚫';
/** Maximum number of questions whose missed answers are read when the bot is connected. Others are read at their deadlines. */
const MAX_CAUGHT_UP = 200;
/** Maximum number of messages that are read to find the first one after a question. */
const MAX_MESSAGES = 1_000;
/** Maximum time to search for a reply, in milliseconds. */
const REPLY_MS = 3_000;
/** Pause before answers that could not be read are read again, doubled each time up to the maximum, in milliseconds. */
const PAUSE_MS = { first: 2_000, max: 300_000 };

/** Maximum number of events that wait for a storage that fails. Further reactions are read at the next start. */
const MAX_PENDING = 10_000;

/** Events that answer any question. */
const ALL_EVENTS: ReadonlySet<string> = new Set(Object.values(ANSWER_EVENTS).flat());

/** Returns the emojis under a question. */
export function buttonsOf(waits: Awaited | undefined, votes: Ask['votes']): readonly string[] {
  if (waits === 'votes') return Object.keys(votes);
  return waits === 'confirm' ? [YES, NO] : [];
}

/** Takes the events that answer the questions of tasks, and reads from the platform the answers that were missed. */
export class AskAnswers {
  readonly #env: BotEnvironment;
  readonly #queue: TaskQueue;
  readonly #isCommand: (message: Message) => boolean;
  /** Events for which tasks wait. */
  #events: ReadonlySet<string> = new Set();
  /** Number of events whose answers are not stored yet. */
  #pending = 0;
  /** Resolves when the answers of all these events are stored. */
  #received = Promise.resolve();
  /** Number of calls of `catchUp`. */
  #catchUps = 0;
  /** Aborted at the end of the bot: nothing further is read. */
  readonly ending = createController();
  readonly #reading = { signal: this.ending.signal, priority: 'background' } as const;

  constructor(env: BotEnvironment, queue: TaskQueue, isCommand: (message: Message) => boolean) {
    this.#env = env;
    this.#queue = queue;
    this.#isCommand = isCommand;
  }

  /** Reads the tasks from the queue again. */
  reload(): void {
    const waits = [...this.#queue.tasks.values()].flatMap((task) => task.waits ?? []);
    this.#events = new Set(waits.flatMap((each) => ANSWER_EVENTS[each]));
    this.#env.asksQuestions = this.#events.size > 0;
  }

  /**
   * Takes an event that may answer questions. An event that no task waits for costs no read of the storage, except in a process
   * with tasks that shares its events with processes of another version.
   */
  receive({ t, d, queued }: Pick<BotEvent, 't' | 'd' | 'queued'>): void {
    const isShared = queued !== undefined && this.#queue.tasks.size > 0;
    const events = isShared ? ALL_EVENTS : this.#events;
    if (events.size === 0 || !events.has(t) || this.#pending === MAX_PENDING) return;
    this.#pending += 1;
    // One after the other: an outage of the storage has one line in the log, and one write that is repeated.
    this.#received = this.#received
      .then(() => persist(this.#env, 'an answer to a question', () => this.#receive(t, d)))
      .finally(() => (this.#pending -= 1));
    this.#env.activity.track(this.#received);
  }

  async #receive(event: string, data: unknown): Promise<void> {
    const { asks } = this.#queue;
    const received = readAwaited(event, data);
    const userId = received && actorOf(received);
    if (!received || userId === undefined || isSameId(userId, this.#env.me.id)) return;
    if (received.event === 'MESSAGE_CREATE') {
      for await (const ask of asks.open(received.data.channelId))
        if (this.#waitsOf(ask) === 'message' && passes(ask.by, userId))
          await asks.answer(ask, { answer: received.data, waits: 'message' });
      return;
    }
    const ask = await asks.get(received.data);
    if (!ask || ask.run !== undefined || !passes(ask.by, userId)) return;
    const waits = this.#waitsOf(ask);
    const button = buttonsOf(waits, ask.votes).find((each) => isEmoji(received.data.emoji, each));
    if (button === undefined) return;
    const isAdded = received.event === 'MESSAGE_REACTION_ADD';
    if (waits === 'votes')
      await asks.change(ask, ({ votes }) => {
        const others = (votes[button] ?? []).filter((id) => id !== userId);
        return { votes: { ...votes, [button]: isAdded ? [...others, userId] : others } };
      });
    else if (isAdded) await asks.answer(ask, { answer: { yes: button === YES, userId }, waits });
  }

  /** Reads the answer that a user has written before the question was stored. Reactions need the buttons, which come later. */
  asked(ask: Ask): void {
    if (this.#waitsOf(ask) === 'message')
      this.#env.activity.track(this.#catchUpWith(ask).catch(() => {}));
  }

  /**
   * Takes the answers that were given while no process received events, and shows missing buttons: of the latest 200 open
   * questions. What cannot be read is read again later. Called each time when the bot is connected.
   */
  catchUp(): void {
    this.#catchUps += 1;
    if (this.#events.size > 0) this.#env.activity.track(this.#catchUp(this.#catchUps));
  }

  async #catchUp(turn: number, pauseMs = PAUSE_MS.first): Promise<void> {
    const { activity, clock, log } = this.#env;
    const isOver = (): boolean => turn !== this.#catchUps || this.ending.signal.aborted;
    const errors: unknown[] = [];
    const note = (error: unknown): void => void errors.push(error);
    for (const ask of (await this.#latest().catch(note)) ?? [])
      if (!isOver()) await this.#catchUpWith(ask).catch(note);
    if (errors.length === 0 || isOver()) return;
    const count = countOf(errors.length, 'open question');
    if (errors.every(isNotFound)) log.info({}, `the messages of ${count} no longer exist`);
    else if (pauseMs === PAUSE_MS.first)
      log.warn({ err: errors[0] }, 'the answers to open questions could not be read');
    if (errors.every(isFinal)) return;
    const again = (): void => {
      if (!isOver()) activity.track(this.#catchUp(turn, Math.min(2 * pauseMs, PAUSE_MS.max)));
    };
    clock.setTimeout(again, pauseMs, { isRoutine: true });
  }

  async #latest(): Promise<readonly Ask[]> {
    let latest: Ask[] = [];
    const newest = () => latest.toSorted((a, b) => b.at - a.at).slice(0, MAX_CAUGHT_UP);
    // Thousands of questions, with their payloads, must not be in memory at once, and a sort for each takes too long.
    for await (const ask of this.#queue.asks.open())
      if (latest.push(ask) > 2 * MAX_CAUGHT_UP) latest = newest();
    return newest();
  }

  async #catchUpWith(ask: Ask): Promise<void> {
    const waits = this.#waitsOf(ask);
    if (ask.waits !== waits) {
      for (const unicodeEmoji of buttonsOf(waits, ask.votes))
        await this.#env.rest.reactions.add(ask.channelId, ask.messageId, { unicodeEmoji });
      await this.#queue.asks.change(ask, () => ({ waits }));
    }
    // Votes are read at the deadline.
    const answer = waits === 'votes' ? undefined : await this.#read(ask, waits);
    if (answer) await this.#queue.asks.answer(ask, { answer, waits });
  }

  /**
   * Resolves to the answer of a question at its deadline, with what this bot has not received: while it was away, or because
   * the process that received it has no such task. Rejects if reading again may help; the last time, only stored votes count.
   */
  async late(ask: Ask, waits: Awaited, isLast: boolean): Promise<unknown> {
    const fallback = { confirm: { yes: false }, message: null, votes: ask.votes }[waits];
    const answer = await this.#read(ask, waits).catch((error: unknown) => {
      if (!isFinal(error) && !isLast) throw error;
    });
    return answer ?? fallback;
  }

  /** Reads the answer to a question from the platform. Resolves to `undefined` if there is none, or it cannot be known. */
  async #read(ask: Ask, waits: Awaited | undefined): Promise<unknown> {
    if (waits === undefined) return undefined;
    if (waits === 'message') return this.#readMessage(ask);
    const { rest, me } = this.#env;
    const { channelId, messageId } = ask;
    // The form of the users is assumed: in another form, users have to react again.
    const { reactions } = await rest.reactions.details(channelId, messageId, {}, this.#reading);
    const usersOf = (button: string): readonly string[] =>
      reactions.flatMap(({ emoji, users }) =>
        isEmoji(emoji, button) ? users.map(({ id }) => id.toLowerCase()) : [],
      );
    const buttons = buttonsOf(waits, ask.votes);
    const counts = (id: string): boolean => !isSameId(id, me.id) && passes(ask.by, id);
    const votes = Object.fromEntries(buttons.map((each) => [each, usersOf(each).filter(counts)]));
    // Without the reactions of this bot, the list has another form.
    if (waits === 'votes')
      return buttons.some((each) => passes(usersOf(each), me.id)) ? votes : undefined;
    // If both ✅ and ❌ were pressed, the answer is no.
    const button = [NO, YES].find((each) => votes[each]?.length);
    return button && { yes: button === YES, userId: votes[button]?.[0] };
  }

  /**
   * Returns whether the channel shows that a process, which was ended then, has sent a text of the bot as a reply to a question.
   * Without a response in time, that is not known. Rejects at the end of the bot.
   */
  async hasReply({ channelId, messageId, at }: Ask, text = '') {
    const { rest, me } = this.#env;
    const reading = { ...this.#reading, deadlineMs: REPLY_MS };
    const isReply = ({ authorId, content, replyTo, createdAt }: Partial<Message>): boolean =>
      isSameId(authorId, me.id) &&
      String(content).normalize().trim() === text.normalize().trim() &&
      // The message may have had an earlier question.
      Date.parse(String(createdAt)) > at &&
      // The form of a reference is not specified.
      idsIn(String(JSON.stringify(replyTo))).some((id) => isSameId(id, messageId));
    const found = rest.messages.list(channelId, {}, reading);
    return found
      .then(({ messages }) => messages.some((each) => isReply(Object(each))))
      .catch(() => this.ending.signal.throwIfAborted());
  }

  async #readMessage({ channelId, messageId, by, at, due }: Ask): Promise<Message | undefined> {
    const { rest, me } = this.#env;
    const later: Message[] = [];
    let left = MAX_MESSAGES;
    const reading = { limit: left, ...this.#reading };
    for await (const message of rest.messages.history(channelId, reading)) {
      left -= 1;
      if (message.id === messageId) {
        // The clock of the platform may be ahead of ours.
        const until = due + Math.max(Date.parse(message.createdAt) - at || 0, 0);
        return later.findLast((each) => Date.parse(each.createdAt) <= until);
      }
      const isRead = !message.isDeleted && !this.#isCommand(message);
      const isAnswer = isRead && !isSameId(message.authorId, me.id) && passes(by, message.authorId);
      if (isAnswer) later.push(message);
    }
    // Without the question, the time of this machine counts. The first message is unknown if there are more.
    const isInTime = ({ createdAt }: Message): boolean =>
      Date.parse(createdAt) > at && Date.parse(createdAt) <= due;
    return left > 0 ? later.findLast(isInTime) : undefined;
  }

  /** Removes the buttons under a question, and marks a canceled one. Not awaited: a failure has no consequence. */
  close(ask: Ask, isCanceled = false): void {
    const { reactions } = this.#env.rest;
    const { channelId, messageId } = ask;
    for (const unicodeEmoji of buttonsOf(this.#waitsOf(ask), ask.votes))
      reactions.remove(channelId, messageId, { unicodeEmoji }).catch(() => {});
    if (isCanceled) reactions.add(channelId, messageId, { unicodeEmoji: CANCELED }).catch(() => {});
  }

  #waitsOf({ task, waits }: Ask): Awaited | undefined {
    return this.#queue.tasks.get(task)?.waits ?? waits;
  }
}

/** Returns whether reading again does not help: the platform refuses, or answers in another form. */
export const isFinal = (error: unknown): boolean =>
  error instanceof TypeError || isBadResponse(error) || (isApiRefused(error) && !isPassing(error));
