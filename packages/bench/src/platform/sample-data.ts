/** Lower numbers are reserved for the ids of the bot, its server and its channel. */
export const FIRST_FREE_INDEX = 0x1_0000;

export const CREATED_AT = '2026-01-01T00:00:00.000Z';

const WORDS = 'The quick brown fox jumps over the lazy dog and back again, since it left its hat.';

/** Returns the content of a message; about 90 characters. */
export const messageText = (index: number): string => `${index}: ${WORDS}`;

/** Name of the measured command: `/roll <sides> <count>`. */
export const ROLL = 'roll';
/** Name of the command that answers with its option `count` when the bot has received this many messages. */
export const SEEN = 'seen';

/** Returns the options of the `/roll` with number `index`. */
export function commandOptions(index: number): { readonly sides: number; readonly count: number } {
  return { sides: (index % 997) + 2, count: (index % 19) + 1 };
}

/** Returns the expected answer to the `/roll` with number `index`. */
export function rollAnswer(index: number): string {
  const { sides, count } = commandOptions(index);
  return `${sides * count} of ${sides}`;
}
