import type { Clock } from '@virgule/core/clock';
import { LruMap } from '@virgule/core/collections';
import type { Log } from '@virgule/core/log';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { warnOnce } from './warn-once.js';

/** Number of answers to one author in one channel within `WITHIN_MS` that is a loop, if the author replied promptly to each. */
const MAX_ANSWERS = 10;
const WITHIN_MS = 10_000;

/**
 * Maximum time in milliseconds from a visible answer to the reaction of a program; a person has to read the answer first.
 * Messages of a person who does not read, or of a bridge, are no reaction: they arrive before the answer is visible, or at
 * another pace. A slower program is not recognized: a person who writes three times a second must be answered.
 */
const PROMPT_MS = 250;

/** Maximum number of remembered pairs of author and channel. */
const MAX_PAIRS = 1_000;

export interface Answerable {
  readonly channelId?: string | undefined;
  /** Id of the user who caused the event; `undefined` if the event does not contain the id. */
  readonly actorId?: unknown;
  /** A reading of `Clock.monotonic()`, in milliseconds. */
  readonly receivedAtMs: number;
}

/** The latest answers to one author in one channel. */
interface Exchange {
  event: Answerable;
  /** Latest time at which the last answer became visible; `Infinity` while the answer is in flight. */
  endedAtMs: number;
  /** Start times of the last answers that each got a prompt reaction. */
  atMs: number[];
}

export type LoopGuard = ReturnType<typeof createLoopGuard>;

/**
 * Creates a guard that stops bots that answer each other. The platform does not report whether an author is a bot, so the guard
 * uses the only trait that can be measured: the author reacts to each answer at once, ten times in a row.
 */
export function createLoopGuard(clock: Clock, log: Log) {
  const exchanges = new LruMap<Exchange>(MAX_PAIRS);
  /** Time at which the event of this bot's latest message was received, by channel. */
  const ownAtMs = new LruMap<number>(MAX_PAIRS);
  return {
    /** Notes that a message of this bot is visible: an event can arrive before the call that sends the message returns. */
    visible: (channelId: string, receivedAtMs: number) => ownAtMs.set(channelId, receivedAtMs),
    /**
     * Notes that the bot answers an event. Returns a function to call after the message was sent. @throws VirguleError
     * `E_ANSWER_LOOP`
     */
    answer(event: Answerable): () => void {
      const { channelId, actorId, receivedAtMs } = event;
      if (channelId === undefined || typeof actorId !== 'string') return () => {};
      const key = `${channelId} ${actorId}`;
      const nowMs = clock.monotonic();
      let exchange = exchanges.get(key);
      if (exchange?.event !== event) {
        const { endedAtMs = Infinity, atMs: before = [] } = exchange ?? {};
        const seenAtMs = ownAtMs.get(channelId) ?? -Infinity;
        const isSeen = seenAtMs >= (before.at(-1) ?? Infinity);
        const visibleAtMs = isSeen ? Math.min(endedAtMs, seenAtMs) : endedAtMs;
        const isPrompt = receivedAtMs >= visibleAtMs && receivedAtMs <= visibleAtMs + PROMPT_MS;
        const atMs = isPrompt ? before.slice(-MAX_ANSWERS) : [];
        const [firstMs = -Infinity] = atMs.length < MAX_ANSWERS ? [] : atMs;
        if (nowMs - firstMs < WITHIN_MS) {
          const error = runtimeErrors.E_ANSWER_LOOP({ channelId, authorId: actorId });
          warnOnce(log, { channelId, authorId: actorId, err: error }, error.message);
          throw error;
        }
        exchange = { event, endedAtMs: Infinity, atMs: [...atMs, nowMs] };
        exchanges.set(key, exchange);
      }
      const current = exchange;
      return () => void (current.endedAtMs = clock.monotonic());
    },
  };
}
