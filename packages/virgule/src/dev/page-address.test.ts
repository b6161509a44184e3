import { describe, expect, it } from 'vitest';
import { isPrivateHost, sharedAddress } from './page-address.js';

const interfaces = {
  lo: [{ address: '127.0.0.1', family: 'IPv4' as const, internal: true }],
  eth0: [
    { address: 'fd00::7', family: 'IPv6' as const, internal: false },
    { address: '192.168.1.7', family: 'IPv4' as const, internal: false },
  ],
} as unknown as NonNullable<Parameters<typeof sharedAddress>[0]['interfaces']>;
const address = (host: string | undefined, found = interfaces) =>
  sharedAddress({ host, port: 7_300, accessKey: 'the-key', interfaces: found });

describe('sharedAddress', () => {
  it('names this machine as others see it, with the key', () => {
    expect(address('0.0.0.0')).toBe('http://192.168.1.7:7300/?access=the-key');
    expect(address('::', { eth0: interfaces['eth0']?.slice(0, 1) })).toBe(
      'http://[fd00::7]:7300/?access=the-key',
    );
    expect(address('my-machine.local')).toBe('http://my-machine.local:7300/?access=the-key');
  });

  it.each([undefined, 'localhost', '127.0.0.1', '::1'])('has none for %s', (host) => {
    expect(isPrivateHost(host)).toBe(true);
    expect(address(host)).toBeUndefined();
  });

  it('has none when no other machine can reach this one', () => {
    expect(address('0.0.0.0', { lo: interfaces['lo'] })).toBeUndefined();
    expect(sharedAddress({ host: '0.0.0.0', port: 1, accessKey: undefined })).toBeUndefined();
  });
});
