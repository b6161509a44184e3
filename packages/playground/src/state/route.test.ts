import { describe, expect, it } from 'vitest';
import { formatRoute, isSameRoute, parseRoute } from './route.js';

describe('parseRoute', () => {
  it('reads server, channel and user', () => {
    expect(parseRoute('/s/one/c/two', '?as=ada')).toEqual({
      serverId: 'one',
      channelId: 'two',
      as: 'ada',
    });
  });

  it('takes what is there', () => {
    expect(parseRoute('/s/one', '')).toEqual({ serverId: 'one', channelId: null, as: null });
    expect(parseRoute('/', '?as=')).toEqual({ serverId: null, channelId: null, as: null });
  });

  it.each(['/elsewhere', '/s/', '/s/%E0%A4%A/c/x', '/s/a/c/b/d'])(
    'reads nothing from %s',
    (path) => {
      expect(parseRoute(path, '').serverId).toBeNull();
    },
  );
});

describe('formatRoute', () => {
  it.each([
    { serverId: 'one', channelId: 'two', as: 'ada' },
    { serverId: 'a/b', channelId: 'c?d', as: 'ü & co' },
    { serverId: 'one', channelId: null, as: null },
    { serverId: null, channelId: null, as: 'ada' },
  ])('is read back as %j', (route) => {
    const url = new URL(formatRoute(route), 'http://localhost');
    expect(isSameRoute(parseRoute(url.pathname, url.search), route)).toBe(true);
  });
});
