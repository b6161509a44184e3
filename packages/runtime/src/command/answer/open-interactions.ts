import { isAborted, isShuttingDown, isUnauthorized } from '@virgule/client/rest';
import { settlesWithin } from '@virgule/core/clock';
import type { LeftEntry } from '@virgule/core/fs';
import { textContext, type BotEnvironment } from '../environment.js';
import type { OpenInteraction } from '../interaction-journal.js';
import { Interaction } from './interaction.js';
import { isPassing } from './pursue.js';

/** How each is ended. A first answer may have arrived after the entry was written: endpoint 31 is refused then. */
const ENDS = {
  thinking: { opened: 'deferred', how: 'write' },
  state: { opened: 'unknown', how: 'write' },
  answer: { opened: 'answered', how: 'reply' },
} as const;

/** How many are ended at once: a rate limit that they meet holds back the commands of now as well. */
const MAX_AT_ONCE = 2;
/** After this, in milliseconds, one that waits for another attempt no longer holds up the next ones. */
const TURN_MS = 10_000;

type Left = LeftEntry<OpenInteraction>;

/** Answers what processes left that are gone with the text `restarting`, the newest first. Never rejects. */
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
  const { interactionId, name: command, shows, atMs } = facts;
  const { clock, journal, log, profile, texts } = env;
  const ageMs = Math.max(0, clock.now() - atMs);
  const { opened, how } = ENDS[shows];
  const receivedAtMs = clock.monotonic() - ageMs;
  const interaction = new Interaction(
    {
      interactionId,
      commandName: command,
      receivedAtMs,
      opened,
      priority: 'background',
      queued: {
        // A follow-up can be sent twice: if this process is killed meanwhile, none is better.
        followingUp() {
          forget();
          return journal?.written() ?? Promise.resolve();
        },
      },
    },
    env,
  );
  try {
    await interaction[how]({ content: texts.restarting(textContext(env, facts)) });
    log.warn({ command, interactionId }, `/${command} was interrupted by the end of its process`);
    forget();
  } catch (error) {
    // A clock that was set makes an entry look old, so each is tried once.
    const isOld = ageMs > profile.deferredWindowMs;
    if (isOld || !mayBeAnsweredLater(error)) forget();
    if (isOld || interaction.state === 'expired' || interaction.isAnsweredBefore) return;
    log.warn(
      { command, interactionId, err: error },
      `/${command} was interrupted by the end of its process, and could not be answered`,
    );
  } finally {
    interaction.end();
  }
}

/** Returns whether the next start may succeed: nothing was refused, and the text was not shown. */
const mayBeAnsweredLater = (error: unknown): boolean =>
  isPassing(error) || isAborted(error) || isShuttingDown(error) || isUnauthorized(error);
