import { deriveId, deriveSecret } from './derive.js';
import { fillWorld } from './seed.js';
import type { BotRecord, UserRecord, WorldState } from './state.js';
import { createWorld, type World, type WorldBasis } from './world.js';

/** Creates the world of a seed. Its ids and tokens are the same each time; its times are relative to now. */
export function buildWorld(basis: WorldBasis): World {
  const { seed } = basis;
  const bot: BotRecord = {
    applicationId: deriveId(seed, 'application'),
    botUserId: deriveId(seed, 'user:demo-bot'),
    username: 'demo-bot',
    displayName: 'Demo Bot',
    token: `sim-bot-${deriveSecret(seed, 'bot token')}`,
    connected: false,
    identifies: 0,
    commands: [],
  };
  const state: WorldState = {
    sequence: 0,
    bots: new Map([[bot.botUserId, bot]]),
    servers: new Map(),
    channels: new Map(),
    users: new Map(),
    roles: new Map(),
    emojis: new Map(),
    messages: new Map(),
    histories: new Map(),
    attachmentMessages: new Map(),
    uploads: new Map(),
    voice: new Map(),
    interactions: new Map(),
    problems: [],
    clock: { offsetMs: 0, pausedAtMs: null },
    editor: null,
  };
  const world = createWorld(basis, state);
  fillWorld(world);
  return world;
}

/** Returns a token with which the page, or any program, can act as a user. */
export const userToken = (world: World, user: UserRecord): string =>
  `sim-user-${user.username}-${deriveSecret(world.seed, `user token:${user.username}`)}`;

/** Returns whether a header has the token of a user. Only the token of the username in the header is derived. */
export function isTokenOf(world: World, user: UserRecord, header: string): boolean {
  return (
    header.startsWith(`Bearer sim-user-${user.username}-`) &&
    header === `Bearer ${userToken(world, user)}`
  );
}

/** Returns the token of the owner of the first server. */
export function ownerToken(world: World): string {
  const [server] = world.state.servers.values();
  const owner = world.state.users.get(server?.ownerId ?? '');
  return owner === undefined ? '' : userToken(world, owner);
}
