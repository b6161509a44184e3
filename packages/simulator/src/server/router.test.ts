import { describe, expect, it } from 'vitest';
import { createRouter } from './router.js';

const router = createRouter([
  { method: 'GET', path: '/users/@me', value: 'me' },
  { method: 'GET', path: '/channels/{channelId}/messages', value: 'list' },
  { method: 'POST', path: '/channels/{channelId}/messages', value: 'send' },
  { method: 'GET', path: '/channels/{channelId}/messages/{messageId}', value: 'get' },
  { method: 'POST', path: '/channels/{channelId}/messages/files/open', value: 'open' },
]);

describe('createRouter', () => {
  it.each([
    ['GET', '/users/@me', 'me', {}],
    ['GET', '/channels/1/messages', 'list', { channelId: '1' }],
    ['POST', '/channels/1/messages', 'send', { channelId: '1' }],
    ['GET', '/channels/1/messages/2', 'get', { channelId: '1', messageId: '2' }],
    ['GET', '/channels/1/messages/files', 'get', { channelId: '1', messageId: 'files' }],
    ['POST', '/channels/1/messages/files/open', 'open', { channelId: '1' }],
    ['GET', '/channels/a%20b/messages', 'list', { channelId: 'a b' }],
    ['GET', '/channels/%zz/messages', 'list', { channelId: '%zz' }],
    ['GET', '/channels/__proto__/messages', 'list', { channelId: '__proto__' }],
  ])('leads %s %s to %s', (method, path, value, parameters) => {
    expect(router.match(method, path)).toEqual({ value, parameters });
  });

  it.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/users'],
    ['GET', '/users/@me/'],
    ['GET', '//users/@me'],
    ['GET', '/channels//messages'],
    ['PUT', '/channels/1/messages'],
    ['get', '/users/@me'],
    ['GET', '/channels/1/messages/2/3'],
  ])('knows nothing at %s %s', (method, path) => {
    expect(router.match(method, path)).toBeUndefined();
  });
});
