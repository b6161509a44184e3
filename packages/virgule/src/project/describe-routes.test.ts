import { describe, expect, it } from 'vitest';
import { describeSetting, nameFunctions } from './describe-routes.js';

describe('describeSetting', () => {
  it.each<[string, unknown, string]>([
    ['defer', 'now', 'defer now'],
    ['silent', true, 'silent'],
    ['silent', false, 'silent false'],
    ['intents', ['MESSAGE_REACTIONS', 'SERVER_VOICE'], 'intents MESSAGE_REACTIONS+SERVER_VOICE'],
    ['cooldown', { every: '10s', per: 'channel' }, 'cooldown (every 10s, per channel)'],
    [
      'cooldown',
      { every: '10s', per: () => 'x', more: undefined },
      'cooldown (every 10s, per computed)',
    ],
    ['concurrency', { max: 1, queue: true }, 'concurrency (max 1, queue)'],
    ['later', null, 'later null'],
  ])('says %s %j in a few words', (key, value, text) => {
    expect(describeSetting(key, value)).toBe(text);
  });
});

describe('nameFunctions', () => {
  it('keeps data and names functions', () => {
    const value = { max: 1, key: () => 'x', list: [1, 'a', () => 2], nothing: null };
    expect(JSON.parse(JSON.stringify(value, nameFunctions))).toEqual({
      max: 1,
      key: '[function]',
      list: [1, 'a', '[function]'],
      nothing: null,
    });
  });
});
