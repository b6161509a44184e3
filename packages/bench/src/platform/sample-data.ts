import type { CommandName } from './dialect.js';

/** Numbers of ids below this are the fixed ones: of the bot, its server, its channel. */
export const FIRST_FREE_INDEX = 0x1_0000;

export const CREATED_AT = '2026-01-01T00:00:00.000Z';

const WORDS = 'The quick brown fox jumps over the lazy dog and back again, since it left its hat.';

/** What somebody writes in a channel; about 90 characters. */
export const messageText = (index: number): string => `${index}: ${WORDS}`;

/** What the options of a command are in its `index`-th run. */
export function commandOptions(index: number): { readonly sides: number; readonly count: number } {
  return { sides: (index % 997) + 2, count: (index % 19) + 1 };
}

/** What every bot here answers to `/roll` and, later, to `/hold`. */
export const rollAnswer = (sides: number, count: number): string => `${sides * count} of ${sides}`;

/** What every bot here answers to `/ping`. */
export const PING_ANSWER = 'Pong!';

export function answerTo(name: CommandName, index: number): string {
  if (name === 'ping') return PING_ANSWER;
  const { sides, count } = commandOptions(index);
  return rollAnswer(sides, count);
}
