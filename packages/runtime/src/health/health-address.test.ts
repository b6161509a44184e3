import { describe, expect, it } from 'vitest';
import { readHealthAddress } from './health-address.js';

describe('readHealthAddress', () => {
  it('serves nothing unless a port is given', () => {
    expect(readHealthAddress(undefined, {})).toBeUndefined();
    const env = { BOT_HEALTH_PORT: '', BOT_HEALTH_HOST: '0.0.0.0' };
    expect(readHealthAddress(undefined, env)).toBeUndefined();
  });

  it.each([
    ['9090', {}, '127.0.0.1', 9090],
    ['0.0.0.0:65535', {}, '0.0.0.0', 65_535],
    ['[::1]:0', {}, '::1', 0],
    [undefined, { BOT_HEALTH_PORT: '0', BOT_HEALTH_HOST: '::1' }, '::1', 0],
    ['2', { BOT_HEALTH_PORT: '1', BOT_HEALTH_HOST: '10.0.0.1' }, '10.0.0.1', 2],
    ['10.0.0.2:2', { BOT_HEALTH_PORT: '1', BOT_HEALTH_HOST: '10.0.0.1' }, '10.0.0.2', 2],
  ])('reads %j with %j as %s, port %d', (flag, env, host, port) => {
    expect(readHealthAddress(flag, env)).toEqual({ host, port });
  });

  it.each([
    ['abc', {}, '--health is "abc", which is not a port.'],
    ['', { BOT_HEALTH_PORT: '9' }, '--health is "", which is not a port.'],
    ['70000', {}, '--health is "70000", which is not a port.'],
    ['::1:9090', {}, '--health is "::1:9090", which is not a port.'],
    ['localhost:', {}, '--health is "localhost:", which is not a port.'],
    [undefined, { BOT_HEALTH_PORT: '-1' }, 'BOT_HEALTH_PORT is "-1", which is not a port.'],
    [undefined, { BOT_HEALTH_PORT: '9.5' }, 'BOT_HEALTH_PORT is "9.5", which is not a port.'],
  ])('refuses %j with %j', (flag, env, message) => {
    expect(() => readHealthAddress(flag, env)).toThrow(
      expect.objectContaining({ code: 'E_HEALTH_LISTEN', message }),
    );
  });
});
