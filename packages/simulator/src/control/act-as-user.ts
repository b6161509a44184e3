// Actions of users, with names or ids, for the control API and for programs in this process.
import { contentTypeOf } from '@virgule/core/net';
import { editMessageRequestSchema, idSchema } from '@virgule/core/protocol';
import { nameableIn, resolveMentions } from '@virgule/core/simulator-api';
import { validateBody } from '../server/validate.js';
import { findChannel, findCommand, findUser } from '../simulator/names.js';
import type { Place, UserFile } from '../simulator/simulator.js';
import { channelOfUser, liveMessage, requireKind, requireRecord } from '../world/access.js';
import { uploadFile } from '../world/attachments.js';
import { runCommand } from '../world/interactions.js';
import { deleteMessage, editMessage, sendMessage } from '../world/messages.js';
import { addReaction, removeReaction } from '../world/reactions.js';
import { forbidden, notFound } from '../world/refusal.js';
import type {
  ChannelRecord,
  InteractionRecord,
  MessageRecord,
  UserRecord,
  UploadRecord,
} from '../world/state.js';
import { joinVoice, leaveAllVoice } from '../world/voice.js';
import type { World } from '../world/world.js';

/** Returns a channel and a user who is a member of its server. */
export function findPlace(world: World, { channel: name, as }: Place) {
  const { id, serverId } = findChannel(world, name);
  const user = findUser(world, as, serverId);
  return { user, channel: channelOfUser(world, id, user.id) };
}

export function runLine(world: World, rawInput: string, place: Place): InteractionRecord {
  const channel = findChannel(world, place.channel);
  const { id: userId } = findUser(world, place.as, channel.serverId);
  const { id: commandId } = findCommand(world, rawInput, channel);
  return runCommand(world, { channelId: channel.id, userId, commandId, rawInput });
}

/** Validates the content of a message, and returns it. */
export const validContent = (world: World, content: string): string =>
  validateBody(editMessageRequestSchema, { content }, world.profile).content;

/** Returns the content of a message that a user types, with mentions for the names of its server. */
function typedContent(world: World, serverId: string, typed: string): string {
  const { users, channels, roles, servers } = world.state;
  const server = requireRecord(servers, 'server', serverId);
  const all = {
    users: [...users.values()],
    channels: [...channels.values()],
    roles: [...roles.values()],
  };
  // Each name of a long text takes time.
  const text = validContent(world, typed);
  return validContent(world, resolveMentions(text, nameableIn(server, all)));
}

export interface NewMessage extends Place {
  readonly content: string;
  readonly replyTo?: string | undefined;
  /** Keys of uploaded files. */
  readonly attachments?: readonly string[] | undefined;
}

export function say(world: World, message: NewMessage): MessageRecord {
  const { channel, user } = findPlace(world, message);
  const { content, replyTo: replyToMessageId, attachments = [] } = message;
  return sendMessage(world, {
    channel,
    authorId: user.id,
    // A file needs no text (assumed).
    content:
      content === '' && attachments.length > 0
        ? ''
        : typedContent(world, channel.serverId, content),
    replyToMessageId,
    attachments: attachments.map((objectKey) => ({ objectKey })),
  });
}

/** Stores a file in a text channel. */
export function storeFile(
  world: World,
  channel: ChannelRecord,
  { name: fileName, data, contentType = contentTypeOf(fileName) }: UserFile,
): UploadRecord {
  requireKind(channel, 'text');
  return uploadFile(world, channel, { fileName, contentType, bytes: Buffer.from(data) });
}

interface MessageChoice extends Place {
  /** Id of the message. @defaultValue one of the last messages of the channel */
  readonly message?: string | undefined;
}

/** Returns a message; by default, the last one in the channel that is wanted, by the first condition that any message meets. */
function chosenMessage(
  world: World,
  choice: MessageChoice,
  ...conditions: ((message: MessageRecord, user: UserRecord) => boolean)[]
) {
  if (choice.message !== undefined) {
    const { channelId } = world.state.messages.get(choice.message) ?? {};
    if (channelId === undefined) throw notFound('message', choice.message);
    const { channel, user } = findPlace(world, { channel: channelId, as: choice.as });
    return { user, message: liveMessage(world, channel, choice.message) };
  }
  const { channel, user } = findPlace(world, choice);
  const shown = (world.state.histories.get(channel.id) ?? []).filter((each) => !each.isDeleted);
  const [message] = conditions.flatMap((is) => shown.findLast((each) => is(each, user)) ?? []);
  if (message === undefined) throw notFound('message', `of ${user.username} in ${channel.name}`);
  return { user, message };
}

function ownMessage(world: World, choice: MessageChoice): MessageRecord {
  const isOwn = ({ authorId }: MessageRecord, { id }: UserRecord) => authorId === id;
  const { user, message } = chosenMessage(world, choice, isOwn);
  if (message.authorId !== user.id) throw forbidden('The message belongs to another user.');
  return message;
}

export function edit(world: World, content: string, choice: MessageChoice): MessageRecord {
  const message = ownMessage(world, choice);
  const { serverId } = requireRecord(world.state.channels, 'channel', message.channelId);
  return editMessage(world, message, typedContent(world, serverId, content));
}

export const remove = (world: World, choice: MessageChoice): MessageRecord =>
  deleteMessage(world, ownMessage(world, choice));

/**
 * Adds or removes a reaction, by default to the last message that offers the emoji, else to the last message. `emoji` is a
 * unicode emoji, or the id of a custom emoji.
 */
export function react(
  world: World,
  emoji: string,
  choice: MessageChoice & { readonly remove?: boolean | undefined },
): MessageRecord {
  /** Returns whether a bot has reacted with the emoji, so that users press it. */
  const isOffered = ({ reactions }: MessageRecord): boolean =>
    reactions.some(
      (each) =>
        (each.emoji.unicodeEmoji ?? each.emoji.customEmojiId) === emoji &&
        each.userIds.some((id) => world.state.bots.has(id)),
    );
  const { user, message } = chosenMessage(world, choice, isOffered, () => true);
  const isCustom = idSchema.safeParse(emoji).success;
  const change = choice.remove ? removeReaction : addReaction;
  const [unicodeEmoji, customEmojiId] = isCustom ? [null, emoji] : [emoji, null];
  return change(world, message, user.id, { unicodeEmoji, customEmojiId });
}

/** Joins a voice channel, by default the first, and returns the channel; with `leave`, leaves all voice channels. */
export function moveVoice(
  world: World,
  { channel, as, leave = false }: Place & { readonly leave?: boolean | undefined },
): ChannelRecord | undefined {
  const first = [...world.state.channels.values()].find(({ kind }) => kind === 'voice');
  const found = findChannel(world, channel ?? first?.id);
  const user = findUser(world, as, found.serverId);
  if (leave) {
    leaveAllVoice(world, user.id);
    return undefined;
  }
  joinVoice(world, channelOfUser(world, found.id, user.id), user.id);
  return found;
}
