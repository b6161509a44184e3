// Lookup of names in their typed form: `general`, `#general`, `ada`, or an id.
import type { Command } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import { botSees } from '../world/access.js';
import { simCommands } from '../world/bots.js';
import type { ChannelRecord, UserRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import { simulatorErrors } from './simulator-errors.js';

/**
 * Returns a channel by id or name, by default the first text channel of the first server. If several channels have the
 * name, the channel of the first server.
 */
export function findChannel(world: World, channel?: string): ChannelRecord {
  const { channels, servers } = world.state;
  const [server] = servers.values();
  const name = (channel ?? '').replace(/^#/, '').toLowerCase();
  const found =
    channel === undefined
      ? [...channels.values()].find(
          ({ serverId, kind }) => serverId === server?.id && kind === 'text',
        )
      : (channels.get(channel.toLowerCase()) ??
        [...channels.values()].find((each) => each.name.toLowerCase() === name));
  if (found !== undefined) return found;
  const known = new Set(Array.from(channels.values(), (each) => each.name));
  throw unknown('channel', channel ?? 'general', known);
}

/** Returns a user by id or username; by default, the owner of the server. */
export function findUser(world: World, user: string | undefined, serverId: string): UserRecord {
  const { users, servers } = world.state;
  const wanted = user?.replace(/^@/, '').toLowerCase() ?? servers.get(serverId)?.ownerId ?? '';
  const found =
    users.get(wanted) ?? [...users.values()].find(({ username }) => username === wanted);
  if (found !== undefined) return found;
  const known = Array.from(users.values(), ({ username }) => username);
  throw unknown('user', user ?? wanted, known);
}

const unknown = (place: 'channel' | 'user', name: string, known: Iterable<string>): Error =>
  simulatorErrors.E_SIM_UNKNOWN({ kind: 'place', place, name, known: [...known] });

/**
 * Returns the command of a typed line, by its first word, with or without a slash. If several bots have the command,
 * `/name@bot` selects the bot; otherwise the first bot that sees the channel is selected.
 */
export function findCommand(world: World, rawInput: string, channel: ChannelRecord): Command {
  const word = /^\s*\/?(\S+)/.exec(rawInput)?.[1]?.toLowerCase() ?? '';
  const [name, botName] = word.split('@');
  const bots = [...world.state.bots.values()];
  const named = bots.filter(({ username }) => username.toLowerCase() === botName);
  const seeing = bots.filter(({ botUserId }) => botSees(world, channel, botUserId));
  const found = [...named, ...seeing, ...bots]
    .flatMap(({ commands }) => commands)
    .find((command) => command.name === name);
  if (found !== undefined) return found;
  const known = simCommands(world.state).map((command) => `/${command.name}`);
  const meant = didYouMean(`/${name}`, known);
  throw simulatorErrors.E_SIM_UNKNOWN({ kind: 'command', rawInput, known, meant });
}
