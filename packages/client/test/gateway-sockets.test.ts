import type { FakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { connectTo } from './connect-to.js';
import { closedAddress } from './dead-addresses.js';
import { eventually } from './eventually.js';
import { startGatewayServer } from './faults/gateway-server.js';
import { COMMAND, READY } from './test-gateway.js';
import { TOKEN } from './test-rest.js';

/** Pushes time until something is so. */
async function pushUntil(clock: FakeClock, stepMs: number, check: () => void): Promise<void> {
  await eventually(async () => {
    await clock.advance(stepMs);
    check();
  });
}

describe('a gateway over a real socket', () => {
  it('has a good day', async () => {
    const server = await startGatewayServer();
    const { gateway, clock, events, connected } = connectTo(server.address);
    expect(await connected).toEqual(Object(READY).d);
    expect(server.requests.map(({ url }) => url)).toEqual(['/gateway/bot']);
    expect(server.requests[0]?.headers['sec-websocket-extensions']).toBeUndefined();

    const { last } = server;
    for (let index = 0; index < 50; index += 1) {
      last.send({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { index } });
    }
    last.send(COMMAND);
    await eventually(() => expect(events).toHaveLength(51));
    expect(events.slice(0, 50).map(({ d }) => Object(d).index)).toEqual([...Array(50).keys()]);
    expect(events[50]?.t).toBe('APPLICATION_COMMAND');

    await clock.advance(2_500);
    await eventually(() => expect(last.frames.at(-1)).toEqual({ op: 'HEARTBEAT' }));
    expect(last.frames[0]).toEqual({ op: 'IDENTIFY', d: { token: TOKEN } });

    const closed = new Promise((resolve) => last.socket.on('close', resolve));
    await gateway.close();
    expect(await closed).toBe(1000);
  });

  it('comes back after a reset, and after being turned away', async () => {
    const server = await startGatewayServer({
      upgrade: (index) => (index === 1 ? { status: 503 } : index === 2 ? { status: 403 } : 'grant'),
    });
    const { clock, statuses, connected } = connectTo(server.address);
    await connected;
    server.last.socket.terminate();
    await pushUntil(clock, 0, () => expect(statuses.at(-1)).toMatchObject({ reconnected: true }));
    expect(server.upgrades).toBe(4);
    expect(
      statuses.flatMap((status) => (status.state === 'reconnecting' ? [status.reason] : [])),
    ).toEqual([
      'closed with code 1006',
      'the upgrade was answered 503',
      'the upgrade was answered 403',
    ]);
  });

  it('gives up for good when the upgrade is answered 401', async () => {
    const server = await startGatewayServer({ upgrade: () => ({ status: 401 }) });
    const { connected, statuses } = connectTo(server.address);
    expect(await connected).toMatchObject({ code: 'E_UNAUTHORIZED', details: { attempts: 1 } });
    expect(statuses).toMatchObject([{ state: 'closed', error: { code: 'E_UNAUTHORIZED' } }]);
    expect(server.upgrades).toBe(1);
  });

  it('gives up for good when IDENTIFY is answered with 4004', async () => {
    const server = await startGatewayServer({
      identified: ({ socket }) => socket.close(4004, 'unknown token'),
    });
    const { connected } = connectTo(server.address);
    expect(await connected).toMatchObject({
      code: 'E_UNAUTHORIZED',
      message: 'The bot token was refused (the gateway: closed with code 4004 "unknown token").',
    });
  });

  it('can be closed while the upgrade is not answered', async () => {
    const server = await startGatewayServer({ upgrade: () => 'stall' });
    const { gateway, connected, clock } = connectTo(server.address);
    await eventually(() => expect(server.upgrades).toBe(1));
    await gateway.close();
    expect(await connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    expect(clock.pending).toBe(0);
  });

  it('does not wait for an upgrade longer than 10 s', async () => {
    const server = await startGatewayServer({
      upgrade: (index) => (index === 0 ? 'stall' : 'grant'),
    });
    const { connected, clock, statuses } = connectTo(server.address);
    await eventually(() => expect(server.upgrades).toBe(1));
    await clock.advance(10_000);
    await clock.advance(0);
    expect(await connected).toEqual(Object(READY).d);
    expect(statuses[0]).toMatchObject({ reason: 'no connection in 10000 ms' });
  });

  it('ends a connection with a frame above 16 MiB, and comes back', async () => {
    const server = await startGatewayServer({
      identified(peer) {
        peer.ready();
        if (peer.index === 0) peer.send(`"${'x'.repeat(16 * 1024 * 1024)}"`);
      },
    });
    const { clock, statuses } = connectTo(server.address);
    await pushUntil(clock, 0, () => expect(statuses.at(-1)).toMatchObject({ reconnected: true }));
    expect(statuses[1]).toMatchObject({ reason: 'Max payload size exceeded' });
  });

  it('reports the reason when nothing listens on the port', async () => {
    const { statuses } = connectTo(await closedAddress());
    await eventually(() => expect(statuses).toHaveLength(1));
    expect(statuses[0]).toMatchObject({ reason: expect.stringContaining('ECONNREFUSED') });
  });
});
