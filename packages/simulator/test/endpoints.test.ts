// Every row of the table, over HTTP.
import { ENDPOINTS, messagePageSchema, type EndpointName } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { identityCases } from './endpoint-cases/identity-cases.js';
import { messagesCases } from './endpoint-cases/messages-cases.js';
import { reactionsCases } from './endpoint-cases/reactions-cases.js';
import { attachmentsCases } from './endpoint-cases/attachments-cases.js';
import { voiceCases } from './endpoint-cases/voice-cases.js';
import { commandsCases } from './endpoint-cases/commands-cases.js';
import { interactionsCases } from './endpoint-cases/interactions-cases.js';
import { UNKNOWN_ID, invalid, type Row } from './endpoint-cases/endpoint-case.js';
import { openPlatform, refusalOf, type Platform, type Reply } from './open-platform.js';

/** A table without cases for a row does not compile. */
const rows: Readonly<Record<EndpointName, Row>> = {
  ...identityCases,
  ...messagesCases,
  ...reactionsCases,
  ...attachmentsCases,
  ...voiceCases,
  ...commandsCases,
  ...interactionsCases,
};

// The type of `rows` lists the keys; Object.keys forgets them.
const names = Object.keys(rows) as EndpointName[];

async function perform(platform: Platform, name: EndpointName, request: Row['request']) {
  const { parameters, body, query } = await request(platform);
  return platform.call(name, parameters, { body, ...(query === undefined ? {} : { query }) });
}

/** Returns the differences from the stated shape of a row, or from the likely shape where none is shown. */
function shapeIssues(name: EndpointName, { text, body }: Reply): unknown[] {
  const { response } = ENDPOINTS[name];
  if (response === null) return text === '' ? [] : [`not empty: ${text}`];
  const schema = 'notShown' in response ? response.likely : response;
  return schema.safeParse(body).error?.issues ?? [];
}

describe.each(names)('%s', (name) => {
  const row = rows[name];
  const endpoint = ENDPOINTS[name];
  const parameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each ?? '');

  it('answers as its row says', async () => {
    const platform = await openPlatform();
    const reply = await perform(platform, name, row.request);
    expect(reply.status).toBe(200);
    expect(shapeIssues(name, reply)).toEqual([]);
    expect(platform.simulator.counts.requests[name]).toBeGreaterThan(0);
  });

  it.each(row.refused.map((refused) => [refused.when, refused] as const))(
    'refuses when %s',
    async (_title, { when: _when, request, ...expected }) => {
      const platform = await openPlatform();
      expect(refusalOf(await perform(platform, name, request))).toEqual(expected);
    },
  );

  it('refuses a caller without a valid token', async () => {
    const platform = await openPlatform();
    const ids = Object.fromEntries(parameters.map((each) => [each, UNKNOWN_ID]));
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? '');
    const prefix = endpoint.api === 'bot' ? '/api/bot/v1' : '/api';
    const { token, userToken } = platform.simulator;
    const wrong = [undefined, '', token, `Bearer ${token}`, `Bot ${userToken}`, `Bot ${token}x`];
    for (const authorization of wrong) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const reply = await platform.send(endpoint.method, prefix + path, { headers });
      expect(refusalOf(reply)).toEqual({ status: 401, code: 'bot_unauthorized' });
      expect(reply.text).not.toContain(token);
    }
  });

  it.each(parameters)('refuses a %s that is no UUID', async (parameter) => {
    const platform = await openPlatform();
    const ids = Object.fromEntries(parameters.map((each) => [each, UNKNOWN_ID]));
    const reply = await platform.call(name, { ...ids, [parameter]: 'not-a-uuid' });
    expect(refusalOf(reply)).toEqual(invalid(parameter));
  });
});

describe('the routes of the simulator', () => {
  it('has one row for each of the 31 endpoints and the one for users', () => {
    expect(names).toHaveLength(32);
    expect(names.toSorted()).toEqual(Object.keys(ENDPOINTS).toSorted());
  });

  it('logs a warning for an unknown route', async () => {
    const warnings: string[] = [];
    const ignore = (): void => {};
    const log = {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (_details: object, message: string) => warnings.push(message),
    };
    const platform = await openPlatform({ log });
    const headers = { authorization: `Bot ${platform.simulator.token}` };
    const loud = { status: 501, code: 'sim_not_implemented' };
    expect(refusalOf(await platform.send('GET', '/api/bot/v1/guilds', { headers }))).toEqual(loud);
    expect(refusalOf(await platform.send('POST', '/api/bot/v1/servers', { headers }))).toEqual(
      loud,
    );
    expect(refusalOf(await platform.send('GET', '/api/bot/v2/servers'))).toEqual(loud);
    expect(refusalOf(await platform.send('GET', '/servers', { headers }))).toEqual(loud);
    expect(refusalOf(await platform.send('POST', '/'))).toEqual(loud);
    expect(warnings).toHaveLength(5);
    expect(warnings[0]).toBe(
      'unknown route: GET /api/bot/v1/guilds is not part of the Bot Interface',
    );
    expect(platform.simulator.counts.unknownRoutes).toBe(5);
  });

  it('lists the methods that a path supports', async () => {
    const platform = await openPlatform();
    const { text } = await platform.send('POST', '/api/bot/v1/commands');
    expect(text).toContain('This path supports GET, PUT.');
  });

  it('assigns a unique id to every request', async () => {
    const platform = await openPlatform();
    const first = await platform.send('GET', '/api/bot/v1/servers');
    const second = await platform.send('GET', '/api/bot/v1/servers');
    expect(first.body).not.toEqual(second.body);
  });

  it('returns a page of messages with exactly the specified keys', async () => {
    const platform = await openPlatform();
    const channelId = platform.channelId('general');
    const reply = await platform.call('messages.list', { channelId });
    const page = messagePageSchema.parse(reply.body);
    expect(Object.keys(page).toSorted()).toEqual(['hasMore', 'messages', 'oldestId']);
  });
});
