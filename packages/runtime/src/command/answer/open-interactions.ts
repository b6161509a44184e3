import { isAborted, isShuttingDown, isUnauthorized } from '@virgule/client/rest';
import { settlesWithin } from '@virgule/core/clock';
import type { LeftEntry } from '@virgule/core/fs';
import type { BotEnvironment } from '../environment.js';
import type { OpenInteraction } from '../interaction-journal.js';
import { Interaction } from './interaction.js';
import { MessageAnswer } from './message-answer.js';
import { isPassing } from './pursue.js';
import { outcomeOf } from './transitions.js';

/** State of an answer, by what the user sees. A late first answer makes the platform refuse endpoint 31. */
const STATES = { thinking: 'deferred', state: 'shared', answer: 'answered' } as const;

/** Maximum number of interactions that are ended at once: a rate limit on these calls delays new commands too. */
const MAX_AT_ONCE = 2;
/** Time in milliseconds after which an interaction that waits for another attempt no longer delays the next ones. */
const TURN_MS = 10_000;

type Left = LeftEntry<OpenInteraction>;

/** Answers the interactions that ended processes left open with the text `restarting`, the newest first. Never rejects. */
export async function endLeft(left: readonly Left[], env: BotEnvironment): Promise<void> {
  const entries = left.toSorted((a, b) => b.facts.atMs - a.facts.atMs).values();
  const begun: Promise<void>[] = [];
  const endInTurn = async (): Promise<void> => {
    for (const entry of entries) {
      if (env.stopping.aborted) return;
      const ending = endOne(entry, env);
      begun.push(ending);
      await settlesWithin(ending, TURN_MS, env.clock);
    }
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, endInTurn));
  await Promise.all(begun);
}

async function endOne({ facts, forget }: Left, env: BotEnvironment): Promise<void> {
  const { interactionId, name, shows, atMs } = facts;
  const { clock, journal, log, profile, texts } = env;
  const ageMs = Math.max(0, clock.now() - atMs);
  const opened = STATES[shows];
  // The name of an event handler is its file.
  const isEvent = name.includes('/');
  const what = isEvent ? name : `/${name}`;
  const text = `${what} was interrupted by the end of its process`;
  const about = { [isEvent ? 'file' : 'command']: name, interactionId };
  const receivedAtMs = clock.monotonic() - ageMs;
  // The entry is removed before the follow-up: if this process is killed, no follow-up is better than two.
  const followingUp = (): Promise<void> => {
    forget();
    return journal?.written() ?? Promise.resolve();
  };
  const { message, ...event } = facts;
  const priority = 'background';
  const received = { event, receivedAtMs, opened, priority, queued: { followingUp } } as const;
  const to = message && { ...received, channelId: event.channelId, message, actorId: 'unknown' };
  const interaction = to ? new MessageAnswer(to, env) : new Interaction(received, env);
  if (message && opened === 'answered') await followingUp();
  try {
    await interaction.reply({ content: texts.restarting(facts) });
    log.warn(about, text);
    forget();
  } catch (error) {
    // A clock that was changed can make an entry look old, so every entry is tried once.
    const isOld = ageMs > profile.deferredWindowMs;
    if (isOld || !mayBeAnsweredLater(error)) forget();
    if (isOld || interaction.state === 'expired' || outcomeOf(error, profile) === 'already') return;
    log.warn({ ...about, err: error }, `${text}, and could not be answered`);
  } finally {
    interaction.end();
  }
}

/** Returns whether the next start may succeed: the call was not refused, and the text was not shown. */
const mayBeAnsweredLater = (error: unknown): boolean =>
  isPassing(error) || isAborted(error) || isShuttingDown(error) || isUnauthorized(error);
