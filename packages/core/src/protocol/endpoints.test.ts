import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SPEC_ENDPOINTS } from '../../test/spec/endpoint-rows.js';
import { SPEC_SHAPES } from '../../test/spec/shapes.js';
import type { NotShown } from './assumed.js';
import { commandSchema, readCommandSchema } from './commands.js';
import { API_PREFIX, type Endpoint, ENDPOINTS } from './endpoints.js';
import { channelSchema, customEmojiSchema, serverSchema } from './identity.js';
import { runCommandRequestSchema } from './interactions.js';
import { messageSchema } from './messages.js';
import { messageReactionUpdateSchema } from './reactions.js';
import { voiceStateSchema } from './voice.js';

const all = Object.values(ENDPOINTS);
const botRows = all.filter((endpoint) => endpoint.api === 'bot');

function byNumber(number: number): Endpoint {
  const found = all.find((endpoint) => endpoint.number === number);
  if (!found) throw new TypeError(`No endpoint has the number ${number}.`);
  return found;
}

function isNotShown(response: Endpoint['response']): response is NotShown {
  return response !== null && 'notShown' in response;
}

/** Specified schemas of the lenient schemas that the client reads with. */
const STATED = new Map<unknown, unknown>([[readCommandSchema, commandSchema]]);

/** Returns the response of a row in the words of the document. */
function describeResponse({ response }: Endpoint): string {
  if (response === null) return 'no body';
  if (isNotShown(response)) return 'not shown';
  const list = response instanceof z.ZodArray;
  const read: unknown = list ? response.element : response;
  const item = STATED.get(read) ?? read;
  const name = Object.keys(SPEC_SHAPES).find((key) => SPEC_SHAPES[key]?.schema === item);
  return list ? `list of ${name}` : `${name}`;
}

function describeBody({ body }: Endpoint): string {
  if (!body) return '-';
  return `${Object.keys(SPEC_SHAPES).find((key) => SPEC_SHAPES[key]?.schema === body)}`;
}

function queryNames({ query }: Endpoint): string[] {
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

describe('ENDPOINTS', () => {
  it('has the 31 endpoints of the document and the one for users', () => {
    expect(SPEC_ENDPOINTS.map((row) => row.number)).toEqual(
      Array.from({ length: 31 }, (_, i) => i + 1),
    );
    expect(botRows.map((row) => row.number)).toEqual(SPEC_ENDPOINTS.map((row) => row.number));
    expect(all).toHaveLength(32);
  });

  it('calls every row by its own key', () => {
    expect(all.map((endpoint) => endpoint.name)).toEqual(Object.keys(ENDPOINTS));
  });

  it.each(SPEC_ENDPOINTS)('#$number is $method $path', (row) => {
    const endpoint = byNumber(row.number);
    const { number, method, path } = endpoint;
    expect({
      number,
      method,
      path,
      query: queryNames(endpoint),
      body: describeBody(endpoint),
      response: describeResponse(endpoint),
    }).toEqual({ ...row, query: Object.keys(row.query) });
    expect(endpoint.api).toBe('bot');
  });

  it('has no two rows with the same method and path', () => {
    const routes = all.map(({ method, api, path }) => `${method} ${API_PREFIX[api]}${path}`);
    expect(new Set(routes).size).toBe(32);
  });

  it('uses no path parameter but the six of the document', () => {
    const names = all.flatMap(({ path }) =>
      [...path.matchAll(/\{(.*?)\}/g)].map(([, name]) => `${name}`),
    );
    expect([...new Set(names)].toSorted()).toEqual([
      'attachmentId',
      'channelId',
      'interactionId',
      'messageId',
      'serverId',
      'userId',
    ]);
  });

  it('has a body only where the method carries one', () => {
    expect(all.filter(({ method, body }) => method === 'GET' && body)).toEqual([]);
  });
});

describe('the query of an endpoint', () => {
  it.each(SPEC_ENDPOINTS.filter(({ query }) => Object.keys(query).length > 0))(
    '#$number fills in the defaults of $query and nothing else',
    ({ number, query }) => {
      const defaults = Object.entries(query).flatMap(([name, words]) => {
        const value = /default (\d+)/.exec(words)?.[1];
        return value === undefined ? [] : [[name, Number(value)]];
      });
      expect(byNumber(number).query?.parse({})).toStrictEqual(Object.fromEntries(defaults));
    },
  );

  it.each([
    [5, { before: 'not-an-id' }],
    [5, { limit: 0 }],
    [5, { limit: 1.5 }],
    [5, { limit: '50' }],
    [10, { before: -1 }],
    [10, { after: 2.5 }],
    [13, { customEmojiId: 'd20' }],
    [14, { customEmojiId: '' }],
  ])('#%i refuses %j', (number, query) => {
    expect(byNumber(number).query?.safeParse(query).success).toBe(false);
  });

  it.each([
    [5, { before: 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3', limit: 1 }],
    [10, { before: 0, after: 0 }],
    [13, { unicodeEmoji: '🎲' }],
    [14, { customEmojiId: '64e0d9b3-8a1f-0c52-0b7d-3f96c15e28a4' }],
  ])('#%i takes %j', (number, query) => {
    expect(byNumber(number).query?.parse(query)).toStrictEqual(query);
  });
});

describe('the endpoint for users', () => {
  it('runs a command outside the prefix of the bot', () => {
    expect(ENDPOINTS['user.runCommand']).toMatchObject({
      number: null,
      api: 'user',
      method: 'POST',
      path: '/channels/{channelId}/interactions/commands',
      body: runCommandRequestSchema,
    });
    expect(describeResponse(ENDPOINTS['user.runCommand'])).toBe('not shown');
    expect(all.filter(({ api }) => api === 'user')).toHaveLength(1);
  });
});

describe('API_PREFIX', () => {
  it('is /api/bot/v1 for bots and /api for users', () => {
    expect(API_PREFIX).toEqual({ bot: '/api/bot/v1', user: '/api' });
  });
});

describe('the likely shape of an answer that is not shown', () => {
  it.each([
    [[6, 9, 29, 30, 31], messageSchema],
    [[12, 13, 15, 16, 17], messageReactionUpdateSchema],
    [[24], voiceStateSchema],
  ])('of %j is the one other endpoints use', (numbers, schema) => {
    const likely = numbers.map((number) => {
      const { response } = byNumber(number);
      return isNotShown(response) ? response.likely : response;
    });
    expect(likely.every((shape) => shape === schema)).toBe(true);
  });

  it('of PUT /commands is the list of commands', () => {
    const { response } = ENDPOINTS['commands.replace'];
    const likely = isNotShown(response) ? response.likely : response;
    expect(likely instanceof z.ZodArray && likely.element === commandSchema).toBe(true);
  });

  it('is left out where the document names the shape', () => {
    const lists = [2, 3, 4, 25].map((number) => byNumber(number).response);
    expect(lists.map((shape) => shape instanceof z.ZodArray && shape.element)).toEqual([
      serverSchema,
      channelSchema,
      customEmojiSchema,
      readCommandSchema,
    ]);
  });
});

describe('permissions', () => {
  it('are asked for by the endpoints whose rules name one, and by no other', () => {
    const asked = all
      .filter(({ anyPermission }) => anyPermission)
      .map(({ number, anyPermission }) => [number, anyPermission]);
    expect(asked).toEqual([
      [7, ['ManageMessages']],
      [12, ['ManageReactions', 'ManageMessages']],
      [17, ['ManageReactions']],
    ]);
  });

  it('are not needed by the author to delete, and do not allow others to edit', () => {
    const asked = all.filter(({ author }) => author).map(({ number, author }) => [number, author]);
    expect(asked).toEqual([
      [7, 'instead-of-permission'],
      [9, 'required'],
    ]);
  });
});

describe('the retry class', () => {
  it('is safe for every reading and for nothing else', () => {
    const safe = all.filter(({ retry }) => retry === 'safe').map(({ number }) => number);
    const readings = all.filter(({ method }) => method === 'GET').map(({ number }) => number);
    expect(safe).toEqual(readings);
  });

  it('forbids repeating what would show twice', () => {
    const once = all.filter(({ retry }) => retry === 'once').map(({ name }) => name);
    expect(once).toEqual([
      'messages.send',
      'voice.openIngress',
      'interactions.followUp',
      'user.runCommand',
    ]);
  });

  it('leaves the first answer of an interaction to be found out', () => {
    const settled = all.filter(({ retry }) => retry === 'settle').map(({ number }) => number);
    expect(settled).toEqual([31]);
  });
});
