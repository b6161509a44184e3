// The initial world of every simulator. build-world.ts adds ids, tokens and times.
import type { Permission } from '@virgule/core/protocol';

interface SeedUser {
  readonly username: string;
  readonly displayName: string;
  readonly isBot?: true;
  readonly role?: string;
}

export interface SeedMessage {
  readonly by: string;
  readonly content: string;
  readonly edited?: true;
  readonly deleted?: true;
  /** Distance to the message that this message replies to, counted backwards. */
  readonly repliesTo?: number;
  /** Usernames by emoji. */
  readonly reactions?: Readonly<Record<string, readonly string[]>>;
}

export interface SeedChannel {
  readonly name: string;
  readonly topic?: string;
  readonly hiddenFromBot?: true;
  /** Permissions of the bot. @defaultValue every permission */
  readonly botPermissions?: readonly Permission[];
  readonly messages?: readonly SeedMessage[];
}

export interface SeedServer {
  readonly name: string;
  readonly botInstalled: boolean;
  /** Usernames of the members, the owner first; an installed bot is added. */
  readonly members: readonly string[];
  readonly channels: readonly SeedChannel[];
  /** Names of the voice channels, which come after the text channels. */
  readonly voice?: readonly string[];
  /** Usernames by name of the role. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** Custom emojis by name; `true` for an animated emoji. */
  readonly emojis?: Readonly<Record<string, boolean>>;
}

export const SEED_BOT = { username: 'demo-bot', displayName: 'Demo Bot' };

const longHistory: readonly SeedMessage[] = Array.from({ length: 250 }, (_, index) => ({
  by: ['ada', 'grace', 'linus', 'margaret'][index % 4] ?? 'ada',
  content: `Message ${index + 1} of 250.`,
}));

/** Texts with tricky characters. */
const trickyTexts: readonly SeedMessage[] = [
  { by: 'linus', content: '```js\nconst answer = 6 * 7;\n```' },
  { by: 'ada', content: 'A link: https://example.com/?q=a&b=<c>' },
  { by: 'margaret', content: 'مرحبا بكم في قناة الاختبار' },
  {
    by: 'linus',
    content: 'Z\u0351\u036b\u0343a\u0329\u034el\u0348g\u0359o\u0321 has combining marks.',
  },
  { by: 'grace', content: 'This was written in a hurry, and fixed.', edited: true },
  { by: 'linus', content: 'This one is gone.', deleted: true },
  { by: 'grace', content: 'A reply to a deleted message.', repliesTo: 1 },
  { by: 'otherbot', content: 'Beep. I am a bot too.' },
  { by: 'margaret', content: 'x'.repeat(2000) },
  {
    by: 'ada',
    content: 'Twelve kinds of reaction.',
    reactions: Object.fromEntries(
      ['👍', '👎', '🎉', '🚀', '👀', '❤️', '😄', '😕', '🔥', '✅', '🙏', '🌻'].map((emoji) => [
        emoji,
        ['ada', 'grace', 'linus'],
      ]),
    ),
  },
];

export const SEED: {
  readonly users: readonly SeedUser[];
  readonly servers: readonly SeedServer[];
} = {
  users: [
    { username: 'ada', displayName: 'Ada', role: 'owner' },
    { username: 'grace', displayName: 'Grace', role: 'moderator' },
    { username: 'linus', displayName: 'Linus' },
    // 32 characters, both directions of writing, and an emoji.
    { username: 'margaret', displayName: 'Margaret 🌻 مارغريت of the Garden' },
    { username: 'otherbot', displayName: 'Otherbot', isBot: true },
  ],
  servers: [
    {
      name: 'Sandbox',
      botInstalled: true,
      members: ['ada', 'grace', 'linus', 'margaret', 'otherbot'],
      channels: [
        {
          name: 'general',
          topic: 'Try your commands here.',
          messages: [{ by: 'ada', content: 'Welcome to the sandbox. Type / to run a command.' }],
        },
        {
          name: 'bot-spam',
          topic: 'Texts with tricky characters.',
          messages: trickyTexts,
        },
        {
          name: 'read-only',
          topic: 'The bot sees this channel but has no permissions in it.',
          botPermissions: [],
          messages: [
            {
              by: 'ada',
              content: 'The bot cannot delete this, nor clear its reactions.',
              reactions: { '👍': ['grace'] },
            },
          ],
        },
        {
          name: 'hidden',
          topic: 'The bot does not see this channel.',
          hiddenFromBot: true,
          messages: [{ by: 'ada', content: 'The bot cannot see this message.' }],
        },
        {
          name: 'long-history',
          topic: '250 messages, to page through.',
          messages: longHistory,
        },
      ],
      voice: ['Lounge', 'Stage'],
      roles: { admin: ['ada'], mod: ['ada', 'grace'], dj: ['linus', 'margaret'] },
      emojis: { party: true, ok: false },
    },
    {
      name: 'Second',
      botInstalled: true,
      members: ['ada', 'grace'],
      channels: [
        {
          name: 'general',
          topic: 'The bot is installed here too.',
          messages: [{ by: 'grace', content: 'Hello from the second server.' }],
        },
      ],
      voice: ['Studio'],
      roles: { helper: ['grace'] },
      emojis: { wave: false },
    },
    {
      name: 'Elsewhere',
      botInstalled: false,
      members: ['ada', 'linus'],
      channels: [
        {
          name: 'general',
          topic: 'The bot is not installed here.',
          messages: [{ by: 'linus', content: 'No bot here.' }],
        },
      ],
      emojis: { secret: false },
    },
  ],
};
