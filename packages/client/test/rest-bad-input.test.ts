import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import {
  createRest,
  isInvalidCall,
  sendReconciled,
  type Emoji,
  type Rest,
} from '@virgule/client/rest';
import { createScriptedDispatcher } from './scripted-dispatcher.js';
import { CHANNEL, INTERACTION, MESSAGE, TOKEN, errorOf, openRest } from './test-rest.js';

const SERVER = '1eda5f30-7b42-6c18-9e03-4f7a2b9c6d51';

/** A client whose every request is answered with nothing. */
function open() {
  const dispatcher = createScriptedDispatcher(() => ({}));
  return { rest: openRest('http://chat.test', { dispatcher }), dispatcher };
}

/** Value that plain JavaScript can pass, against the types. */
const given = <Type>(value: unknown): Type => value as Type;

type Call = (rest: Rest) => Promise<unknown>;

const long = 'x'.repeat(2_001);
const AN_ID = 'an id like 5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
const LENGTH = '1 to 2000 characters';
const ONE_EMOJI = 'either a unicodeEmoji or a customEmojiId';

describe('E_INVALID_CALL', () => {
  const texts: readonly (readonly [string, (rest: Rest, content: string) => Promise<unknown>])[] = [
    ['messages.send', (rest, content) => rest.messages.send(CHANNEL, { content })],
    ['messages.edit', (rest, content) => rest.messages.edit(CHANNEL, MESSAGE, { content })],
    [
      'interactions.respond',
      (rest, content) => rest.interactions.respond(INTERACTION, { content }),
    ],
    [
      'interactions.followUp',
      (rest, content) => rest.interactions.followUp(INTERACTION, { content }),
    ],
    [
      'interactions.editResponse',
      (rest, content) => rest.interactions.editResponse(INTERACTION, { content }),
    ],
  ];

  it.each(texts)('%s takes 1 to 2,000 UTF-16 code units', async (endpoint, call) => {
    const { rest, dispatcher } = open();
    for (const [content, seen] of [
      [long, '2001 characters'],
      // 1,001 code points, each of two units.
      ['🎲'.repeat(1_001), '2002 characters'],
      ['', '0 characters'],
      [given<string>(undefined), 'undefined'],
      [given<string>(null), 'null'],
      [given<string>(42), '42'],
    ] as const) {
      const error = await errorOf(call(rest, content));
      expect(error.details).toEqual({ endpoint, field: 'content', expected: LENGTH, seen });
      const isLong = seen.startsWith('200');
      expect(error.hint).toBe(
        isLong ? 'Send a long text in several messages.' : 'Pass a text, a file, or both.',
      );
    }
    expect(dispatcher.requests).toHaveLength(0);
    await call(rest, 'x'.repeat(2_000));
    await call(rest, 'x');
    expect(dispatcher.requests).toHaveLength(2);
  });

  it('accepts an empty string with files, where an answer has null instead', async () => {
    const { rest, dispatcher } = open();
    const attachments = [{ objectKey: 'k' }];
    await rest.messages.send(CHANNEL, { content: '', attachments });
    await rest.interactions.respond(INTERACTION, { content: null, attachments });
    expect(dispatcher.requests).toHaveLength(2);
    const content = given<string>(null);
    const error = await errorOf(rest.messages.send(CHANNEL, { content, attachments }));
    expect(error.details['field']).toBe('content');
  });

  it.each<[string, string, Call]>([
    ['channelId', 'messages.list', (rest) => rest.messages.list('general')],
    ['channelId', 'messages.send', (rest) => rest.messages.send('general', { content: 'x' })],
    ['messageId', 'messages.get', (rest) => rest.messages.get(CHANNEL, 'general')],
    ['serverId', 'servers.channels', (rest) => rest.servers.channels('general')],
    ['interactionId', 'interactions.ack', (rest) => rest.interactions.ack('general')],
    [
      'userId',
      'reactions.removeUser',
      (rest) => rest.reactions.removeUser(CHANNEL, MESSAGE, 'general', { unicodeEmoji: '🎲' }),
    ],
    [
      'attachmentId',
      'attachments.accessUrl',
      (rest) => rest.attachments.accessUrl(CHANNEL, MESSAGE, 'general'),
    ],
    ['before', 'messages.list', (rest) => rest.messages.list(CHANNEL, { before: 'general' })],
    [
      'customEmojiId',
      'reactions.list',
      (rest) => rest.reactions.list(CHANNEL, MESSAGE, { customEmojiId: 'general' }),
    ],
    [
      'customEmojiId',
      'reactions.add',
      (rest) => rest.reactions.add(CHANNEL, MESSAGE, { customEmojiId: 'general' }),
    ],
    [
      'replyToMessageId',
      'messages.send',
      (rest) => rest.messages.send(CHANNEL, { content: 'x', replyToMessageId: 'general' }),
    ],
  ])('names the %s of %s that is no id', async (field, endpoint, call) => {
    const { rest, dispatcher } = open();
    const error = await errorOf(call(rest));
    expect(isInvalidCall(error)).toBe(true);
    expect(error.details).toEqual({ endpoint, field, expected: AN_ID, seen: '"general"' });
    expect(error.message).toBe(`${endpoint}: ${field} must be ${AN_ID}, saw "general".`);
    expect(dispatcher.requests).toHaveLength(0);
  });

  it.each([
    '',
    ' ',
    `${CHANNEL} `,
    `${CHANNEL}\n`,
    CHANNEL.slice(1),
    `{${CHANNEL}}`,
    '..',
    null,
    7,
  ])('refuses %j as an id', async (id) => {
    const error = await errorOf(open().rest.servers.channels(given<string>(id)));
    expect(error.details['field']).toBe('serverId');
  });

  it.each([
    SERVER,
    SERVER.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '01934c7e-9f13-7c02-06a8-3d5e7f1094bc',
  ])('takes the id %s, whatever its version bits are', async (id) => {
    const { rest, dispatcher } = open();
    await rest.channels.typing(id);
    expect(dispatcher.requests).toHaveLength(1);
  });

  it.each<[string, unknown, string]>([
    ['both emojis', { unicodeEmoji: '🎲', customEmojiId: SERVER }, 'both'],
    ['no emoji', {}, 'none'],
    ['two empty ones', { unicodeEmoji: '', customEmojiId: null }, 'none'],
    ['nothing', undefined, 'none'],
    ['a text', '🎲', 'none'],
    ['a number', { unicodeEmoji: 7 }, '7'],
  ])('refuses a reaction with %s', async (_name, emoji, seen) => {
    const { rest, dispatcher } = open();
    for (const call of ['add', 'remove'] as const) {
      const error = await errorOf(rest.reactions[call](CHANNEL, MESSAGE, given<Emoji>(emoji)));
      expect(error.details).toMatchObject({ field: 'emoji', expected: ONE_EMOJI, seen });
      expect(error.hint).toContain('{ unicodeEmoji: "🎲" }');
    }
    expect(dispatcher.requests).toHaveLength(0);
  });

  it.each([['a text', 'Hello', '"Hello"'] as const, ['nothing', undefined, 'undefined'] as const])(
    'refuses %s in place of a body',
    async (_name, body, seen) => {
      const { rest } = open();
      for (const error of [
        await errorOf(rest.messages.send(CHANNEL, given(body))),
        await errorOf(rest.interactions.respond(INTERACTION, given(body))),
        await errorOf(rest.messages.edit(CHANNEL, MESSAGE, given(body))),
      ]) {
        expect(error.details).toMatchObject({ field: 'body', seen });
      }
    },
  );

  it.each([Number.NaN, -1, '5s'])('refuses %j as a deadline', async (deadlineMs) => {
    const { rest, dispatcher } = open();
    const options = { deadlineMs: given<number>(deadlineMs) };
    for (const call of [
      rest.users.me(options),
      rest.messages.send(CHANNEL, { content: 'x' }, options),
      rest.messages.send(CHANNEL, { content: 'x', files: [] }, options),
      rest.interactions.respond(INTERACTION, { files: [], channelId: CHANNEL }, options),
    ]) {
      expect((await errorOf(call)).details['field']).toBe('deadlineMs');
    }
    expect(dispatcher.requests).toHaveLength(0);
  });

  const circular: Record<string, unknown> = { content: 'x' };
  circular['self'] = circular;

  it.each<[string, string, string, Call]>([
    [
      'commands that are missing',
      'commands',
      'undefined',
      (rest) => rest.commands.replace(given(undefined)),
    ],
    ['commands that are null', 'commands', 'null', (rest) => rest.commands.replace(given(null))],
    [
      'commands that are an object',
      'commands',
      'an object',
      (rest) => rest.commands.replace(given({})),
    ],
    [
      'a command that is none',
      'commands[1]',
      'null',
      (rest) => rest.commands.replace(given([{ name: 'a' }, null])),
    ],
    [
      'a command without a name',
      'commands[0]',
      'an object',
      (rest) => rest.commands.replace(given([{ description: 'a' }])),
    ],
    ['a negative limit', 'limit', '-5', (rest) => rest.messages.list(CHANNEL, { limit: -5 })],
    [
      'a limit that is none',
      'limit',
      'NaN',
      (rest) => rest.messages.list(CHANNEL, { limit: Number.NaN }),
    ],
    [
      'a body that refers to itself',
      'body',
      'an object',
      (rest) => rest.messages.edit(CHANNEL, MESSAGE, given(circular)),
    ],
    [
      'a body with a BigInt',
      'body',
      'an object',
      (rest) => rest.messages.edit(CHANNEL, MESSAGE, given({ content: 'x', n: 1n })),
    ],
    [
      'a message that is none',
      'content',
      'undefined',
      (rest) => sendReconciled(rest, CHANNEL, given(undefined), { deadlineMs: 0 }),
    ],
  ])('refuses %s', async (_name, field, seen, call) => {
    const { rest, dispatcher } = open();
    expect((await errorOf(call(rest))).details).toMatchObject({ field, seen });
    expect(dispatcher.requests).toHaveLength(0);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'options'],
    ['a text', 'fast', 'options'],
    ['a deadline that is none', { deadlineMs: 'soon' }, 'deadlineMs'],
  ])('refuses options that are %s, in every kind of call', async (_name, options, field) => {
    const { rest, dispatcher } = open();
    const files = [Buffer.from('x')];
    for (const call of [
      rest.users.me(given(options)),
      rest.messages.send(CHANNEL, { content: 'x' }, given(options)),
      rest.messages.send(CHANNEL, { content: 'x', files }, given(options)),
      rest.messages.history(CHANNEL, given(options)).next(),
      rest.interactions.respond(INTERACTION, { content: 'x' }, given(options)),
      rest.interactions.respond(INTERACTION, { files, channelId: CHANNEL }, given(options)),
      rest.interactions.followUp(INTERACTION, { content: 'x' }, given(options)),
      rest.attachments.uploadAll(CHANNEL, files, given(options)),
      rest.voice.openIngress(CHANNEL, given(options)),
    ]) {
      expect((await errorOf(call)).details).toMatchObject({ field });
    }
    expect(dispatcher.requests).toHaveLength(0);
  });

  it('takes null for a query', async () => {
    const { rest, dispatcher } = open();
    await errorOf(rest.messages.list(CHANNEL, given(null)));
    await errorOf(rest.reactions.details(CHANNEL, MESSAGE, given(null)));
    expect(dispatcher.requests.map(({ path }) => path)).not.toContain('?');
    expect(dispatcher.requests).toHaveLength(2);
  });

  it('takes an AbortController for its signal', async () => {
    const { rest, dispatcher } = open();
    await rest.channels.typing(CHANNEL, new AbortController());
    const aborted = new AbortController();
    aborted.abort();
    const late = rest.interactions.followUp(INTERACTION, { content: 'x' }, aborted);
    expect((await errorOf(late)).code).toBe('E_ABORTED');
    expect(dispatcher.requests).toHaveLength(1);
  });

  it.each([
    [['a', 'b'], 'an array'],
    [{ text: 'a' }, 'an object'],
    [() => 'a', 'a function'],
    [null, 'null'],
  ])('shows no more of %o than what it is', async (content, seen) => {
    const { rest } = open();
    const error = await errorOf(rest.messages.edit(CHANNEL, MESSAGE, given({ content })));
    expect(error.details).toMatchObject({ field: 'content', seen });
  });

  it('shows the length of a long value, and never the token', async () => {
    const { rest } = open();
    const refused = await errorOf(rest.channels.typing(long));
    expect(refused.details['seen']).toBe('a string of 2001 characters');
    const padded = await errorOf(rest.channels.typing(`${'-'.repeat(50)}${TOKEN}`));
    expect(JSON.stringify([padded.message, padded.details])).not.toContain(TOKEN.slice(0, 10));
  });
});

describe('createRest', () => {
  const logged = (baseUrl: string): readonly unknown[] => {
    const warn = vi.fn<Log['warn']>();
    createRest({ token: TOKEN, baseUrl, log: { ...silentLog, warn } });
    return warn.mock.calls;
  };

  it('names the risk of http to another machine', () => {
    expect(logged('http://chat.example.com/chat')).toEqual([
      [
        { name: 'baseUrl', origin: 'http://chat.example.com' },
        expect.stringContaining('can read the bot token'),
      ],
    ]);
  });

  it.each(['https://chat.example.com', 'http://127.0.0.1:7300', 'http://localhost'])(
    'has nothing to say about %s',
    (baseUrl) => {
      expect(logged(baseUrl)).toEqual([]);
    },
  );

  it('treats a missing token as an empty one, which the first call reports', async () => {
    const rest = openRest('http://127.0.0.1:9', { token: given<string>(undefined) });
    expect((await errorOf(rest.users.me())).code).toBe('E_UNAUTHORIZED');
  });

  // With a time that is not a number, a call would wait for a silent platform forever.
  it.each([
    ['deadlineMs', '30s'],
    ['deadlineMs', Number.NaN],
    ['deadlineMs', -1],
    ['maxTries', 0],
    ['maxTries', '3'],
  ])('refuses %s: %s', (field, value) => {
    expect(() => openRest('http://127.0.0.1:9', { [field]: value })).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_CALL',
        details: expect.objectContaining({ endpoint: 'createRest', field }),
      }),
    );
  });
});
