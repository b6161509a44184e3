import type { Command } from '@virgule/core/protocol';
import type { SimCommand, SimServer } from '@virgule/core/simulator-api';
import type { World } from './world.js';

type Bots = Pick<World, 'bots'>;

/** Returns the name of a bot; for an unknown bot, the name of the first bot. */
export const botName = ({ bots }: Bots, botUserId?: string): string =>
  (bots.find((bot) => bot.botUserId === botUserId) ?? bots[0])?.displayName ?? 'The bot';

/** Returns whether a user is one of the bots that connect to this simulator. */
export const isOwnBot = ({ bots }: Bots, userId: string): boolean =>
  bots.some(({ botUserId }) => botUserId === userId);

export interface ServerCommand extends SimCommand {
  /** Username of its bot, if several bots in the server have a command with this name. */
  readonly bot: string | undefined;
}

/** Returns the commands of the bots that are installed in a server. */
export function commandsIn(
  { bots, commands }: Pick<World, 'bots' | 'commands'>,
  { botIds }: SimServer,
): readonly ServerCommand[] {
  const here = commands.filter(({ botUserId }) => botIds.includes(botUserId));
  const times = new Map<string, number>();
  for (const { name } of here) times.set(name, (times.get(name) ?? 0) + 1);
  return here.map((command) => ({
    ...command,
    bot:
      times.get(command.name) === 1
        ? undefined
        : bots.find(({ botUserId }) => botUserId === command.botUserId)?.username,
  }));
}

/** Returns the word that runs a command: its name, with its bot if several bots have the command. */
export const commandWord = ({ name, bot }: Command & Partial<Pick<ServerCommand, 'bot'>>): string =>
  bot === undefined ? name : `${name}@${bot}`;

/**
 * Returns the command of a typed word, such as `help` or `help@demo-bot`; the first one if several bots have the
 * command.
 */
export function commandOf<Known extends Command>(commands: readonly Known[], word: string) {
  const wanted = word.toLowerCase();
  return (
    commands.find((command) => commandWord(command).toLowerCase() === wanted) ??
    commands.find(({ name }) => name === wanted)
  );
}
