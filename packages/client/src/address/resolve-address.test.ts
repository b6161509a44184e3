import { describe, expect, it } from 'vitest';
import { resolveAddress } from './address.js';

const http = ['http:', 'https:'];

describe('resolveAddress', () => {
  it.each([
    ['https://chat.test', 'https://chat.test', ''],
    ['https://chat.test/', 'https://chat.test', ''],
    ['HTTP://Chat.Test:8080/a/b//', 'http://chat.test:8080', '/a/b'],
    ['http://[::1]:7300', 'http://[::1]:7300', ''],
    ['https://me:secret@chat.test/x?key=secret#y', 'https://chat.test', '/x'],
  ])('reads %s', (value, origin, prefix) => {
    expect(resolveAddress('baseUrl', value, http)).toEqual({ origin, prefix });
  });

  it.each([
    ['https://chat.test/api/bot/v1', ''],
    ['https://chat.test/x/api/bot/v1/', '/x'],
    ['https://chat.test/api/bot', '/api/bot'],
  ])('leaves out of %s what is appended to it anyway', (value, prefix) => {
    expect(resolveAddress('baseUrl', value, http, '/api/bot/v1').prefix).toBe(prefix);
  });

  it('shows no path of an upload address, which is a permission to write', () => {
    expect(() => resolveAddress('uploadUrl', 's3://bucket/secret/key?signature=x', http)).toThrow(
      expect.objectContaining({
        message:
          'uploadUrl must be an address that starts with http:// or https://, saw "s3://bucket/…".',
        hint: 'The platform opened an upload session with it. Upload the file by other means, or report it there.',
      }),
    );
  });

  it('reads addresses of sockets', () => {
    expect(resolveAddress('gatewayUrl', 'wss://chat.test:1/x', ['ws:', 'wss:'])).toEqual({
      origin: 'wss://chat.test:1',
      prefix: '/x',
    });
  });

  it('says what was given, what is wanted, and how to write it', () => {
    expect(() => resolveAddress('baseUrl', 'chat.test', http)).toThrowError(
      expect.objectContaining({
        code: 'E_BAD_ADDRESS',
        message:
          'baseUrl must be an address that starts with http:// or https://, saw "chat.test".',
        hint: 'Write it like https://chat.example.com, with its scheme.',
      }),
    );
  });
});
