import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute } from './route.js';

describe('parseRoute', () => {
  it('reads server, channel and user', () => {
    expect(parseRoute('/s/one/c/two', '?as=ada')).toEqual({
      serverId: 'one',
      channelId: 'two',
      as: 'ada',
      trace: null,
    });
  });

  it('takes what is there', () => {
    expect(parseRoute('/s/one', '')).toEqual({
      serverId: 'one',
      channelId: null,
      as: null,
      trace: null,
    });
    expect(parseRoute('/', '?as=&trace=')).toEqual({
      serverId: null,
      channelId: null,
      as: null,
      trace: null,
    });
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
    { serverId: 'one', channelId: 'two', as: 'ada', trace: null },
    { serverId: 'a/b', channelId: 'c?d', as: 'ü & co', trace: 'roll status:>=400 -a&b' },
    { serverId: 'one', channelId: null, as: null, trace: 'roll' },
    { serverId: null, channelId: null, as: 'ada', trace: null },
  ])('is read back as %j', (route) => {
    const url = new URL(formatRoute(route), 'http://localhost');
    expect(parseRoute(url.pathname, url.search)).toEqual(route);
  });
});
