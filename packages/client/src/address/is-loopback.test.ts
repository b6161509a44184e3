import { describe, expect, it } from 'vitest';
import { isLoopback } from './is-loopback.js';

describe('isLoopback', () => {
  it.each([
    'http://localhost:7300',
    'http://chat.localhost',
    'http://127.0.0.1:1',
    'ws://127.8.9.10',
    'http://127.1',
    'http://[::1]:80',
  ])('says yes to %s', (origin) => {
    expect(isLoopback(origin)).toBe(true);
  });

  it.each([
    'http://chat.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://128.0.0.1',
    'http://10.0.0.1',
    'ws://[::2]',
  ])('says no to %s', (origin) => {
    expect(isLoopback(origin)).toBe(false);
  });
});
