import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { readConversation, type ConversationStep } from '@virgule/core/simulator-api';
import { reactedTo } from './reacted-to.js';
import type { TestBot } from './test-bot.js';
import { testingErrors } from './testing-errors.js';
import { createTranscript } from './transcript.js';

/**
 * Reads and plays a conversation: each action starts when the bot has handled the previous one. Resolves to the lines, each
 * followed by the indented messages of the bot.
 *
 * @param onPlayed - called with each line when it has been played. An error ends the conversation.
 * @throws VirguleError `E_CONVERSATION`.
 */
export async function playConversation(
  bot: TestBot,
  file: string,
  root: string,
  onPlayed: (line: string) => void = () => {},
): Promise<string> {
  const text = await readFile(resolve(root, file), 'utf8').catch((cause: unknown) => {
    const hint = 'Check the path, which is relative to the folder of the bot.';
    throw testingErrors.E_CONVERSATION({ file, reason: errorText(cause), hint }, { cause });
  });
  const read = readConversation(text);
  if ('invalid' in read) {
    const { line, source } = read.invalid;
    const reason = `${JSON.stringify(source)} is not a line of a conversation.`;
    throw testingErrors.E_CONVERSATION({ file, line, reason });
  }
  const { platform } = bot;
  let channel = platform.channel().id;
  async function perform(step: ConversationStep): Promise<void> {
    try {
      if (step.type === 'channel') channel = platform.channel(step.channel).id;
      if (step.type === 'restart') await bot.restart();
      if (step.type === 'advance') await bot.clock.advance(`${step.ms}ms`);
      if (step.type === 'say') {
        const { text, user: as } = step;
        if (text.startsWith('/')) platform.run({ rawInput: text, channel, as });
        else platform.sendMessage({ content: text, channel, as });
      }
      if (step.type === 'react') {
        const { emoji, user: as } = step;
        const { botUserId } = platform.snapshot().bot;
        const own = platform
          .messages(channel)
          .filter(({ authorId, isDeleted }) => authorId === botUserId && !isDeleted);
        const ids = own.map(({ id }) => id);
        platform.react({ messageId: reactedTo(platform, channel, emoji, ids), emoji, as });
      }
    } catch (cause) {
      if (!isVirguleError(cause)) throw cause;
      const { message: reason, hint } = cause;
      throw testingErrors.E_CONVERSATION({ file, line: step.line, reason, hint }, { cause });
    }
  }
  const chat = createTranscript(platform);
  let played = '';
  try {
    for (const step of read.steps) {
      await perform(step);
      await bot.idle();
      const line = `${step.source}\n${chat.take()}`;
      onPlayed(line);
      played += line;
    }
    return played;
  } finally {
    chat.stop();
  }
}
