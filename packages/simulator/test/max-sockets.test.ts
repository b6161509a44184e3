import { once } from 'node:events';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openPlatform } from './open-platform.js';

it('accepts 100 sockets', async () => {
  const { simulator } = await openPlatform();
  const url = `${simulator.gatewayUrl}/gateway/bot`;
  const open: WebSocket[] = [];
  for (let n = 0; n < 100; n += 1) {
    const socket = new WebSocket(url);
    open.push(socket);
    await once(socket, 'message');
  }
  const [code, reason] = (await once(new WebSocket(url), 'close')) as [number, Buffer];
  expect([code, String(reason)]).toEqual([1013, '100 sockets are open']);
  expect(simulator.counts.sockets).toBe(100);
  for (const socket of open) socket.terminate();
});
