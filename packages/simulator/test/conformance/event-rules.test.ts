// Source: Bot Interface, "Events": intents, events and payload shapes.
import { describe, expect } from 'vitest';
import type { BotSocket } from '../bot-socket.js';
import { causeEveryEvent } from './cause-every-event.js';
import { testRules, text, type PlainBot, type Rule } from './plain-bot.js';

const UUID = expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);

/** Intent, event, its meaning, and the expected payload. */
const EVENTS: readonly (readonly [
  intent: string,
  event: Parameters<BotSocket['event']>[0],
  meaning: string,
  payload: (bot: PlainBot) => unknown,
])[] = [
  [
    'SERVER_MESSAGES',
    'MESSAGE_CREATE',
    'a new message landed in a channel of an installed server',
    (bot) => expect.objectContaining({ channelId: bot.channelId('general'), content: 'Mine' }),
  ],
  [
    'SERVER_MESSAGES',
    'MESSAGE_UPDATE',
    'a message was edited',
    () => expect.objectContaining({ content: 'Edited', editedAt: expect.any(String) }),
  ],
  [
    'SERVER_MESSAGES',
    'MESSAGE_DELETE',
    'a message was deleted; the body carries identifiers only',
    () => ({ serverId: UUID, channelId: UUID, messageId: UUID }),
  ],
  ['SERVER_MESSAGES', 'MESSAGE_CREATE', 'a message of someone else', () => expect.anything()],
  [
    'MESSAGE_REACTIONS',
    'MESSAGE_REACTION_ADD',
    'a reaction was added',
    () => ({
      serverId: UUID,
      channelId: UUID,
      messageId: UUID,
      userId: UUID,
      emoji: { kind: 'unicode', unicodeEmoji: '👍' },
      count: 1,
    }),
  ],
  [
    'MESSAGE_REACTIONS',
    'MESSAGE_REACTION_REMOVE',
    'a reaction was removed',
    () => expect.objectContaining({ userId: UUID, messageId: UUID }),
  ],
  [
    'SERVER_VOICE',
    'VOICE_STATE_UPDATE',
    'someone joined a voice channel',
    (bot) => expect.objectContaining({ channelId: bot.channelId('Lounge') }),
  ],
  [
    'SERVER_VOICE',
    'VOICE_STATE_UPDATE',
    'someone left a voice channel',
    () => expect.objectContaining({ channelId: null }),
  ],
  [
    'APPLICATION_COMMANDS',
    'APPLICATION_COMMAND',
    'a slash command ran; it must be answered through the interaction endpoints',
    () => ({
      interactionId: UUID,
      serverId: UUID,
      channelId: UUID,
      name: 'ask',
      rawInput: '/ask why',
    }),
  ],
];

/** Expects all events of an intent and no other events, with the payload of this row. */
async function expectEvent(bot: PlainBot, row: (typeof EVENTS)[number]): Promise<void> {
  const [intent, , , payload] = row;
  const socket = await bot.connect({ intents: [intent] });
  await causeEveryEvent(bot);
  const ofIntent = EVENTS.filter(([each]) => each === intent);
  expect(await socket.eventNames()).toEqual(ofIntent.map(([, name]) => name));
  const dispatched = socket.frames.filter(({ op, t }) => op === 'DISPATCH' && t !== 'READY');
  expect(dispatched[ofIntent.indexOf(row)]?.d).toEqual(payload(bot));
}

const EVENT_RULES = EVENTS.map((row): Rule => [
  `${row[0]}, ${row[1]}: ${row[2]}`,
  (bot) => expectEvent(bot, row),
]);

const PAYLOADS: readonly Rule[] = [
  [
    'APPLICATION_COMMAND d: interactionId, serverId, channelId, name, rawInput; all strings, ids are uuid',
    async (bot) => {
      const socket = await bot.connect();
      await bot.runAsk('/ask   as typed ');
      const { d } = await socket.frame(({ t }) => t === 'APPLICATION_COMMAND');
      expect(d).toEqual({
        interactionId: UUID,
        serverId: UUID,
        channelId: UUID,
        name: 'ask',
        rawInput: '/ask   as typed ',
      });
    },
  ],
  [
    'MESSAGE_REACTION_ADD d: serverId, channelId, messageId, userId; emoji with kind, and for custom also customEmojiId and customEmojiName; count integer',
    async (bot) => {
      const socket = await bot.connect();
      const { body } = await bot.api('GET', `/servers/${bot.serverId('Sandbox')}/emojis`);
      const customEmojiId = text(body, 0, 'id');
      const path = bot.adaWrites();
      await bot.api('PUT', `${path}/reactions/me`, { unicodeEmoji: null, customEmojiId });
      const { d } = await socket.frame(({ t }) => t === 'MESSAGE_REACTION_ADD');
      expect(d).toEqual({
        serverId: bot.serverId('Sandbox'),
        channelId: bot.channelId('general'),
        messageId: path.split('/').at(-1),
        userId: bot.userId('demo-bot'),
        emoji: { kind: 'custom', customEmojiId, customEmojiName: text(body, 0, 'name') },
        count: 1,
      });
    },
  ],
];

describe('intents and events', () => {
  testRules(EVENT_RULES);
});
describe('payload shapes', () => {
  testRules(PAYLOADS);
});
