import type { CommandDefinition } from '../src/command/define/define-command.js';
import { CHANNEL, MESSAGE, OTHER_USER, SERVER } from './ids.js';
import { messageWith } from './messages.js';
import { startTestBot, type TestBot, type TestBotOptions } from './test-bot.js';

/** Actions of a user in the channel of the command. */
export interface WaitBot extends TestBot {
  press(emoji: string, parts?: Readonly<Record<string, unknown>>): void;
  unpress(emoji: string, parts?: Readonly<Record<string, unknown>>): void;
  say(content: string, parts?: Readonly<Record<string, unknown>>): void;
}

/** A bot with the one command /x, which declares every intent, on a platform that answers with the message it wrote. */
export async function startWaitBot(
  run: CommandDefinition['run'],
  {
    intents = ['MESSAGE_REACTIONS', 'SERVER_MESSAGES'],
    ...options
  }: TestBotOptions & Pick<CommandDefinition, 'intents'> = {},
): Promise<WaitBot> {
  const bot = await startTestBot(
    { 'commands/x.ts': { default: { description: 'Does x', intents, run } } },
    options,
  );
  const written = (_: string, { content }: { readonly content: string }) =>
    messageWith({ content });
  for (const endpoint of ['respond', 'followUp', 'editResponse'])
    bot.rest.always(`interactions.${endpoint}`, written);
  const reaction = (unicodeEmoji: string, parts: object): object => ({
    serverId: SERVER,
    channelId: CHANNEL,
    messageId: MESSAGE,
    userId: OTHER_USER,
    emoji: { kind: 'unicode', unicodeEmoji },
    count: 2,
    ...parts,
  });
  return {
    ...bot,
    get lines() {
      return bot.lines;
    },
    press: (emoji, parts = {}) => bot.emit('MESSAGE_REACTION_ADD', reaction(emoji, parts)),
    unpress: (emoji, parts = {}) => bot.emit('MESSAGE_REACTION_REMOVE', reaction(emoji, parts)),
    say: (content, parts = {}) =>
      bot.emit('MESSAGE_CREATE', messageWith({ content, authorId: OTHER_USER, ...parts })),
  };
}
