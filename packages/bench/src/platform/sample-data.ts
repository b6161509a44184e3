import { idOf } from './ids.js';

const CREATED_AT = '2026-01-01T00:00:00.000Z';

const SERVER_ID = idOf(0xa1);
const CHANNEL_ID = idOf(0xa2);
const BOT_USER_ID = idOf(0xa3);

const bot = {
  applicationId: idOf(0xa4),
  botUserId: BOT_USER_ID,
  username: 'bench-bot',
  displayName: 'Bench bot',
};

export const BOT_ME = JSON.stringify(bot);

export const HELLO = { op: 'HELLO', d: { heartbeatInterval: 25_000 } };
export const READY = { op: 'DISPATCH', t: 'READY', d: { ...bot, serverIds: [SERVER_ID] } };
export const ACK = { op: 'HEARTBEAT_ACK' };

function message(id: string, authorId: string, content: string) {
  return {
    id,
    channelId: CHANNEL_ID,
    authorId,
    authorUsername: 'somebody',
    authorDisplayName: 'Somebody Else',
    authorAvatarUrl: 'https://chat.example.com/avatars/somebody.png',
    replyTo: null,
    content,
    attachments: [],
    linkPreview: null,
    reactions: [],
    poll: null,
    forwardedFrom: null,
    editedAt: null,
    pinnedAt: null,
    pinnedByUserId: null,
    isDeleted: false,
    createdAt: CREATED_AT,
  };
}

const WORDS = 'The quick brown fox jumps over the lazy dog and back again, since it left its hat.';

/** A MESSAGE_CREATE of about 700 bytes. */
export function messageCreate(index: number): object {
  const content = `${index}: ${WORDS}`;
  return {
    op: 'DISPATCH',
    t: 'MESSAGE_CREATE',
    d: { ...message(idOf(index), idOf(0xb1), content), serverId: SERVER_ID },
  };
}

/** The body of an answered command is the message, as assumed for endpoints that show none. */
const [BEFORE_CONTENT, AFTER_CONTENT] = JSON.stringify(message(idOf(0xb2), BOT_USER_ID, '%')).split(
  '%',
) as [string, string];

/** The message that answers a command; `content` needs no escapes. */
export const answerMessage = (content: string): string => BEFORE_CONTENT + content + AFTER_CONTENT;

/** A run of `/roll <sides> <count>`, and the answer it has to get. */
export function rollCommand(index: number) {
  const sides = (index % 997) + 2;
  const count = (index % 19) + 1;
  const event = {
    op: 'DISPATCH',
    t: 'APPLICATION_COMMAND',
    d: {
      interactionId: idOf(index),
      serverId: SERVER_ID,
      channelId: CHANNEL_ID,
      name: 'roll',
      rawInput: `/roll ${sides} ${count}`,
    },
  };
  return { event, answer: rollAnswer(sides, count) };
}

/** What every bot here answers to `/roll`. */
export const rollAnswer = (sides: number, count: number): string => `${sides * count} of ${sides}`;
