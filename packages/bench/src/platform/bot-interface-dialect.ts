// Source: Bot Interface, "Events" and endpoints 1, 25, 28 and 31.
import type { Answer, Dialect } from './dialect.js';
import { jsonAnswer, OK_EMPTY } from './http-requests.js';
import { CREATED_AT, messageText } from './sample-data.js';

const ID_PREFIX = '00000000-0000-4000-8000-';
const ID_DIGITS = 12;

/** Returns an id in the form of a UUID that is fast to create and to parse. */
const idOf = (index: number): string => ID_PREFIX + index.toString(16).padStart(ID_DIGITS, '0');

const SERVER_ID = idOf(0xa1);
const CHANNEL_ID = idOf(0xa2);
const BOT_USER_ID = idOf(0xa3);

const bot = {
  applicationId: idOf(0xa4),
  botUserId: BOT_USER_ID,
  username: 'bench-bot',
  displayName: 'Bench bot',
};

function message(id: string, authorId: string, content: string) {
  return {
    id,
    channelId: CHANNEL_ID,
    authorId,
    authorUsername: 'user',
    authorDisplayName: 'Another User',
    authorAvatarUrl: 'https://chat.example.com/avatars/user.png',
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

// The response to an answer is the message, as assumed where the Bot Interface does not specify the body.
const [BEFORE_CONTENT, AFTER_CONTENT] = JSON.stringify(message(idOf(0xb2), BOT_USER_ID, '%')).split(
  '%',
) as [string, string];

const INTERACTION_PATH = '/api/bot/v1/interactions/';
const ID_START = INTERACTION_PATH.length + ID_PREFIX.length;
const ID_END = ID_START + ID_DIGITS;

const EMPTY_LIST = jsonAnswer('[]');
const EMPTY_OBJECT = jsonAnswer('{}');
const ME = jsonAnswer(JSON.stringify(bot));

/** The Bot Interface, version 1. */
export const botInterfaceDialect: Dialect = {
  isGateway: (path) => path.startsWith('/gateway/bot'),
  frameKind: (op) =>
    op === 'IDENTIFY' ? 'identify' : op === 'HEARTBEAT' ? 'heartbeat' : undefined,
  hello: { op: 'HELLO', d: { heartbeatInterval: 25_000 } },
  ready: [{ op: 'DISPATCH', t: 'READY', d: { ...bot, serverIds: [SERVER_ID] } }],
  heartbeatAck: { op: 'HEARTBEAT_ACK' },
  idOf,

  command: (index, name, options) => ({
    op: 'DISPATCH',
    t: 'APPLICATION_COMMAND',
    d: {
      interactionId: idOf(index),
      serverId: SERVER_ID,
      channelId: CHANNEL_ID,
      name,
      rawInput: `/${[name, ...Object.values(options)].join(' ')}`,
    },
  }),

  /** A MESSAGE_CREATE of about 700 bytes. */
  message: (index) => ({
    op: 'DISPATCH',
    t: 'MESSAGE_CREATE',
    d: { ...message(idOf(index), idOf(0xb1), messageText(index)), serverId: SERVER_ID },
  }),

  answerOf(path: string, body: string): Answer | undefined {
    if (!path.startsWith(INTERACTION_PATH) || !path.endsWith('/response')) return undefined;
    const { content } = JSON.parse(body) as { readonly content?: unknown };
    return { index: Number.parseInt(path.slice(ID_START, ID_END), 16), content };
  },

  // The answers of the bots need no escapes.
  accepted: (content) => jsonAnswer(BEFORE_CONTENT + content + AFTER_CONTENT),

  registered(body) {
    const { commands } = JSON.parse(body) as { readonly commands: readonly object[] };
    return JSON.stringify(commands.map((command, index) => ({ id: idOf(index), ...command })));
  },

  other(method, path) {
    if (path.endsWith('/defer')) return OK_EMPTY;
    if (method !== 'GET') return EMPTY_OBJECT;
    return path.endsWith('/users/@me') ? ME : EMPTY_LIST;
  },
};
