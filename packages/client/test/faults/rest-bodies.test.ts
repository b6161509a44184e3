import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CHANNEL, MESSAGE } from '../test-rest.js';
import { lost, normal, refused, startPlatform } from './platform.js';
import { openRestWorld } from './rest-world.js';
import { inTurn, me, send, sent } from './usual-calls.js';
import { eventually } from '../eventually.js';

describe('a client and responses that are truncated, too large or redirected', () => {
  it.each([
    ['chunked body truncated', 'transfer-encoding: chunked\r\n\r\nff\r\n{"id":'],
    ['content-length too long', 'content-length: 5000\r\n\r\n{"id": 1}'],
  ])('#12 %s: reads are repeated, a message counts as sent', async (_what, rest) => {
    const cut = { raw: `HTTP/1.1 200 OK\r\n${rest}`, end: 'close' } as const;
    const world = await openRestWorld({ script: inTurn(lost(cut), normal, lost(cut)) });
    const read = world.call(undefined, me);
    await world.settle();
    expect(read.error).toBeUndefined();
    const write = world.call(sent('hello'), send('hello'));
    await world.settle();
    expect(write.error).toBeUndefined();
    expect(world.platform.requests).toHaveLength(3);
    await world.end();
  });

  it.each([
    ['closed from one side in the head', { afterBytes: 40, cut: 'half-close' }],
    ['closed from one side in the body', { afterBytes: 200, cut: 'half-close' }],
    ['cut in the body', { afterBytes: 200, cut: 'close' }],
    ['with a bit turned over in the status line', { flipAt: 3 }],
  ] as const)(
    '#12 answer %s: reads are repeated, a message is sent once',
    async (_what, toClient) => {
      const world = await openRestWorld({ plan: (index) => (index % 2 === 0 ? { toClient } : {}) });
      const read = world.call(undefined, me);
      await world.settle();
      expect(read.error).toBeUndefined();
      world.proxy.reset();
      await eventually(() => expect(world.proxy.open).toBe(0));
      const write = world.call(sent('hello'), send('hello'));
      await world.settle();
      expect([undefined, 'E_OUTCOME_UNKNOWN']).toContain(write.code);
      expect(world.platform.effects.get(sent('hello'))).toBe(1);
      await world.end();
    },
  );

  it('#13 a body of 100 MiB: reading stops at 16 MiB, and the connection is dropped', async () => {
    const piece = Buffer.alloc(1024 * 1024, ' ');
    let writtenPieces = 0;
    let isDropped = (): boolean => false;
    const world = await openRestWorld({
      script: (_request, _index, socket) => {
        isDropped = () => socket.destroyed;
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n');
        const more = (): void => {
          socket.write(piece, (error) => {
            // A write may fail before the socket counts as destroyed.
            if (error) return;
            writtenPieces += 1;
            if (writtenPieces < 100) more();
          });
        };
        more();
        return lost('stall');
      },
    });
    const call = world.call(undefined, me);
    await eventually(() => expect(call.settlements).toBe(1));
    expect(call.code).toBe('E_BAD_RESPONSE');
    expect(call.details).toMatchObject({ reason: 'an answer above 16 MiB' });
    await eventually(() => expect(isDropped()).toBe(true));
    expect(writtenPieces).toBeLessThan(50);
    await world.end();
  });

  it('#13 an unrequested gzip bomb: it is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
    const headers = { 'content-encoding': 'gzip' };
    const world = await openRestWorld({ script: () => refused({ headers, text: bomb }) });
    const call = world.call(undefined, me);
    await world.settle();
    expect(call.code).toBe('E_BAD_RESPONSE');
    expect(world.platform.requests[0]?.headers).not.toHaveProperty('accept-encoding');
    await world.end();
  });

  it.each([301, 302, 303, 307, 308])(
    '#14 redirect %d to another origin: not followed, the token stays here',
    async (status) => {
      const other = await startPlatform();
      const world = await openRestWorld({
        script: () => refused({ status, headers: { location: `http://${other.address}/` } }),
      });
      const read = world.call(undefined, me);
      const write = world.call(sent('hello'), send('hello'));
      const edit = world.call(undefined, (rest) =>
        rest.messages.edit(CHANNEL, MESSAGE, { content: 'x' }),
      );
      await world.settle();
      expect([read.code, write.code, edit.code]).toEqual([
        'E_UNREACHABLE',
        'E_OUTCOME_UNKNOWN',
        'E_OUTCOME_UNKNOWN',
      ]);
      expect(other.connections).toBe(0);
      await other.close();
      await world.end();
    },
  );
});
