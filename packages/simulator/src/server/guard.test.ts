import { describe, expect, it } from 'vitest';
import { foreignRequest } from './guard.js';

const statusOf = (headers: Record<string, string>, extraName?: string) =>
  foreignRequest(headers, extraName)?.status ?? 'passes';

describe('foreignRequest', () => {
  it.each([
    ['localhost', 'passes'],
    ['localhost:7300', 'passes'],
    ['LocalHost:7300', 'passes'],
    ['127.0.0.1:7300', 'passes'],
    ['[::1]', 'passes'],
    ['[::1]:7300', 'passes'],
    ['::1', 421],
    ['127.0.0.2', 'passes'],
    ['localhost.example', 421],
    ['example.localhost', 'passes'],
    ['localhost:7300:80', 421],
    ['localhost:', 421],
    ['', 421],
  ])('with the Host %j: %s', (host, expected) => {
    expect(statusOf({ host })).toBe(expected);
  });

  it('refuses a request without a Host', () => {
    expect(statusOf({})).toBe(421);
  });

  it.each([
    ['my-machine', 'my-machine:7300'],
    ['My-Machine', 'my-machine:7300'],
    ['my-machine', 'MY-MACHINE'],
    ['192.168.0.10', '192.168.0.10:80'],
    ['[FE80::1]', '[fe80::1]:80'],
  ])('accepts the host that it listens on: %s as %s', (name, host) => {
    expect(statusOf({ host }, name)).toBe('passes');
    expect(statusOf({ host })).toBe(421);
  });

  it.each([
    ['same-origin', 'empty', 'passes'],
    ['none', 'document', 'passes'],
    ['cross-site', 'document', 'passes'],
    ['cross-site', 'image', 403],
    ['same-site', 'image', 403],
    ['cross-site', 'iframe', 403],
    ['cross-site', 'empty', 403],
  ])('with the Sec-Fetch-Site %s and the Sec-Fetch-Dest %s: %s', (site, dest, expected) => {
    const headers = { host: 'localhost:7300', 'sec-fetch-site': site, 'sec-fetch-dest': dest };
    expect(statusOf(headers)).toBe(expected);
  });

  it.each([
    [undefined, 'passes'],
    ['http://localhost:7300', 'passes'],
    ['https://localhost:7300', 'passes'],
    ['http://localhost', 403],
    ['http://localhost:7301', 403],
    ['http://127.0.0.1:7300', 403],
    ['https://evil.example', 403],
    ['null', 403],
    ['', 403],
  ])('with the Origin %j: %s', (origin, expected) => {
    const headers = { host: 'localhost:7300', ...(origin === undefined ? {} : { origin }) };
    expect(statusOf(headers)).toBe(expected);
  });
});
