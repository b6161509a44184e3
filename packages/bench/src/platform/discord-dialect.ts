// The part of the gateway and REST interface of Discord, version 10, that is needed to send commands and
// messages to a bot.
import type { Answer, Dialect } from './dialect.js';
import { jsonAnswer, NO_CONTENT } from './http-requests.js';
import { CREATED_AT, messageText } from './sample-data.js';

/** An id with a plausible date: libraries read dates from ids. */
const FIRST_ID = 1_100_000_000_000_000_000n;
const ID_DIGITS = String(FIRST_ID).length;

const idOf = (index: number): string => String(FIRST_ID + BigInt(index));

const GUILD_ID = idOf(0xa1);
const CHANNEL_ID = idOf(0xa2);
const BOT_ID = idOf(0xa3);
const APPLICATION_ID = idOf(0xa4);
const USER_ID = idOf(0xb1);

/** Numbers of the ops on the wire. */
const OPS = { dispatch: 0, heartbeat: 1, identify: 2, hello: 10, heartbeatAck: 11 } as const;

const CHAT_INPUT = 1;
const INTEGER_OPTION = 4;
const TEXT_CHANNEL = 0;

const user = (id: string, username: string, isBot: boolean) => ({
  id,
  username,
  discriminator: '0',
  global_name: username,
  avatar: null,
  bot: isBot,
  public_flags: 0,
});

const USER = user(USER_ID, 'user', false);
const MEMBER = {
  roles: [],
  joined_at: CREATED_AT,
  premium_since: null,
  nick: null,
  avatar: null,
  pending: false,
  deaf: false,
  mute: false,
  flags: 0,
  communication_disabled_until: null,
};
const PERMISSIONS = '2251799813685247';

const CHANNEL = {
  id: CHANNEL_ID,
  type: TEXT_CHANNEL,
  guild_id: GUILD_ID,
  name: 'general',
  position: 0,
  permission_overwrites: [],
  nsfw: false,
  rate_limit_per_user: 0,
  topic: null,
  parent_id: null,
  last_message_id: null,
  flags: 0,
};

const GUILD = {
  id: GUILD_ID,
  name: 'Bench',
  owner_id: USER_ID,
  icon: null,
  joined_at: CREATED_AT,
  large: false,
  unavailable: false,
  member_count: 2,
  members: [{ ...MEMBER, user: user(BOT_ID, 'bench-bot', true) }],
  channels: [CHANNEL],
  threads: [],
  presences: [],
  voice_states: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
  roles: [
    {
      id: GUILD_ID,
      name: '@everyone',
      color: 0,
      hoist: false,
      position: 0,
      permissions: PERMISSIONS,
      managed: false,
      mentionable: false,
      flags: 0,
    },
  ],
  emojis: [],
  stickers: [],
  features: [],
  preferred_locale: 'en-US',
  system_channel_flags: 0,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  mfa_level: 0,
  nsfw_level: 0,
  premium_tier: 0,
};

const dispatch = (s: number, t: string, d: object) => ({ op: OPS.dispatch, s, t, d });

const READY = {
  v: 10,
  user: user(BOT_ID, 'bench-bot', true),
  guilds: [{ id: GUILD_ID, unavailable: true }],
  session_id: 'bench',
  resume_gateway_url: 'ws://127.0.0.1',
  application: { id: APPLICATION_ID, flags: 0 },
};

const CALLBACK = /^\/api\/v10\/interactions\/(\d+)\/[^/]+\/callback/;

/** Type of an interaction callback that answers with a message. */
const CALLBACK_ANSWER = 4;

/** Discord's gateway and REST interface, version 10. */
export const discordDialect: Dialect = {
  // The URL that GET /gateway/bot returns has no path.
  isGateway: (path) => path.startsWith('/?'),
  frameKind: (op) =>
    op === OPS.identify ? 'identify' : op === OPS.heartbeat ? 'heartbeat' : undefined,
  hello: { op: OPS.hello, d: { heartbeat_interval: 41_250 } },
  ready: [dispatch(1, 'READY', READY), dispatch(2, 'GUILD_CREATE', GUILD)],
  heartbeatAck: { op: OPS.heartbeatAck },
  idOf,

  command(index, name, values) {
    const options = Object.entries(values).map(([key, value]) => ({
      name: key,
      type: INTEGER_OPTION,
      value,
    }));
    return dispatch(index, 'INTERACTION_CREATE', {
      id: idOf(index),
      application_id: APPLICATION_ID,
      type: 2,
      token: 'interaction-token',
      version: 1,
      guild_id: GUILD_ID,
      channel_id: CHANNEL_ID,
      channel: { id: CHANNEL_ID, type: TEXT_CHANNEL, guild_id: GUILD_ID, name: 'general' },
      member: { ...MEMBER, user: USER, permissions: PERMISSIONS },
      data: { id: idOf(0xc1), name, type: CHAT_INPUT, options },
      locale: 'en-US',
      guild_locale: 'en-US',
      app_permissions: PERMISSIONS,
      entitlements: [],
      authorizing_integration_owners: { 0: GUILD_ID },
      context: 0,
      attachment_size_limit: 10_485_760,
    });
  },

  message: (index) =>
    dispatch(index, 'MESSAGE_CREATE', {
      id: idOf(index),
      channel_id: CHANNEL_ID,
      guild_id: GUILD_ID,
      author: USER,
      member: MEMBER,
      content: messageText(index),
      timestamp: CREATED_AT,
      edited_timestamp: null,
      tts: false,
      mention_everyone: false,
      mentions: [],
      mention_roles: [],
      attachments: [],
      embeds: [],
      components: [],
      pinned: false,
      type: 0,
      flags: 0,
    }),

  answerOf(path: string, body: string): Answer | undefined {
    const id = CALLBACK.exec(path)?.[1];
    if (id?.length !== ID_DIGITS) return undefined;
    const { type, data } = JSON.parse(body) as {
      readonly type?: unknown;
      readonly data?: { readonly content?: unknown };
    };
    if (type !== CALLBACK_ANSWER) return undefined;
    return { index: Number(BigInt(id) - FIRST_ID), content: data?.content };
  },

  accepted: () => NO_CONTENT,

  registered(body) {
    const commands = JSON.parse(body) as readonly object[];
    const registered = commands.map((command, index) => ({
      id: idOf(index),
      application_id: APPLICATION_ID,
      version: idOf(index),
      ...command,
    }));
    return JSON.stringify(registered);
  },

  other(method, path, port) {
    if (!path.endsWith('/gateway/bot')) {
      return method === 'GET' ? jsonAnswer('[]') : NO_CONTENT;
    }
    const limit = { total: 1_000, remaining: 999, reset_after: 86_400_000, max_concurrency: 1 };
    return jsonAnswer(
      JSON.stringify({ url: `ws://127.0.0.1:${port}`, shards: 1, session_start_limit: limit }),
    );
  },
};
