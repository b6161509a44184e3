import type { Intent, Message, ReactionEvent } from '@virgule/core/protocol';
import { countOf } from '@virgule/core/text';
import type { BotEnvironment } from '../command/environment.js';
import type { BotEvent } from '../command/gateway-port.js';
import { isEmoji, passes } from '../command/waits/listener.js';
import { actorOf, readAwaited } from '../command/waits/waits.js';
import { persist } from './persist.js';
import type { Ask } from './task-asks.js';
import type { TaskQueue } from './task-queue.js';
import { ANSWER_INTENTS, type Awaited } from './task.js';

const YES = '✅';
const NO = '❌';
/** Maximum number of questions in a channel that one message may answer. */
const MAX_IN_CHANNEL = 100;
/** Maximum number of questions that are read at a start, and of questions whose answers are read from the platform. */
const MAX_LISTED = 1_000;
const MAX_CAUGHT_UP = 200;

/** Maximum number of events that wait for a storage that fails. Further reactions are read at the next start. */
const MAX_PENDING = 10_000;

/** Intents of the events that answer. */
const INTENT_OF: Readonly<Record<string, Intent>> = {
  MESSAGE_CREATE: ANSWER_INTENTS.message,
  MESSAGE_REACTION_ADD: ANSWER_INTENTS.confirm,
  MESSAGE_REACTION_REMOVE: ANSWER_INTENTS.votes,
};

type ReactionName = 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE';

/** Returns the emojis under a question. */
export function buttonsOf(waits: Awaited | undefined, choices: readonly string[] = []) {
  if (waits === 'votes') return choices;
  return waits === 'confirm' ? [YES, NO] : [];
}

/** Takes the events that answer the questions of tasks. */
export class AskAnswers {
  readonly #env: BotEnvironment;
  readonly #queue: TaskQueue;
  /** Intents of the events for which tasks wait. */
  #intents: ReadonlySet<Intent | undefined> = new Set();
  /** Number of events whose answers are not stored yet. */
  #pending = 0;

  constructor(env: BotEnvironment, queue: TaskQueue) {
    this.#env = env;
    this.#queue = queue;
  }

  /** Reads the tasks from the queue again. */
  reload(): void {
    const waits = [...this.#queue.tasks.values()].map((task) => task.waits);
    this.#intents = new Set(
      waits.filter((each) => each !== undefined).map((each) => ANSWER_INTENTS[each]),
    );
  }

  /** Takes an event that may answer questions. Only with a task that waits for it, an event costs one read of the storage. */
  receive({ t, d }: Pick<BotEvent, 't' | 'd'>): void {
    if (!this.#intents.has(INTENT_OF[t]) || this.#pending === MAX_PENDING) return;
    this.#pending += 1;
    const receiving = persist(this.#env, 'an answer to a question', () => this.#receive(t, d));
    this.#env.activity.track(receiving.finally(() => (this.#pending -= 1)));
  }

  async #receive(event: string, data: unknown): Promise<void> {
    const { asks } = this.#queue;
    const received = readAwaited(event, data);
    if (!received || actorOf(received) === this.#env.me.id) return;
    if (received.event === 'MESSAGE_CREATE') {
      const message = received.data;
      for (const ask of await asks.list(MAX_IN_CHANNEL, message.channelId))
        if (this.#waitsOf(ask) === 'message' && passes(ask.by, message.authorId))
          await asks.answer(ask, message);
    } else {
      const ask = await asks.get(received.data);
      if (ask) await this.#takeReaction(ask, received.data, received.event);
    }
  }

  /**
   * Takes the answers that were given while no process received events, and shows missing buttons: of the latest 200 of the
   * first 1,000 open questions. Never rejects.
   */
  async catchUp(): Promise<void> {
    if (this.#intents.size === 0) return;
    const errors: unknown[] = [];
    // Reading due runs rejects too, and its error is logged.
    const open = await this.#queue.asks.list(MAX_LISTED).catch(() => []);
    for (const ask of open.toSorted((a, b) => b.at - a.at).slice(0, MAX_CAUGHT_UP))
      await this.#catchUpWith(ask).catch((error: unknown) => errors.push(error));
    if (errors.length === 0) return;
    const questions = countOf(errors.length, 'open question');
    const text = `the answers to ${questions} could not be read at the start`;
    this.#env.log.warn({ err: errors[0] }, text);
  }

  async #catchUpWith(ask: Ask): Promise<void> {
    const { asks } = this.#queue;
    const { rest, me } = this.#env;
    const { channelId, messageId, choices } = ask;
    const waits = this.#waitsOf(ask);
    const buttons = buttonsOf(waits, choices);
    if (!ask.isShown) {
      for (const unicodeEmoji of buttons)
        await rest.reactions.add(channelId, messageId, { unicodeEmoji });
      await asks.shown(ask);
    }
    if (waits === 'message') {
      const { messages } = await rest.messages.list(channelId);
      const [answer] = messages
        .filter(({ authorId }) => authorId !== me.id && passes(ask.by, authorId))
        .filter(isAfter(messages, ask))
        .toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt));
      if (answer) await asks.answer(ask, answer);
    } else if (waits) {
      // The form of the users is assumed: in another form, users have to react again.
      const { reactions } = await rest.reactions.details(channelId, messageId);
      // If both ✅ and ❌ were pressed, the answer is no.
      for (const button of buttons.toReversed())
        for (const { emoji, users } of reactions)
          for (const { id: userId } of isEmoji(emoji, button) ? users : [])
            if (userId !== me.id)
              await this.#takeReaction(ask, { emoji, userId }, 'MESSAGE_REACTION_ADD');
    }
  }

  async #takeReaction(
    ask: Ask,
    { emoji, userId }: Pick<ReactionEvent, 'emoji' | 'userId'>,
    event: ReactionName,
  ): Promise<void> {
    const { asks } = this.#queue;
    const waits = this.#waitsOf(ask);
    const button = buttonsOf(waits, ask.choices).find((each) => isEmoji(emoji, each));
    if (button === undefined || ask.run !== undefined || !passes(ask.by, userId)) return;
    const isAdded = event === 'MESSAGE_REACTION_ADD';
    if (waits === 'votes') await asks.vote(ask, button, userId, isAdded);
    else if (isAdded) await asks.answer(ask, { yes: button === YES, userId });
  }

  #waitsOf({ task }: Ask): Awaited | undefined {
    return this.#queue.tasks.get(task)?.waits;
  }
}

/** Returns a test for messages after a question; the time of the question is that of this machine if the page does not have it. */
function isAfter(page: readonly Message[], { messageId, at }: Ask) {
  const question = page.find(({ id }) => id === messageId);
  const sinceMs = question ? Date.parse(question.createdAt) : at;
  return ({ createdAt }: Message): boolean => Date.parse(createdAt) > sinceMs;
}
