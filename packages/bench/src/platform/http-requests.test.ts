import { describe, expect, it } from 'vitest';
import { headerOf, HttpRequests, jsonAnswer } from './http-requests.js';

const REQUEST = 'POST /a/b?c=d HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello';

const pathsAndBodies = (requests: Iterable<{ path: string; body: string }>) =>
  [...requests].map(({ path, body }) => [path, body]);

describe('HttpRequests', () => {
  it('reads method, path and body', () => {
    const [request] = new HttpRequests().take(Buffer.from(REQUEST));
    expect(request).toMatchObject({ method: 'POST', path: '/a/b?c=d', body: 'hello' });
  });

  it('reads a request that comes byte by byte', () => {
    const requests = new HttpRequests();
    const found = [...Buffer.from(REQUEST)].flatMap((byte) =>
      pathsAndBodies(requests.take(Buffer.from([byte]))),
    );
    expect(found).toEqual([['/a/b?c=d', 'hello']]);
  });

  it('reads several requests that come at once, and keeps the part of the next', () => {
    const requests = new HttpRequests();
    const next = 'GET /next HTTP/1.1\r\nhost: x\r\n\r\n';
    const first = requests.take(Buffer.from(REQUEST + REQUEST + next.slice(0, 10)));
    expect(pathsAndBodies(first)).toEqual([
      ['/a/b?c=d', 'hello'],
      ['/a/b?c=d', 'hello'],
    ]);
    expect(pathsAndBodies(requests.take(Buffer.from(next.slice(10))))).toEqual([['/next', '']]);
  });
});

describe('headerOf', () => {
  it('finds a header whatever its case', () => {
    const head = 'GET / HTTP/1.1\r\nSec-WebSocket-Key: abc==\r\nHost: x';
    expect(headerOf(head, 'sec-websocket-key')).toBe('abc==');
    expect(headerOf(head, 'host')).toBe('x');
    expect(headerOf(head, 'upgrade')).toBe('');
  });
});

describe('jsonAnswer', () => {
  it('says how long its body is', () => {
    expect(jsonAnswer('{}')).toMatch(/^HTTP\/1\.1 200 OK\r\n.*content-length: 2\r\n\r\n\{\}$/s);
  });
});
