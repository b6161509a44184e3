// The initial contents of every simulator.
import { firstBot, botUser } from './bots.js';
import { deriveId } from './derive.js';
import { deleteMessage, editMessage, sendMessage } from './messages.js';
import { addChannel, addRole, addUser, saveServer } from './places.js';
import { addReaction } from './reactions.js';
import type { ChannelRecord, MessageRecord, ServerRecord } from './state.js';
import type { World } from './world.js';

/** Age of the last message of a channel, and the time between two messages. */
const AGE_MS = 60 * 60_000;
const STEP_MS = 60_000;

interface SeedMessage {
  /** Id of the author. */
  readonly by: string;
  readonly content: string;
  /** Distance to the message that this message replies to, counted backwards. */
  readonly repliesTo?: number;
  /** Called when all messages of the channel are written. */
  readonly change?: (message: MessageRecord) => void;
}

type Channel = Partial<Omit<ChannelRecord, 'name'>> & {
  readonly messages?: readonly SeedMessage[];
};

/** Adds the users, servers, channels and messages of the seed to a world that has only a bot. */
export function fillWorld(world: World): void {
  const { state, seed, clock } = world;
  const bot = firstBot(state);
  const botIds = [bot.botUserId];
  let thenMs = 0;
  /** The same world at an earlier time. */
  const then = { ...world, clock: { ...clock, now: () => thenMs } };

  const user = (username: string, displayName: string, more = {}): string =>
    addUser(world, { username, displayName, serverIds: [], ...more }).id;

  const server = (name: string, [ownerId = '', ...memberIds]: string[], more = {}): string =>
    saveServer(world, { id: world.nextId('server'), name, ownerId, memberIds, botIds, ...more }).id;

  function channel(serverId: string, name: string, { messages = [], ...more }: Channel = {}): void {
    const added = addChannel(world, { serverId, name, ...more });
    const written: MessageRecord[] = [];
    for (const [index, { by, content, repliesTo = 0 }] of messages.entries()) {
      thenMs = clock.now() - AGE_MS - (messages.length - 1 - index) * STEP_MS;
      const replyToMessageId = written[index - repliesTo]?.id;
      written.push(sendMessage(then, { channel: added, authorId: by, content, replyToMessageId }));
    }
    for (const [index, message] of written.entries()) messages[index]?.change?.(message);
  }

  function emojis(serverId: ServerRecord['id'], animated: Readonly<Record<string, boolean>>): void {
    for (const [name, isAnimated] of Object.entries(animated)) {
      const id = deriveId(seed, `emoji:${serverId}/${name}`);
      state.emojis.set(id, { id, serverId, name, isAnimated });
    }
  }

  const reactions = (emojis: readonly string[], userIds: readonly string[]) => {
    return (message: MessageRecord): void => {
      for (const unicodeEmoji of emojis)
        for (const userId of userIds)
          addReaction(world, message, userId, { unicodeEmoji, customEmojiId: null });
    };
  };

  const ada = user('ada', 'Ada', { role: 'owner' });
  const grace = user('grace', 'Grace', { role: 'moderator' });
  const linus = user('linus', 'Linus');
  // 32 characters, both directions of writing, and an emoji.
  const margaret = user('margaret', 'Margaret 🌻 مارغريت of the Garden');
  const otherbot = user('otherbot', 'Otherbot', { isBot: true });
  world.emit({ type: 'place.saved', list: 'users', record: botUser(bot) });

  const sandbox = server('Sandbox', [ada, grace, linus, margaret, otherbot]);
  channel(sandbox, 'general', {
    topic: 'Try your commands here.',
    messages: [{ by: ada, content: 'Welcome to the sandbox. Type / to run a command.' }],
  });
  channel(sandbox, 'bot-spam', {
    topic: 'Texts with tricky characters.',
    messages: [
      { by: linus, content: '```js\nconst answer = 6 * 7;\n```' },
      { by: ada, content: 'A link: https://example.com/?q=a&b=<c>' },
      { by: margaret, content: 'مرحبا بكم في قناة الاختبار' },
      {
        by: linus,
        content: 'Z\u0351\u036b\u0343a\u0329\u034el\u0348g\u0359o\u0321 has combining marks.',
      },
      {
        by: grace,
        content: 'This was written in a hurry, and fixed.',
        change: (message) => editMessage(world, message, message.content),
      },
      {
        by: linus,
        content: 'This one is gone.',
        change: (message) => deleteMessage(world, message),
      },
      { by: grace, content: 'A reply to a deleted message.', repliesTo: 1 },
      { by: otherbot, content: 'Beep. I am a bot too.' },
      { by: margaret, content: 'x'.repeat(2000) },
      {
        by: ada,
        content: 'Twelve kinds of reaction.',
        change: reactions(
          ['👍', '👎', '🎉', '🚀', '👀', '❤️', '😄', '😕', '🔥', '✅', '🙏', '🌻'],
          [ada, grace, linus],
        ),
      },
    ],
  });
  channel(sandbox, 'read-only', {
    topic: 'The bot sees this channel but has no permissions in it.',
    botPermissions: [],
    messages: [
      {
        by: ada,
        content: 'The bot cannot delete this, nor clear its reactions.',
        change: reactions(['👍'], [grace]),
      },
    ],
  });
  channel(sandbox, 'hidden', {
    topic: 'The bot does not see this channel.',
    visibleToBot: false,
    messages: [{ by: ada, content: 'The bot cannot see this message.' }],
  });
  channel(sandbox, 'long-history', {
    topic: '250 messages, to page through.',
    messages: Array.from({ length: 250 }, (_, index) => ({
      by: [ada, grace, linus, margaret][index % 4] ?? ada,
      content: `Message ${index + 1} of 250.`,
    })),
  });
  channel(sandbox, 'Lounge', { kind: 'voice' });
  channel(sandbox, 'Stage', { kind: 'voice' });
  addRole(world, { serverId: sandbox, name: 'admin', memberIds: [ada] });
  addRole(world, { serverId: sandbox, name: 'mod', memberIds: [ada, grace] });
  addRole(world, { serverId: sandbox, name: 'dj', memberIds: [linus, margaret] });
  emojis(sandbox, { party: true, ok: false });

  const second = server('Second', [ada, grace]);
  channel(second, 'general', {
    topic: 'The bot is installed here too.',
    messages: [{ by: grace, content: 'Hello from the second server.' }],
  });
  channel(second, 'Studio', { kind: 'voice' });
  addRole(world, { serverId: second, name: 'helper', memberIds: [grace] });
  emojis(second, { wave: false });

  const elsewhere = server('Elsewhere', [ada, linus], { botIds: [] });
  channel(elsewhere, 'general', {
    topic: 'The bot is not installed here.',
    messages: [{ by: linus, content: 'No bot here.' }],
  });
  emojis(elsewhere, { secret: false });
}
