import { editMessageRequestSchema } from '@virgule/core/protocol';
import { validateBody } from '../server/validate.js';
import { uploadFile } from '../world/attachments.js';
import { channelOfUser, liveMessage, requireKind } from '../world/access.js';
import { closeWindow, defer, respond, runCommand } from '../world/interactions.js';
import { simMessage } from '../world/message-view.js';
import { sendMessage } from '../world/messages.js';
import { addReaction, removeReaction } from '../world/reactions.js';
import { notFound, Refusal } from '../world/refusal.js';
import { simInteraction, simUpload } from '../world/sim-views.js';
import type { ChannelRecord, UploadRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import { findChannel, findCommand, findUser } from './names.js';
import { simulatorErrors } from './simulator-errors.js';
import type { Simulator, UserFile } from './simulator.js';

type Actions = Pick<
  Simulator,
  | 'run'
  | 'message'
  | 'channel'
  | 'user'
  | 'sendMessage'
  | 'upload'
  | 'react'
  | 'messages'
  | 'interaction'
  | 'defer'
  | 'respond'
  | 'expire'
  | 'report'
>;

/** Creates the methods with which a program acts in the simulator. */
export function createActions(world: World, origin: string): Actions {
  const valid = (content: string): string =>
    validateBody(editMessageRequestSchema, { content }, world.profile).content;
  const store = (channel: ChannelRecord, { name, data, contentType }: UserFile): UploadRecord =>
    uploadFile(world, channel, {
      fileName: name,
      contentType: contentType ?? 'application/octet-stream',
      bytes: Buffer.from(data),
    });

  return {
    run({ rawInput, channel, as }) {
      const found = findChannel(world, channel);
      const { id: channelId, serverId } = found;
      const { id: userId } = findUser(world, as, serverId);
      const { id: commandId } = findCommand(world, rawInput, found);
      const interaction = orThrow(() =>
        runCommand(world, { channelId, userId, commandId, rawInput }),
      );
      return simInteraction(world, interaction);
    },
    sendMessage({ content: text = '', attachments: files = [], channel: name, as }) {
      const { id: channelId, serverId } = findChannel(world, name);
      const { id: authorId } = findUser(world, as, serverId);
      const message = orThrow(() => {
        const channel = channelOfUser(world, channelId, authorId);
        requireKind(world, channel, 'text');
        const content = text === '' && files.length > 0 ? '' : valid(text);
        const attachments = files.map((file) => store(channel, file));
        return sendMessage(world, { channel, authorId, content, attachments });
      });
      return simMessage(world, message);
    },
    upload({ channel: name, ...file }) {
      const channel = findChannel(world, name);
      const upload = orThrow(() => {
        requireKind(world, channel, 'text');
        return store(channel, file);
      });
      return simUpload(world, origin, upload, Buffer.byteLength(file.data));
    },
    react({ messageId, emoji: unicodeEmoji, as, remove = false }) {
      return orThrow(() => {
        const { channelId = '' } = world.state.messages.get(messageId) ?? {};
        const found = world.state.channels.get(channelId);
        if (found === undefined) throw notFound('message', messageId);
        const { id: userId } = findUser(world, as, found.serverId);
        const channel = channelOfUser(world, channelId, userId);
        const message = liveMessage(world, channel, messageId);
        const edit = remove ? removeReaction : addReaction;
        return simMessage(
          world,
          edit(world, message, userId, { unicodeEmoji, customEmojiId: null }),
        );
      });
    },
    messages(channel) {
      const { id } = findChannel(world, channel);
      return (world.state.histories.get(id) ?? []).map((message) => simMessage(world, message));
    },
    message(id) {
      const message = world.state.messages.get(id);
      return message && simMessage(world, message);
    },
    channel(name) {
      const { id, name: found } = findChannel(world, name);
      return { id, name: found };
    },
    user(name) {
      const { id, username, displayName } = findUser(world, name, '');
      return { id, username, displayName };
    },
    interaction(id) {
      const interaction = world.state.interactions.get(id);
      return interaction && simInteraction(world, interaction);
    },
    expire: (interactionId) => closeWindow(world, interactionId),
    defer: (interactionId) => orThrow(() => defer(world, interactionId)),
    respond: (interactionId, content) =>
      orThrow(() => simMessage(world, respond(world, interactionId, { content: valid(content) }))),
    report: (problems) => world.emit({ type: 'problems.reported', problems }),
  };
}

/** Calls a function, and throws refusals of the platform as errors of this package. */
export function orThrow<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    throw simulatorErrors.E_SIM_REFUSED({ reason: cause.message, code: cause.code }, { cause });
  }
}
