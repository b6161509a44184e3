// The world in the form for the page and the test kit.
import { ASSUMPTIONS } from '@virgule/core/protocol';
import type {
  SimInteraction,
  SimPlaces,
  SimSnapshot,
  SimUpload,
  SimVoice,
} from '@virgule/core/simulator-api';
import { attachmentId } from './attachments.js';
import { firstBot, simBot, simCommands } from './bots.js';
import { userToken } from './build-world.js';
import { channelView, participantViews, serverView } from './place-views.js';
import type { InteractionRecord, UploadRecord, VoiceRecord } from './state.js';
import { voiceOf } from './voice.js';
import type { World } from './world.js';

/** Maximum number of interactions in a snapshot. */
const SNAPSHOT_INTERACTIONS = 200;

export function simInteraction(world: World, interaction: InteractionRecord): SimInteraction {
  const { state, deadlineMs } = interaction;
  const isAwaited =
    deadlineMs !== null &&
    deadlineMs !== Number.POSITIVE_INFINITY &&
    !(state === 'acknowledged' && world.profile.ackStopsExpiry);
  return {
    // Written out: rest and spread would cost many times more.
    id: interaction.id,
    serverId: interaction.serverId,
    channelId: interaction.channelId,
    userId: interaction.userId,
    botUserId: interaction.botUserId,
    commandName: interaction.commandName,
    rawInput: interaction.rawInput,
    state,
    wasDeferred: interaction.wasDeferred,
    failure: interaction.failure,
    createdAt: interaction.createdAt,
    expiresAt: isAwaited ? new Date(deadlineMs).toISOString() : null,
    responseMessageId: interaction.responseMessageId,
  };
}

export function simVoice(world: World, voice: VoiceRecord): SimVoice {
  return {
    channelId: voice.channelId,
    participants: participantViews(world, voice),
    ingressOpen: voice.ingress !== null,
  };
}

/** Returns an uploaded file. `origin` is the origin of its URL. */
export function simUpload(
  world: World,
  origin: string,
  upload: UploadRecord,
  size: number,
): SimUpload {
  const { objectKey, fileName, contentType, expiresAtMs } = upload;
  // Clients would remove a path segment of dots, and encodeURIComponent rejects lone surrogates.
  const segment = /^\.+$/.test(fileName)
    ? ''
    : `/${encodeURIComponent(String(Buffer.from(fileName)))}`;
  return {
    objectKey,
    fileName,
    contentType,
    size,
    url:
      world.profile.attachmentInput === 'id'
        ? attachmentId(world, objectKey)
        : `${origin}/_files/${objectKey}${segment}`,
    expiresAt: new Date(expiresAtMs).toISOString(),
  };
}

/** Returns the servers, channels, users and roles in the form for the page. */
export function simPlaces(world: World): SimPlaces {
  const { state } = world;
  return {
    servers: [...state.servers.values()].map((server) => ({
      ...serverView(server),
      botIds: server.botIds.filter((id) => state.bots.has(id)),
      memberIds: server.memberIds,
    })),
    channels: [...state.channels.values()].map((channel) => ({
      ...channelView(world, channel),
      visibleToBot: channel.visibleToBot,
      botPermissions: channel.botPermissions,
    })),
    users: [...state.users.values()].map((user) =>
      user.isBot ? user : { ...user, token: userToken(world, user) },
    ),
    roles: [...state.roles.values()],
  };
}

export function simSnapshot(world: World): SimSnapshot {
  const { state, profile } = world;
  const channels = [...state.channels.values()];
  return {
    v: 1,
    ...simPlaces(world),
    emojis: [...state.emojis.values()].map((emoji) => ({
      ...emoji,
      imageUrl: `/_files/emojis/${emoji.id}`,
    })),
    bot: simBot(firstBot(state)),
    bots: Array.from(state.bots.values(), simBot),
    commands: simCommands(state),
    interactions: [...state.interactions.values()]
      .slice(-SNAPSHOT_INTERACTIONS)
      .map((interaction) => simInteraction(world, interaction)),
    voice: channels
      .filter(({ kind }) => kind === 'voice')
      .map(({ id }) => simVoice(world, voiceOf(world, id))),
    problems: state.problems,
    clock: state.clock,
    editor: state.editor,
    profile,
    assumptions: ASSUMPTIONS,
  };
}
