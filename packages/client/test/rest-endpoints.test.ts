import { ENDPOINTS } from '@virgule/core/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { Rest, SentAnswer } from '@virgule/client/rest';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, INTERACTION, MESSAGE, TOKEN, openRest } from './test-rest.js';

const SERVER = '1eda5f30-7b42-6c18-9e03-4f7a2b9c6d51';
const USER = '0b7e5d21-64c8-4f39-a05b-e8d1973c6f42';
const EMOJI = '64e0d9b3-8a1f-0c52-0b7d-3f96c15e28a4';
const ATTACHMENT = 'c2f85d10-3e6b-4a97-8d04-1b7e9f5c6a32';

interface Case {
  /** Method and path as in the platform document, with the ids in place. */
  readonly wire: string;
  readonly call: (rest: Rest) => Promise<unknown>;
  readonly body?: unknown;
  /** Fixture the server answers with; none is an empty body. */
  readonly answer?: string;
}

const message = `/api/bot/v1/channels/${CHANNEL}/messages/${MESSAGE}`;
const interaction = `/api/bot/v1/interactions/${INTERACTION}`;

const CASES: Readonly<Record<string, Case>> = {
  'users.me': {
    wire: 'GET /api/bot/v1/users/@me',
    call: (rest) => rest.users.me(),
    answer: 'bot-me',
  },
  'servers.list': {
    wire: 'GET /api/bot/v1/servers',
    call: (rest) => rest.servers.list(),
    answer: 'server-list',
  },
  'servers.channels': {
    wire: `GET /api/bot/v1/servers/${SERVER}/channels`,
    call: (rest) => rest.servers.channels(SERVER),
    answer: 'channel-list',
  },
  'servers.emojis': {
    wire: `GET /api/bot/v1/servers/${SERVER}/emojis`,
    call: (rest) => rest.servers.emojis(SERVER),
    answer: 'custom-emoji-list',
  },
  'messages.list': {
    wire: `GET /api/bot/v1/channels/${CHANNEL}/messages?before=${MESSAGE}&limit=10`,
    call: (rest) => rest.messages.list(CHANNEL, { before: MESSAGE, limit: 10 }),
    answer: 'message-page',
  },
  'messages.send': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/messages`,
    call: (rest) => rest.messages.send(CHANNEL, { content: 'Hi', replyToMessageId: MESSAGE }),
    body: { content: 'Hi', replyToMessageId: MESSAGE },
    answer: 'assumed-message-plain',
  },
  'messages.get': {
    wire: `GET ${message}`,
    call: (rest) => rest.messages.get(CHANNEL, MESSAGE),
    answer: 'message',
  },
  'messages.edit': {
    wire: `PATCH ${message}`,
    call: (rest) =>
      rest.messages.edit(CHANNEL, MESSAGE, { content: 'Ho', suppressLinkPreview: true }),
    body: { content: 'Ho', suppressLinkPreview: true },
    answer: 'assumed-message-plain',
  },
  'messages.delete': {
    wire: `DELETE ${message}`,
    call: (rest) => rest.messages.delete(CHANNEL, MESSAGE),
  },
  'messages.context': {
    wire: `GET ${message}/context?before=3&after=4`,
    call: (rest) => rest.messages.context(CHANNEL, MESSAGE, { before: 3, after: 4 }),
    answer: 'message-context',
  },
  'channels.typing': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/typing`,
    call: (rest) => rest.channels.typing(CHANNEL),
  },
  'reactions.clear': {
    wire: `DELETE ${message}/reactions`,
    call: (rest) => rest.reactions.clear(CHANNEL, MESSAGE),
    answer: 'message-reaction-update',
  },
  'reactions.list': {
    wire: `GET ${message}/reactions?unicodeEmoji=%F0%9F%8E%B2`,
    call: (rest) => rest.reactions.list(CHANNEL, MESSAGE, { unicodeEmoji: '🎲' }),
    answer: 'message-reaction-update',
  },
  'reactions.details': {
    wire: `GET ${message}/reactions/details?customEmojiId=${EMOJI}`,
    call: (rest) => rest.reactions.details(CHANNEL, MESSAGE, { customEmojiId: EMOJI }),
    answer: 'message-reaction-details',
  },
  'reactions.remove': {
    wire: `DELETE ${message}/reactions/me`,
    call: (rest) => rest.reactions.remove(CHANNEL, MESSAGE, { customEmojiId: EMOJI }),
    body: { unicodeEmoji: null, customEmojiId: EMOJI },
    answer: 'message-reaction-update',
  },
  'reactions.add': {
    wire: `PUT ${message}/reactions/me`,
    call: (rest) => rest.reactions.add(CHANNEL, MESSAGE, { unicodeEmoji: '🎲' }),
    body: { unicodeEmoji: '🎲', customEmojiId: null },
    answer: 'message-reaction-update',
  },
  'reactions.removeUser': {
    wire: `DELETE ${message}/reactions/users/${USER}`,
    call: (rest) => rest.reactions.removeUser(CHANNEL, MESSAGE, USER, { unicodeEmoji: '🎲' }),
    body: { unicodeEmoji: '🎲', customEmojiId: null },
    answer: 'message-reaction-update',
  },
  'attachments.accessUrl': {
    wire: `GET ${message}/attachments/${ATTACHMENT}/access-url`,
    call: (rest) => rest.attachments.accessUrl(CHANNEL, MESSAGE, ATTACHMENT),
    answer: 'attachment-access-url',
  },
  'attachments.openUpload': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/messages/attachments/upload-session`,
    call: (rest) =>
      rest.attachments.openUpload(CHANNEL, {
        fileName: 'cat.png',
        contentType: 'image/png',
        size: 4,
      }),
    body: { fileName: 'cat.png', contentType: 'image/png', size: 4 },
    answer: 'upload-session',
  },
  'voice.closeIngress': {
    wire: `DELETE /api/bot/v1/channels/${CHANNEL}/voice/ingress`,
    call: (rest) => rest.voice.closeIngress(CHANNEL),
  },
  'voice.openIngress': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/voice/ingress`,
    call: (rest) => rest.voice.openIngress(CHANNEL),
    answer: 'voice-ingress',
  },
  'voice.join': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/voice/join`,
    call: (rest) => rest.voice.join(CHANNEL),
    answer: 'voice-join',
  },
  'voice.leave': {
    wire: `POST /api/bot/v1/channels/${CHANNEL}/voice/leave`,
    call: (rest) => rest.voice.leave(CHANNEL),
  },
  'voice.state': {
    wire: `GET /api/bot/v1/servers/${SERVER}/voice-state`,
    call: (rest) => rest.voice.state(SERVER),
    answer: 'assumed-voice-state',
  },
  'commands.list': {
    wire: 'GET /api/bot/v1/commands',
    call: (rest) => rest.commands.list(),
    answer: 'command-list',
  },
  'commands.replace': {
    wire: 'PUT /api/bot/v1/commands',
    call: (rest) =>
      rest.commands.replace([{ name: 'hello', description: 'Says hello', options: [] }]),
    body: { commands: [{ name: 'hello', description: 'Says hello', options: [] }] },
    answer: 'command-list',
  },
  'interactions.ack': {
    wire: `POST ${interaction}/ack`,
    call: (rest) => rest.interactions.ack(INTERACTION),
  },
  'interactions.defer': {
    wire: `POST ${interaction}/defer`,
    call: (rest) => rest.interactions.defer(INTERACTION),
  },
  'interactions.followUp': {
    wire: `POST ${interaction}/follow-ups`,
    call: (rest) => read(rest.interactions.followUp(INTERACTION, { content: 'More' })),
    body: { content: 'More' },
    answer: 'assumed-message-plain',
  },
  'interactions.editResponse': {
    wire: `PATCH ${interaction}/response`,
    call: (rest) => read(rest.interactions.editResponse(INTERACTION, { content: 'Done' })),
    body: { content: 'Done' },
    answer: 'assumed-message-plain',
  },
  'interactions.respond': {
    wire: `POST ${interaction}/response`,
    call: (rest) => {
      const answer = { content: null, attachments: [{ objectKey: 'k' }] };
      return read(rest.interactions.respond(INTERACTION, answer));
    },
    body: { content: null, attachments: [{ objectKey: 'k' }] },
    answer: 'assumed-message-plain',
  },
};

const read = async (answer: Promise<SentAnswer>): Promise<unknown> => (await answer).message();

const botEndpoints = Object.values(ENDPOINTS).filter(({ api }) => api === 'bot');

describe('createRest', () => {
  it('has a method for every endpoint of a bot', () => {
    expect(Object.keys(CASES).toSorted()).toEqual(botEndpoints.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(CASES))(
    '%s sends what the platform document says and reads its answer',
    async (name, { wire, call, body, answer }) => {
      const endpoint = botEndpoints.find((row) => row.name === name);
      const json = answer === undefined ? undefined : readFixture(answer);
      const server = await startScriptedServer(() => ({ json }));
      const result = await call(openRest(server.url));

      const [request] = server.requests;
      expect(server.requests).toHaveLength(1);
      expect(`${request?.method} ${request?.path}`).toBe(wire);
      expect(wire.startsWith(`${endpoint?.method} /api/bot/v1/`)).toBe(true);
      expect(request?.headers.authorization).toBe(`Bot ${TOKEN}`);
      expect(request?.json).toEqual(body);
      expect(request?.headers['content-type']).toBe(body ? 'application/json' : undefined);
      expect(result).toEqual(json);
    },
  );

  const notShown = botEndpoints.filter(({ response }) => response && 'notShown' in response);
  it.each(notShown.map(({ name }) => [name]))(
    '%s returns undefined for an answer of another shape, since it is not shown',
    async (name) => {
      const bodies = ['', '{"id":"x"}', '[1]', 'not json', 'null'];
      const server = await startScriptedServer((_request, index) => ({
        text: bodies[index] ?? '',
      }));
      const rest = openRest(server.url);
      for (const _body of bodies) {
        expect(await CASES[name]?.call(rest)).toBeUndefined();
      }
    },
  );

  it('parses the response to an answer only when its message is read', async () => {
    const server = await startScriptedServer(() => ({ text: 'not json' }));
    const { interactions } = openRest(server.url);
    const parse = vi.spyOn(JSON, 'parse');
    const parsed = (): number => parse.mock.calls.filter(([text]) => text === 'not json').length;
    try {
      for (const name of ['respond', 'editResponse', 'followUp'] as const) {
        const before = parsed();
        const answer = await interactions[name](INTERACTION, { content: 'Hi' });
        expect(parsed()).toBe(before);
        expect(answer.message()).toBeUndefined();
        expect(parsed()).toBe(before + 1);
      }
    } finally {
      parse.mockRestore();
    }
    expect(server.requests).toHaveLength(3);
  });

  it('keeps a path in front of the API', async () => {
    const server = await startScriptedServer(() => ({ json: readFixture('bot-me') }));
    for (const path of ['/chat/', '/chat/api/bot/v1']) {
      await openRest(server.url + path).users.me();
      expect(server.requests.at(-1)?.path).toBe('/chat/api/bot/v1/users/@me');
    }
  });

  it('leaves out what a query does not say', async () => {
    const server = await startScriptedServer(() => ({ json: readFixture('message-page') }));
    const rest = openRest(server.url);
    await rest.messages.list(CHANNEL);
    await rest.messages.list(CHANNEL, { before: undefined, limit: 5 });
    const path = `/api/bot/v1/channels/${CHANNEL}/messages`;
    expect(server.requests.map((request) => request.path)).toEqual([path, `${path}?limit=5`]);
  });
});
