import { raceAbort } from '@virgule/core/abort';
import { createFakeClock } from '@virgule/core/clock';
import { showControls } from '@virgule/core/text';
import type { Io } from '../terminal/io.js';
import { openBot } from './open-bot.js';
import { playConversation } from './play-conversation.js';

/**
 * Plays a conversation with the bot of the folder, on a clock that only the conversation moves. Prints each line as
 * it is played.
 */
export async function runConversation(
  file: string,
  { json = false }: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  await using bot = await openBot(io, { clock: createFakeClock(), random: createRandom() });
  const playing = playConversation(bot, file, io.cwd, (line) => {
    io.interrupt.throwIfAborted();
    if (!json) io.stdout.write(showControls(line, '').replace(/\n?$/, '\n'));
  });
  const transcript = await raceAbort(playing, io.interrupt);
  if (json) io.stdout.write(`${JSON.stringify({ v: 1, file, transcript })}\n`);
  return 0;
}

/** Returns a generator of the same random numbers in each run (Lehmer). @param seed - at least 1 */
export function createRandom(seed = 1): () => number {
  const modulus = 2 ** 31 - 1;
  let state = seed;
  return () => (state = (state * 16_807) % modulus) / modulus;
}
