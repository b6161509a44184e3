import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { API_PREFIX, ENDPOINTS } from './endpoints.js';
import { endpointPath } from './paths.js';

const all = Object.values(ENDPOINTS);
const removeUser = ENDPOINTS['reactions.removeUser'];

const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}`);

/** Returns the segments of the path as a server receives them, after URL parsing. */
function segmentsSeen(path: string): string[] {
  const url = new URL(path, 'https://chat.example.com');
  expect(url.search + url.hash + url.host).toBe('chat.example.com');
  return url.pathname.split('/').map(decodeURIComponent);
}

describe('endpointPath', () => {
  it('fills in the parameters and puts the prefix of the API before them', () => {
    const channelId = '5e9b3c17-a264-4d80-b91e-07f3c8d5624a';
    const messageId = 'f06b2e94-7d51-8a3c-9740-5c1e8b6da2f3';
    const userId = '0b7e5d21-64c8-4f39-a05b-e8d1973c6f42';
    expect(endpointPath(removeUser, { channelId, messageId, userId })).toBe(
      `/api/bot/v1/channels/${channelId}/messages/${messageId}/reactions/users/${userId}`,
    );
    expect(endpointPath(ENDPOINTS['user.runCommand'], { channelId })).toBe(
      `/api/channels/${channelId}/interactions/commands`,
    );
  });

  it('needs no parameters where the path has none', () => {
    expect(endpointPath(ENDPOINTS['users.me'])).toBe('/api/bot/v1/users/@me');
    expect(endpointPath(ENDPOINTS['commands.list'], {})).toBe('/api/bot/v1/commands');
  });

  it('ignores parameters that the path does not name', () => {
    expect(endpointPath(ENDPOINTS['servers.list'], { serverId: 'x' })).toBe('/api/bot/v1/servers');
  });

  it.each(all)('replaces every parameter in the path of $name', (endpoint) => {
    const names = parameterNames(endpoint.path);
    const path = endpointPath(endpoint, Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(path).not.toMatch(/[{}]/);
    expect(path.startsWith(`${API_PREFIX[endpoint.api]}/`)).toBe(true);
  });

  it.each(
    all.flatMap((endpoint) => parameterNames(endpoint.path).map((name) => ({ endpoint, name }))),
  )('names $name when $endpoint.name lacks it', ({ endpoint, name }) => {
    const rest = Object.fromEntries(
      parameterNames(endpoint.path)
        .filter((other) => other !== name)
        .map((other) => [other, 'x']),
    );
    const message = `${endpoint.name} requires ${name}.`;
    expect(() => endpointPath(endpoint, rest)).toThrow(new TypeError(message));
    expect(() => endpointPath(endpoint, { ...rest, [name]: '' })).toThrow(new TypeError(message));
  });

  it.each([
    ['../../servers', '..%2F..%2Fservers'],
    ['a/b', 'a%2Fb'],
    ['a\\..\\b', 'a%5C..%5Cb'],
    ['x?limit=1', 'x%3Flimit%3D1'],
    ['x#top', 'x%23top'],
    ['%2e%2e', '%252e%252e'],
    ['%2F', '%252F'],
    ['žluťoučký 🎲', '%C5%BElu%C5%A5ou%C4%8Dk%C3%BD%20%F0%9F%8E%B2'],
    ['a\r\nHost: evil', 'a%0D%0AHost%3A%20evil'],
    ['$&$1', '%24%26%241'],
    ['...', '...'],
  ])('keeps %j in its segment', (serverId, encoded) => {
    const path = endpointPath(ENDPOINTS['servers.channels'], { serverId });
    expect(path).toBe(`/api/bot/v1/servers/${encoded}/channels`);
    expect(segmentsSeen(path)).toEqual(['', 'api', 'bot', 'v1', 'servers', serverId, 'channels']);
  });

  it.each(['.', '..', '\uD83C', 'x\uDFB2'])(
    'rejects %j, which no encoding keeps in its segment',
    (serverId) => {
      expect(() => endpointPath(ENDPOINTS['servers.channels'], { serverId })).toThrow(
        new TypeError(`servers.channels does not accept ${JSON.stringify(serverId)} as serverId.`),
      );
    },
  );

  it('keeps any string in its segment', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (serverId) => {
        fc.pre(serverId !== '.' && serverId !== '..');
        const path = endpointPath(ENDPOINTS['servers.emojis'], { serverId });
        expect(segmentsSeen(path)).toEqual(['', 'api', 'bot', 'v1', 'servers', serverId, 'emojis']);
      }),
      { seed: 20 },
    );
  });
});
