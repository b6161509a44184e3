import type { CommandName } from './dialect.js';

/** Lower numbers are reserved for the ids of the bot, its server and its channel. */
export const FIRST_FREE_INDEX = 0x1_0000;

export const CREATED_AT = '2026-01-01T00:00:00.000Z';

const WORDS = 'The quick brown fox jumps over the lazy dog and back again, since it left its hat.';

/** Returns the content of a message; about 90 characters. */
export const messageText = (index: number): string => `${index}: ${WORDS}`;

/** Returns the options of the command with number `index`. */
export function commandOptions(index: number): { readonly sides: number; readonly count: number } {
  return { sides: (index % 997) + 2, count: (index % 19) + 1 };
}

/** Returns the answer of every bot to `/roll` and `/hold`. */
export const rollAnswer = (sides: number, count: number): string => `${sides * count} of ${sides}`;

/** The answer of every bot to `/ping`. */
export const PING_ANSWER = 'Pong!';

export function answerTo(name: CommandName, index: number): string {
  if (name === 'ping') return PING_ANSWER;
  const { sides, count } = commandOptions(index);
  return rollAnswer(sides, count);
}
