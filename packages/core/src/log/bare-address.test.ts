import { describe, expect, it } from 'vitest';
import { bareAddress } from './bare-address.js';

describe('bareAddress', () => {
  it.each([
    ['https://chat.example', 'https://chat.example'],
    ['https://chat.example/', 'https://chat.example'],
    ['https://chat.example:8443/bots/', 'https://chat.example:8443/bots'],
    ['http://user:hunter2pw@127.0.0.1:9/?key=abc', 'http://127.0.0.1:9'],
    ['wss://secret-key@chat.example/gateway?key=abc#x', 'wss://chat.example/gateway'],
    ['//user:pass@chat.example?key=abc', '//chat.example'],
    ['http://user:pa/ss@word@[bad?key=abc', 'http://[bad'],
    ['chat.example?key=abc', 'chat.example'],
    ['', ''],
  ])('shows %j as %j', (address, shown) => {
    expect(bareAddress(address)).toBe(shown);
  });
});
