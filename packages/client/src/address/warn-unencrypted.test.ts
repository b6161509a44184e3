import { silentLog, type Log } from '@virgule/core/log';
import { describe, expect, it, vi } from 'vitest';
import { warnUnencrypted } from './address.js';

function warnings(name: 'baseUrl' | 'gatewayUrl', origin: string): readonly unknown[] {
  const warn = vi.fn<Log['warn']>();
  warnUnencrypted(name, origin, { ...silentLog, warn });
  return warn.mock.calls;
}

describe('warnUnencrypted', () => {
  it.each([
    ['baseUrl', 'http://chat.example.com', 'https://'],
    ['gatewayUrl', 'ws://10.0.0.7:8080', 'wss://'],
  ] as const)('names the risk of %s %s and what to use instead', (name, origin, instead) => {
    expect(warnings(name, origin)).toEqual([
      [{ name, origin }, expect.stringMatching(`^${name} .*can read the bot token.*${instead}`)],
    ]);
  });

  it.each([
    ['baseUrl', 'https://chat.example.com'],
    ['gatewayUrl', 'wss://chat.example.com'],
    ['baseUrl', 'http://localhost:7300'],
    ['gatewayUrl', 'ws://127.0.0.1:7300'],
  ] as const)('is silent about %s %s', (name, origin) => {
    expect(warnings(name, origin)).toEqual([]);
  });
});
