import { botUser } from './bots.js';
import { deriveId, deriveSecret } from './derive.js';
import { SEED, SEED_BOT, type SeedChannel, type SeedMessage, type SeedServer } from './seed.js';
import type { BotRecord, MessageRecord, UserRecord, WorldState } from './state.js';
import { createWorld, type World, type WorldBasis } from './world.js';

/** Age of the last message of a seeded channel, and the time between two messages. */
const SEED_AGE_MS = 60 * 60_000;
const SEED_STEP_MS = 60_000;

/** Creates the world of a seed. Its ids and tokens are the same each time; its times are relative to now. */
export function buildWorld(basis: WorldBasis): World {
  const { seed } = basis;
  const id = (name: string): string => deriveId(seed, name);
  const bot: BotRecord = {
    applicationId: id('application'),
    botUserId: id(`user:${SEED_BOT.username}`),
    ...SEED_BOT,
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
  const users = SEED.users.map(({ username, displayName, isBot = false, role = '' }) => ({
    id: id(`user:${username}`),
    username,
    displayName,
    isBot,
    role,
  }));
  for (const user of [...users, botUser(bot)]) state.users.set(user.id, user);
  for (const server of SEED.servers) addServer(state, server, id);
  const world = createWorld(basis, state);
  for (const server of SEED.servers) addMessages(world, server, id);
  return world;
}

function addServer(state: WorldState, server: SeedServer, id: (name: string) => string): void {
  const { name, botInstalled, members, channels, voice = [], roles = {}, emojis = {} } = server;
  const serverId = id(`server:${name}`);
  const idsOf = (usernames: readonly string[]) =>
    usernames.map((username) => id(`user:${username}`));
  const botIds = botInstalled ? [...state.bots.keys()] : [];
  const [ownerId = '', ...memberIds] = idsOf(members);
  state.servers.set(serverId, {
    id: serverId,
    name,
    ownerId,
    botIds,
    memberIds: [ownerId, ...memberIds, ...botIds],
  });
  const all: (SeedChannel & { readonly kind?: 'voice' })[] = [
    ...channels,
    ...voice.map((channel) => ({ name: channel, kind: 'voice' as const })),
  ];
  for (const [position, channel] of all.entries()) {
    const channelId = id(`channel:${name}/${channel.name}`);
    state.channels.set(channelId, {
      id: channelId,
      serverId,
      name: channel.name,
      kind: channel.kind ?? 'text',
      position,
      topic: channel.topic ?? null,
      visibleToBot: channel.hiddenFromBot !== true,
      botPermissions: channel.botPermissions ?? ['ManageMessages', 'ManageReactions'],
    });
  }
  for (const [role, usernames] of Object.entries(roles)) {
    const roleId = id(`role:${name}/${role}`);
    state.roles.set(roleId, { id: roleId, serverId, name: role, memberIds: idsOf(usernames) });
  }
  for (const [emoji, isAnimated] of Object.entries(emojis)) {
    const emojiId = id(`emoji:${name}/${emoji}`);
    state.emojis.set(emojiId, { id: emojiId, serverId, name: emoji, isAnimated });
  }
}

function addMessages(world: World, server: SeedServer, id: (name: string) => string): void {
  for (const { name, messages = [] } of server.channels) {
    const channelId = id(`channel:${server.name}/${name}`);
    const messageId = (index: number): string => id(`message:${server.name}/${name}/${index}`);
    for (const [index, seed] of messages.entries()) {
      const ageMs = SEED_AGE_MS + (messages.length - 1 - index) * SEED_STEP_MS;
      const createdAtMs = world.clock.now() - ageMs;
      const message: MessageRecord = {
        id: messageId(index),
        position: world.state.sequence,
        channelId,
        authorId: id(`user:${seed.by}`),
        content: seed.content,
        attachments: [],
        reactions: seedReactions(seed, id),
        replyToMessageId: seed.repliesTo === undefined ? null : messageId(index - seed.repliesTo),
        interactionId: null,
        createdAt: new Date(createdAtMs).toISOString(),
        editedAt:
          seed.edited === true ? new Date(createdAtMs + SEED_STEP_MS / 2).toISOString() : null,
        isDeleted: seed.deleted === true,
      };
      world.emit({ type: 'message.created', message });
    }
  }
}

function seedReactions({ reactions = {} }: SeedMessage, id: (name: string) => string) {
  return Object.entries(reactions).map(([unicodeEmoji, usernames]) => ({
    emoji: { unicodeEmoji, customEmojiId: null, customEmojiName: null },
    userIds: usernames.map((username) => id(`user:${username}`)),
  }));
}

/** Returns a token with which the page, or any program, can act as a user. */
export function userToken(world: World, user: UserRecord): string {
  return `sim-user-${user.username}-${deriveSecret(world.seed, `user token:${user.username}`)}`;
}

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
