// Source: Bot Interface, "Limits" and "Errors".
import { describe, expect } from 'vitest';
import { at, list, refused, testRules, text, type PlainBot, type Rule } from './plain-bot.js';

const messagesOf = (bot: PlainBot, channel = 'general'): string =>
  `/channels/${bot.channelId(channel)}/messages`;

const FILE = { fileName: 'a.txt', contentType: 'text/plain', size: 5 };

/** Limits sending messages to two in ten seconds. */
function limitSending(bot: PlainBot): void {
  bot.simulator.setFaults({
    rules: [
      {
        name: 'two in ten seconds',
        on: { request: 6 },
        do: { type: 'limit', limit: 2, perMs: 10_000 },
      },
    ],
  });
}

/** Expects 25 messages on one side of the middle one, with none on the other side. */
async function defaultOfContext(bot: PlainBot, otherSide: string): Promise<void> {
  const middle = bot.simulator.messages('long-history')[100]?.id ?? '';
  const path = `${messagesOf(bot, 'long-history')}/${middle}/context?${otherSide}`;
  expect(list(at((await bot.api('GET', path)).body, 'messages'))).toHaveLength(26);
}

const HEADERS = ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

const LIMITS: readonly Rule[] = [
  [
    'message content length: 1 to 2000 characters',
    async (bot) => {
      const path = await bot.botWrites();
      for (const [length, status] of [
        [0, 400],
        [1, 200],
        [2000, 200],
        [2001, 400],
      ] as const) {
        const content = 'x'.repeat(length);
        const interaction = `/interactions/${await bot.runAsk()}`;
        const replies = [
          await bot.api('POST', messagesOf(bot), { content }),
          await bot.api('PATCH', path, { content }),
          await bot.api('POST', `${interaction}/response`, { content }),
        ];
        expect(replies.map((reply) => reply.status)).toEqual([status, status, status]);
      }
    },
  ],
  [
    'limit default: 50, GET messages',
    async (bot) => {
      const { body } = await bot.api('GET', messagesOf(bot, 'long-history'));
      expect(list(at(body, 'messages'))).toHaveLength(50);
    },
  ],
  ['before default: 25, GET context', (bot) => defaultOfContext(bot, 'after=0')],
  ['after default: 25, GET context', (bot) => defaultOfContext(bot, 'before=0')],
  [
    'upload session size: maxBytes returned in the session',
    async (bot) => {
      const sessions = `${messagesOf(bot)}/attachments/upload-session`;
      const { body } = await bot.api('POST', sessions, FILE);
      const maxBytes = Number(at(body, 'maxBytes'));
      expect(Number.isSafeInteger(maxBytes)).toBe(true);
      expect((await bot.api('POST', sessions, { ...FILE, size: maxBytes })).status).toBe(200);
      const larger = await bot.api('POST', sessions, { ...FILE, size: maxBytes + 1 });
      expect(refused(larger)).toEqual([400, 'bot_validation_error']);
    },
  ],
  [
    'download URL and upload session lifetime: given by expiresAt',
    async (bot) => {
      const { body } = await bot.api('POST', `${messagesOf(bot)}/attachments/upload-session`, FILE);
      await bot.clock.advance(Date.parse(text(body, 'expiresAt')) - bot.clock.now() - 1);
      expect((await bot.upload(body, 'in time')).status).toBe(200);
      await bot.clock.advance(1);
      expect((await bot.upload(body, 'too late')).status).toBe(410);
    },
  ],
  [
    'typing indicator: fades after a few seconds',
    async (bot) => {
      const shown: number[] = [];
      bot.simulator.on((event) => event.type === 'typing' && shown.push(event.forMs));
      await bot.api('POST', `/channels/${bot.channelId('general')}/typing`);
      expect(shown).toEqual([8_000]);
    },
  ],
  [
    'a limited request answers 429 with Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset, all integers, and the error body bot_rate_limited',
    async (bot) => {
      limitSending(bot);
      await bot.botWrites();
      await bot.botWrites();
      const limited = await bot.api('POST', messagesOf(bot), { content: 'Third' });
      expect(refused(limited)).toEqual([429, 'bot_rate_limited']);
      const values = HEADERS.map((name) => limited.headers.get(name));
      expect(values).toEqual(HEADERS.map(() => expect.stringMatching(/^\d+$/)));
    },
  ],
  [
    'clients back off for the Retry-After time',
    async (bot) => {
      limitSending(bot);
      const send = () => bot.api('POST', messagesOf(bot), { content: 'Again' });
      await send();
      await send();
      const seconds = Number((await send()).headers.get('Retry-After'));
      await bot.clock.advance(seconds * 1_000 - 1);
      expect((await send()).status).toBe(429);
      await bot.clock.advance(1);
      expect((await send()).status).toBe(200);
    },
  ],
];

const ERRORS: readonly Rule[] = [
  [
    'bot REST error responses have a JSON body with code, message, details and requestId',
    async (bot) => {
      const replies = [
        await bot.api('GET', '/users/@me', undefined, null),
        await bot.api('GET', '/channels/not-a-uuid/messages'),
        await bot.api('PATCH', bot.adaWrites(), { content: 'Edited' }),
        await bot.api('GET', '/servers/00000000-0000-4000-8000-000000000000/channels'),
        await bot.api('GET', '/guilds'),
      ];
      expect(replies.map((reply) => refused(reply)[0])).toEqual([401, 400, 403, 404, 501]);
      const ids = replies.map(({ body }) => text(body, 'requestId'));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { headers } of replies)
        expect(headers.get('content-type')).toMatch(/^application\/json/);
    },
  ],
  [
    'bot_validation_error: a body value is invalid; details.field is the name of the offending field',
    async (bot) => {
      const sessions = `${messagesOf(bot)}/attachments/upload-session`;
      const command = { name: 'ask', description: 'Asks', options: [] };
      for (const [method, path, body, field] of [
        ['POST', messagesOf(bot), { content: '' }, 'content'],
        ['POST', messagesOf(bot), { content: 1 }, 'content'],
        ['POST', messagesOf(bot), {}, 'content'],
        ['POST', messagesOf(bot), { content: 'x', replyToMessageId: 'no' }, 'replyToMessageId'],
        ['POST', sessions, { ...FILE, size: 'large' }, 'size'],
        ['POST', sessions, { ...FILE, fileName: 1 }, 'fileName'],
        ['PUT', '/commands', {}, 'commands'],
        ['PUT', '/commands', { commands: [{ ...command, description: 1 }] }, undefined],
      ] as const) {
        const reply = await bot.api(method, path, body);
        expect(refused(reply)).toEqual([400, 'bot_validation_error']);
        const named = text(reply.body, 'details', 'field');
        expect(named).toBe(field ?? 'commands[0].description');
      }
    },
  ],
  [
    'bot_rate_limited: details.retryAfterSeconds integer, status 429',
    async (bot) => {
      limitSending(bot);
      await bot.botWrites();
      await bot.botWrites();
      const limited = await bot.api('POST', messagesOf(bot), { content: 'Third' });
      const seconds = at(limited.body, 'details', 'retryAfterSeconds');
      expect(Number.isInteger(seconds)).toBe(true);
      expect(limited.headers.get('Retry-After')).toBe(String(seconds));
    },
  ],
  [
    '401: invalid bot token',
    async (bot) => {
      expect((await bot.api('GET', '/servers', undefined, 'Bot none')).status).toBe(401);
    },
  ],
  [
    '403: editing a message the bot did not write; missing permission for delete, clear-reactions or remove-another-user’s-reaction',
    async (bot) => {
      const path = bot.adaWrites('read-only');
      const thumb = { unicodeEmoji: '👍', customEmojiId: null };
      const replies = [
        await bot.api('PATCH', path, { content: 'Edited' }),
        await bot.api('DELETE', path),
        await bot.api('DELETE', `${path}/reactions`),
        await bot.api('DELETE', `${path}/reactions/users/${bot.userId('ada')}`, thumb),
      ];
      expect(replies.map((reply) => reply.status)).toEqual([403, 403, 403, 403]);
    },
  ],
  [
    '429: rate limited; the response carries the headers listed under Limits',
    async (bot) => {
      limitSending(bot);
      for (let call = 0; call < 3; call += 1)
        await bot.api('POST', messagesOf(bot), { content: 'Again' });
      const limited = await bot.api('POST', messagesOf(bot), { content: 'Again' });
      expect(limited.status).toBe(429);
      expect(HEADERS.filter((name) => !limited.headers.has(name))).toEqual([]);
    },
  ],
];

describe('limits', () => {
  testRules(LIMITS);
});
describe('errors', () => {
  testRules(ERRORS);
});
