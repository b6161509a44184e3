// The bots of the world, with their commands. The first bot comes from the seed; more bots can be added at any time.
import { syncItemOf, type BotMe, type Command, type SyncCommandItem } from '@virgule/core/protocol';
import type { SimBot, SimCommand } from '@virgule/core/simulator-api';
import { requireRecord } from './access.js';
import { deriveId, deriveSecret } from './derive.js';
import { invalid } from './refusal.js';
import type { BotRecord, ServerRecord, UserRecord, WorldState } from './state.js';
import type { World } from './world.js';

const MAX_BOTS = 50;

/** Pattern of a username, which is part of a token in a header. */
export const USERNAME = /^[\w.-]{1,32}$/;
export const USERNAME_RULE = 'must be 1 to 32 letters, digits, ".", "_" or "-"';

/** A bot to add. */
export interface NewBot {
  readonly username: string;
  /** @defaultValue the username */
  readonly displayName?: string | undefined;
}

export function firstBot({ bots }: WorldState): BotRecord {
  const [first] = bots.values();
  if (first === undefined) throw new Error('A world has at least one bot.');
  return first;
}

/** Returns a bot as the user that writes its messages. */
export const botUser = ({ botUserId, username, displayName }: BotRecord): UserRecord => ({
  id: botUserId,
  username,
  displayName,
  isBot: true,
  role: 'bot',
});

/** Returns the identity of a bot (BotMeDto). */
export const botMe = ({ applicationId, botUserId, username, displayName }: BotRecord): BotMe => ({
  applicationId,
  botUserId,
  username,
  displayName,
});

/** Returns a bot in the form for the page. */
export const simBot = ({ commands: _commands, ...bot }: BotRecord): SimBot => bot;

/** Returns the commands of all bots. */
export const simCommands = ({ bots }: WorldState): SimCommand[] =>
  [...bots.values()].flatMap(({ botUserId, commands }) =>
    commands.map((command) => ({ ...command, botUserId })),
  );

export function botWithToken({ bots }: WorldState, token: string): BotRecord | undefined {
  for (const bot of bots.values()) if (bot.token === token) return bot;
  return undefined;
}

/**
 * Adds a bot, and installs it in the servers of the first bot. Its ids and token are derived from its name, so that a bot
 * of an earlier run is the author of its messages again.
 */
export function addBot(world: World, { username, displayName = username }: NewBot): BotRecord {
  const { state, seed } = world;
  const known = [...state.bots.values()].find((bot) => bot.username === username);
  if (known !== undefined) return known;
  if (!USERNAME.test(username)) throw invalid('username', `username ${USERNAME_RULE}`);
  const user = [...state.users.values()].find((each) => each.username === username);
  if (user?.isBot === false)
    throw invalid('username', `The username ${username} belongs to a user.`);
  if (state.bots.size >= MAX_BOTS)
    throw invalid('username', `A simulator has at most ${MAX_BOTS} bots.`);
  const bot: BotRecord = {
    applicationId: deriveId(seed, `application:${username}`),
    botUserId: user?.id ?? deriveId(seed, `user:${username}`),
    username,
    displayName: user?.displayName ?? displayName,
    token: `sim-bot-${username}-${deriveSecret(seed, `bot token:${username}`)}`,
    connected: false,
    identifies: 0,
    commands: [],
  };
  world.emit({ type: 'bot.changed', bot });
  for (const change of placements(state, bot)) world.emit(change);
  return bot;
}

/** Returns the changes that add the user of a bot, and install the bot unless it is installed already. */
export function placements(state: WorldState, bot: BotRecord) {
  const { botUserId } = bot;
  const servers = [...state.servers.values()];
  const isPlaced = servers.some(({ botIds }) => botIds.includes(botUserId));
  const first = firstBot(state);
  const added = servers.filter(({ botIds }) => !isPlaced && botIds.includes(first.botUserId));
  return [
    ...(state.users.has(botUserId)
      ? []
      : [{ type: 'place.saved' as const, list: 'users' as const, record: botUser(bot) }]),
    ...added.map((server) => ({
      type: 'place.saved' as const,
      list: 'servers' as const,
      record: withBots(server, [...state.bots.keys()], [...server.botIds, botUserId]),
    })),
  ];
}

/** Returns a server in which exactly these bots are installed. */
export function withBots(
  server: ServerRecord,
  known: readonly string[],
  botIds: readonly string[],
): ServerRecord {
  const installed = new Set(botIds);
  const members = server.memberIds.filter((id) => !known.includes(id) || installed.has(id));
  return { ...server, botIds: [...installed], memberIds: [...new Set([...members, ...installed])] };
}

/** Replaces all commands of a bot. A command whose name remains keeps its id and date. */
export function replaceCommands(
  world: World,
  botUserId: string,
  items: readonly SyncCommandItem[],
): readonly Command[] {
  refuseDuplicates(items);
  const bot = requireRecord(world.state.bots, 'bot', botUserId);
  const known = new Map(bot.commands.map((command) => [command.name, command]));
  const createdAt = new Date(world.clock.now()).toISOString();
  const commands = items.map((item) => ({
    id: known.get(item.name)?.id ?? world.nextId(`command:${botUserId}:${item.name}`),
    ...syncItemOf(item),
    createdAt: known.get(item.name)?.createdAt ?? createdAt,
  }));
  world.emit({ type: 'commands.replaced', bot: { ...bot, commands } });
  return commands;
}

function refuseDuplicates(items: readonly SyncCommandItem[]): void {
  const twice = duplicate(items);
  if (twice !== undefined) throw invalid('commands', `Two commands are named ${twice}.`);
  for (const { name, options } of items) {
    const option = duplicate(options);
    const message = `The command ${name} has two options named ${option}.`;
    if (option !== undefined) throw invalid('commands', message);
  }
}

function duplicate(items: readonly { readonly name: string }[]): string | undefined {
  const seen = new Set<string>();
  return items.find(({ name }) => seen.size === seen.add(name).size)?.name;
}
