import type { Message } from '@virgule/core/protocol';
import { BOT_USER, CHANNEL, MESSAGE } from './ids.js';

/** A message the bot wrote, with parts replaced. */
export function messageWith(parts: Partial<Message> = {}): Message {
  return {
    id: MESSAGE,
    channelId: CHANNEL,
    authorId: BOT_USER,
    authorUsername: 'dice',
    authorDisplayName: 'Dice',
    authorAvatarUrl: null,
    replyTo: null,
    content: 'Hello',
    attachments: [],
    linkPreview: null,
    reactions: [],
    poll: null,
    forwardedFrom: null,
    editedAt: null,
    pinnedAt: null,
    pinnedByUserId: null,
    isDeleted: false,
    createdAt: '2026-01-01T00:00:00Z',
    ...parts,
  };
}
