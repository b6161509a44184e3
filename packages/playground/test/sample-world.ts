import type {
  SimBot,
  SimChannel,
  SimCommand,
  SimEmoji,
  SimInteraction,
  SimMessage,
  SimRole,
  SimServer,
  SimSnapshot,
  SimUser,
} from '@virgule/core/simulator-api';
import type { Profile } from '@virgule/core/protocol';

/** `id(7)` -> a UUID that is easy to recognize. */
export function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export const ADA: SimUser = {
  id: id(1),
  username: 'ada',
  displayName: 'Ada',
  isBot: false,
  role: 'owner',
  token: 'token-of-ada',
};
export const GRACE: SimUser = {
  id: id(2),
  username: 'grace',
  displayName: 'Grace',
  isBot: false,
  role: 'moderator',
  token: 'token-of-grace',
};
export const LINUS: SimUser = {
  id: id(3),
  username: 'linus',
  displayName: 'Linus',
  isBot: false,
  role: '',
  token: 'token-of-linus',
};
export const BOT: SimBot = {
  applicationId: id(8),
  botUserId: id(9),
  username: 'demo-bot',
  displayName: 'Demo Bot',
  connected: true,
  identifies: 1,
  token: 'token-of-demo-bot',
};
/** A second bot, which has a command with the same name as a command of the first bot. */
export const MUSIC: SimBot = {
  ...BOT,
  applicationId: id(10),
  botUserId: id(11),
  username: 'music',
  displayName: 'Music',
  token: 'token-of-music',
};
const BOT_USER: SimUser = {
  id: BOT.botUserId,
  username: BOT.username,
  displayName: BOT.displayName,
  isBot: true,
  role: '',
};

export const SANDBOX: SimServer = {
  id: id(20),
  name: 'Sandbox',
  memberCount: 4,
  botIds: [BOT.botUserId],
  memberIds: [ADA.id, GRACE.id, LINUS.id, BOT.botUserId],
};
export const SECOND: SimServer = {
  id: id(21),
  name: 'Second Home',
  memberCount: 2,
  botIds: [BOT.botUserId],
  memberIds: [ADA.id, BOT.botUserId],
};
export const WITHOUT_BOT: SimServer = {
  id: id(22),
  name: 'Not installed',
  memberCount: 1,
  botIds: [],
  memberIds: [ADA.id],
};

export const DJ: SimRole = {
  id: id(80),
  serverId: SANDBOX.id,
  name: 'dj',
  memberIds: [GRACE.id, LINUS.id],
};

function emoji(number: number, { id: serverId }: SimServer, name: string): SimEmoji {
  return { id: id(number), serverId, name, imageUrl: `/_files/emojis/${name}`, isAnimated: false };
}

export const EMOJIS = [
  emoji(70, SANDBOX, 'party'),
  emoji(75, SECOND, 'wave'),
  emoji(76, WITHOUT_BOT, 'secret'),
];

function channel(
  number: number,
  server: SimServer,
  name: string,
  topic: string | null,
): SimChannel {
  return {
    id: id(number),
    serverId: server.id,
    name,
    type: 'text',
    position: number,
    topic,
    visibleToBot: true,
    botPermissions: ['ManageMessages', 'ManageReactions'],
  };
}

export const GENERAL = channel(30, SANDBOX, 'general', 'Say hello, run /hello');
export const EMPTY = channel(31, SANDBOX, 'empty', null);
export const HISTORY = channel(32, SANDBOX, 'long-history', 'Two hundred and fifty messages');
export const HIDDEN: SimChannel = { ...channel(33, SANDBOX, 'hidden', null), visibleToBot: false };
export const LOUNGE: SimChannel = { ...channel(34, SANDBOX, 'Lounge', null), type: 'voice' };
const SECOND_GENERAL = channel(35, SECOND, 'general', null);
const QUIET = channel(36, WITHOUT_BOT, 'quiet', null);

function option(name: string, type: string, required: boolean, description: string) {
  return { name, type, required, description };
}

export const COMMANDS: readonly SimCommand[] = [
  {
    id: id(50),
    name: 'hello',
    description: 'Says hello',
    options: [],
    createdAt: '',
    botUserId: BOT.botUserId,
  },
  {
    id: id(51),
    name: 'roll',
    description: 'Roll some dice',
    options: [
      option('sides', 'integer', false, 'Faces on each die'),
      option('count', 'integer', false, 'How many dice'),
    ],
    createdAt: '',
    botUserId: BOT.botUserId,
  },
  {
    id: id(52),
    name: 'play',
    description: 'Play a track',
    options: [
      option('url', 'string', true, 'The address of an audio file'),
      option('loop', 'boolean', false, 'Start again at the end'),
    ],
    createdAt: '',
    botUserId: BOT.botUserId,
  },
  {
    id: id(53),
    name: 'ban',
    description: 'Show someone the door',
    options: [
      option('who', 'user', true, 'Whom'),
      option('reason', 'string', false, 'Why, for the log'),
    ],
    createdAt: '',
    botUserId: BOT.botUserId,
  },
  {
    id: id(54),
    name: 'slow',
    description: 'Takes its time',
    options: [],
    createdAt: '',
    botUserId: BOT.botUserId,
  },
];

export const MUSIC_PLAY: SimCommand = {
  id: id(60),
  name: 'play',
  description: 'Play the next one',
  options: [],
  createdAt: '',
  botUserId: MUSIC.botUserId,
};

/** Adds the second bot, with the commands `play` and `stop`, to a snapshot. */
export function withMusic(world: SimSnapshot): SimSnapshot {
  const { botUserId, username, displayName } = MUSIC;
  return {
    ...world,
    bots: [...world.bots, MUSIC],
    users: [...world.users, { id: botUserId, username, displayName, isBot: true, role: 'bot' }],
    servers: world.servers.map((server) =>
      server.id === SANDBOX.id ? { ...server, botIds: [...server.botIds, botUserId] } : server,
    ),
    commands: [
      ...world.commands,
      MUSIC_PLAY,
      { ...MUSIC_PLAY, id: id(61), name: 'stop', description: 'Be quiet' },
    ],
  };
}

/** A PNG of 8 by 8 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAYAAADED76LAAAAFUlEQVQYV2P8z8Dwn4EIwDiqkL4KAZiKD/n5Mk3WAAAAAElFTkSuQmCC',
  'base64',
);
export const CROP: SimCommand = {
  id: id(55),
  name: 'crop',
  description: 'Crop a picture',
  options: [
    option('file', 'attachment', true, 'The picture'),
    option('format', 'string', false, 'File format (png|svg|webp, default png)'),
  ],
  createdAt: '',
  botUserId: BOT.botUserId,
};

/** The part of the profile that the page reads, with the default values. */
const READ_PROFILE: Partial<Profile> = {
  answerWindowMs: 3_000,
  deferredWindowMs: 15 * 60_000,
  unicodeEmojiKind: 'unicode',
  channelTypes: { text: 'text', voice: 'voice' },
  contentUnit: 'utf-16-code-unit',
  attachmentsMax: 10,
  uploadMaxBytes: 1_000_000,
};
// The page does not read the rest of the profile.
export const PROFILE = READ_PROFILE as Profile;

let lastMessage = 1000;

/** Returns a message of an author, with the fields that a test replaces. */
export function message(
  author: Pick<SimUser, 'id' | 'username' | 'displayName'>,
  content: string,
  more: Partial<SimMessage> = {},
): SimMessage {
  lastMessage += 1;
  return {
    id: id(lastMessage),
    channelId: GENERAL.id,
    authorId: author.id,
    authorUsername: author.username,
    authorDisplayName: author.displayName,
    authorAvatarUrl: null,
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
    createdAt: new Date().toISOString(),
    interactionId: null,
    ...more,
  };
}

export const BOT_AUTHOR = { ...BOT_USER };

export function interaction(more: Partial<SimInteraction> = {}): SimInteraction {
  lastMessage += 1;
  return {
    id: id(lastMessage),
    botUserId: BOT.botUserId,
    serverId: SANDBOX.id,
    channelId: GENERAL.id,
    userId: ADA.id,
    commandName: 'roll',
    rawInput: '/roll 20',
    state: 'waiting',
    wasDeferred: more.state === 'deferred',
    createdAt: new Date().toISOString(),
    expiresAt: null,
    responseMessageId: null,
    ...more,
  };
}

function at(minutesAgo: number): string {
  const nowMs = Date.now();
  const dayMs = new Date(nowMs).setHours(0, 0, 0, 0);
  // In the first hour of a day, they end with the day before: a new day would begin between two messages.
  const lastMs = nowMs - dayMs < 3_600_000 ? dayMs - 1 : nowMs;
  return new Date(lastMs - minutesAgo * 60_000).toISOString();
}

/** The initial messages of #general, oldest first. */
export function generalMessages(): SimMessage[] {
  const first = message(ADA, 'Morning! Is **Demo Bot** up?', { createdAt: at(48) });
  const roll = message(BOT_AUTHOR, 'You rolled **9** (4 + 5)', {
    createdAt: at(46),
    editedAt: at(45),
    interactionId: id(900),
    reactions: [
      {
        emoji: { kind: 'unicode', unicodeEmoji: '👍' },
        count: 2,
        me: false,
        userIds: [ADA.id, GRACE.id],
      },
      {
        emoji: { kind: 'custom', customEmojiId: id(70), customEmojiName: 'party' },
        count: 1,
        me: false,
        userIds: [LINUS.id],
      },
    ],
  });
  return [
    first,
    message(ADA, 'It answers in `7 ms` here.', { createdAt: at(47.5) }),
    roll,
    message(GRACE, 'Nice. The handler is only\n```ts\nreturn rollDice(2, 6);\n```', {
      createdAt: at(30),
      replyTo: { messageId: roll.id, authorDisplayName: 'Demo Bot', content: roll.content },
    }),
    message(LINUS, 'oops', { createdAt: at(28), isDeleted: true }),
    message(GRACE, `<@${ADA.id}> the numbers are here:`, {
      createdAt: at(12),
      attachments: [
        { id: id(71), fileName: 'rolls.csv', contentType: 'text/csv', size: 1434, url: '/files/x' },
      ],
    }),
  ];
}

/** 250 messages, five pages. */
export function longHistory(): SimMessage[] {
  return Array.from({ length: 250 }, (_, index) =>
    message(index % 3 === 0 ? ADA : GRACE, `Message number ${index + 1}`, {
      channelId: HISTORY.id,
      createdAt: new Date(Date.now() - (300 - index) * 60_000).toISOString(),
    }),
  );
}

export function snapshot(more: Partial<SimSnapshot> = {}): SimSnapshot {
  return {
    v: 1,
    servers: [SANDBOX, SECOND, WITHOUT_BOT],
    channels: [GENERAL, EMPTY, HISTORY, HIDDEN, LOUNGE, SECOND_GENERAL, QUIET],
    users: [ADA, GRACE, LINUS, BOT_USER],
    roles: [DJ],
    emojis: EMOJIS,
    bot: BOT,
    bots: [BOT],
    commands: COMMANDS,
    interactions: [
      interaction({
        id: id(900),
        rawInput: '/roll 6 2',
        state: 'answered',
        createdAt: at(46),
      }),
    ],
    voice: [
      {
        channelId: LOUNGE.id,
        participants: [
          { userId: GRACE.id, username: GRACE.username, displayName: GRACE.displayName },
        ],
        ingressOpen: false,
      },
    ],
    problems: [],
    clock: { offsetMs: 0, pausedAtMs: null },
    editor: null,
    profile: PROFILE,
    // The page does not read the assumptions yet.
    assumptions: {} as SimSnapshot['assumptions'],
    ...more,
  };
}
