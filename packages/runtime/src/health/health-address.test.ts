import { describe, expect, it } from 'vitest';
import { readHealthAddress } from './health-address.js';

describe('readHealthAddress', () => {
  it('serves nothing unless a port is given', () => {
    expect(readHealthAddress({}, {})).toBeUndefined();
    expect(readHealthAddress({ host: '0.0.0.0' }, { BOT_HEALTH_PORT: '' })).toBeUndefined();
  });

  it('binds to loopback by default', () => {
    expect(readHealthAddress({ port: '9090' }, {})).toEqual({ port: 9090, host: '127.0.0.1' });
    expect(readHealthAddress({}, { BOT_HEALTH_PORT: '0', BOT_HEALTH_HOST: '::1' })).toEqual({
      port: 0,
      host: '::1',
    });
  });

  it('lets a flag win over the environment', () => {
    const env = { BOT_HEALTH_PORT: '1', BOT_HEALTH_HOST: '10.0.0.1' };
    expect(readHealthAddress({ port: '2', host: '10.0.0.2' }, env)).toEqual({
      port: 2,
      host: '10.0.0.2',
    });
  });

  it.each([
    [{ port: 'abc' }, {}, '--health-port is "abc", which is not a port.'],
    [{ port: '' }, { BOT_HEALTH_PORT: '9' }, '--health-port is "", which is not a port.'],
    [{ port: '70000' }, {}, '--health-port is "70000", which is not a port.'],
    [{}, { BOT_HEALTH_PORT: '-1' }, 'BOT_HEALTH_PORT is "-1", which is not a port.'],
    [{}, { BOT_HEALTH_PORT: '9.5' }, 'BOT_HEALTH_PORT is "9.5", which is not a port.'],
  ])('refuses %j with %j', (flags, env, message) => {
    expect(() => readHealthAddress(flags, env)).toThrow(
      expect.objectContaining({ code: 'E_HEALTH_LISTEN', message }),
    );
  });
});
