import { describe, expect, it } from 'vitest';
import { hostOf, isLoopback, isLoopbackUrl } from './loopback.js';

describe('isLoopback', () => {
  it.each([
    'localhost',
    'LocalHost',
    'chat.localhost',
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '[::ffff:7f00:1]',
  ])('accepts %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each([
    '',
    'example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    'notlocalhost',
    '127.0.0.999',
    '127.1',
    '128.0.0.1',
    '0.0.0.0',
    '10.0.0.1',
    '::',
    '::2',
    '[::2]',
    '::ffff:10.0.0.1',
    'localhost:80',
  ])('rejects %j', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});

describe('isLoopbackUrl', () => {
  it.each([
    ['http://localhost:7300', true],
    ['http://chat.localhost', true],
    ['ws://127.8.9.10', true],
    // URL writes every form of an IPv4 address with four numbers.
    ['http://127.1', true],
    ['http://[::1]:80', true],
    ['http://localhost.example.com', false],
    ['http://127.0.0.1.example.com', false],
    ['ws://[::2]', false],
  ])('judges %s: %s', (url, expected) => {
    expect(isLoopbackUrl(url)).toBe(expected);
  });
});

describe('hostOf', () => {
  it.each([
    ['LocalHost:7300', 'localhost'],
    ['[::1]:80', '[::1]'],
    ['[::1]', '[::1]'],
    ['example.com', 'example.com'],
    ['localhost:', 'localhost:'],
    ['localhost:7300:80', 'localhost:7300'],
  ])('of %s is %s', (header, host) => {
    expect(hostOf(header)).toBe(host);
  });
});
