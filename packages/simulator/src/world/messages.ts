import type { CreateBotMessageRequest } from '@virgule/core/protocol';
import { requireKind } from './access.js';
import { takeAttachments } from './attachments.js';
import { invalid } from './refusal.js';
import type { ChannelRecord, MessageRecord } from './state.js';
import type { World } from './world.js';

/** Number of messages to keep per channel; the oldest are deleted in batches of a thousand. */
const MAX_HISTORY = 10_000;
const HISTORY_SLACK = 1_000;

export interface NewMessage extends CreateBotMessageRequest {
  readonly channel: ChannelRecord;
  readonly authorId: string;
  readonly interactionId?: string | null | undefined;
}

export function sendMessage(world: World, input: NewMessage): MessageRecord {
  const { channel, authorId, content } = input;
  requireKind(channel, 'text');
  const replyToMessageId = input.replyToMessageId ?? null;
  const target = world.state.messages.get(replyToMessageId ?? '');
  if (replyToMessageId !== null && (target?.channelId !== channel.id || target.isDeleted))
    throw invalid(
      'replyToMessageId',
      `There is no message ${replyToMessageId} in ${channel.name}.`,
    );
  const message: MessageRecord = {
    id: world.nextId('message'),
    position: world.state.sequence,
    channelId: channel.id,
    authorId,
    content,
    attachments: takeAttachments(world, channel, input.attachments ?? []),
    reactions: [],
    replyToMessageId,
    interactionId: input.interactionId ?? null,
    createdAt: new Date(world.clock.now()).toISOString(),
    editedAt: null,
    isDeleted: false,
  };
  world.emit({ type: 'message.created', message });
  forgetOldest(world, channel.id);
  return message;
}

export function editMessage(world: World, message: MessageRecord, content: string): MessageRecord {
  const edited = { ...message, content, editedAt: new Date(world.clock.now()).toISOString() };
  world.emit({ type: 'message.edited', message: edited });
  return edited;
}

export function deleteMessage(world: World, message: MessageRecord): MessageRecord {
  const deleted = { ...message, isDeleted: true };
  world.emit({ type: 'message.deleted', message: deleted });
  dropBlobs(world, [message]);
  return deleted;
}

function forgetOldest(world: World, channelId: string): void {
  const history = world.state.histories.get(channelId) ?? [];
  if (history.length < MAX_HISTORY + HISTORY_SLACK) return;
  dropBlobs(world, history.slice(0, HISTORY_SLACK));
  world.emit({ type: 'messages.forgotten', channelId, count: HISTORY_SLACK });
}

function dropBlobs(world: World, messages: readonly MessageRecord[]): void {
  for (const message of messages)
    for (const attachment of message.attachments) world.blobs.delete(attachment.objectKey);
}
