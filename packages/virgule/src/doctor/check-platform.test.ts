import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkClock, checkGateway } from './check-platform.js';

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  // A listening server has an address with a port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { signal } = new AbortController();

describe('checkClock', () => {
  it('waits for its time, and no longer, for a platform that does not answer', async () => {
    const clock = createFakeClock();
    const server = new EventEmitter();
    const baseUrl = await serve(() => server.emit('asked'));
    const looking = checkClock(baseUrl, { clock, deadlineMs: 5_000, signal });
    await once(server, 'asked');
    await clock.advance(5_000);
    expect(await looking).toEqual({
      name: 'clock',
      status: 'warn',
      message: 'unknown: the platform did not answer',
    });
    expect(clock.pending).toBe(0);
  });

  it('does not mind a platform that does not send its time', async () => {
    const clock = createFakeClock();
    const baseUrl = await serve((_, response) => {
      response.sendDate = false;
      response.end();
    });
    expect(await checkClock(baseUrl, { clock, deadlineMs: 5_000, signal })).toEqual({
      name: 'clock',
      status: 'ok',
      message: 'unknown: the platform does not send its time',
    });
    expect(clock.pending).toBe(0);
  });
});

describe('checkGateway', () => {
  it('reports what is wrong with an invalid address', async () => {
    const options = { clock: createFakeClock(), deadlineMs: 5_000, signal };
    expect(await checkGateway('chat.example', options)).toMatchObject({
      name: 'gateway',
      status: 'fail',
      message: expect.stringContaining('chat.example'),
      hint: expect.stringMatching(/\w/),
    });
  });
});
