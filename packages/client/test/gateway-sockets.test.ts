import { silentLog } from '@virgule/core/log';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayStatus,
} from '@virgule/client/gateway';
import { closedAddress } from './dead-addresses.js';
import { eventually } from './eventually.js';
import { startScriptedGateway, type ScriptedGateway } from './scripted-gateway.js';
import { ACK, COMMAND, HELLO, READY } from './test-gateway.js';
import { TOKEN } from './test-rest.js';

const send = (socket: WebSocket, frame: unknown): void => socket.send(JSON.stringify(frame));

interface Session {
  readonly gateway: Gateway;
  readonly clock: FakeClock;
  readonly events: readonly GatewayEvent[];
  readonly statuses: readonly GatewayStatus[];
  readonly connected: Promise<unknown>;
}

/** Connects over a real socket. Time belongs to the test, chance is the smallest: no pause. */
function connect({ url }: Pick<ScriptedGateway, 'url'>): Session {
  const clock = createFakeClock();
  const gateway = createGateway({
    log: silentLog,
    token: TOKEN,
    gatewayUrl: url,
    clock,
    random: () => 0,
  });
  const events: GatewayEvent[] = [];
  const statuses: GatewayStatus[] = [];
  const connected = gateway
    .connect({
      dispatch: (event) => void events.push(event),
      status: (status) => void statuses.push(status),
    })
    .catch((error: unknown) => error);
  onTestFinished(() => void gateway.close());
  return { gateway, clock, events, statuses, connected };
}

/** A server on a good day: HELLO, READY after IDENTIFY, an answer to each heartbeat. */
const goodDay = {
  connected: (socket: WebSocket) => send(socket, HELLO),
  received: ({ op }: { op: string }, socket: WebSocket) => {
    if (op === 'IDENTIFY') send(socket, READY);
    if (op === 'HEARTBEAT') send(socket, ACK);
  },
};

/** Pushes time until something is so. */
async function pushUntil(clock: FakeClock, stepMs: number, check: () => void): Promise<void> {
  await eventually(async () => {
    await clock.advance(stepMs);
    check();
  });
}

describe('a gateway over a real socket', () => {
  it('has a good day', async () => {
    const frames: unknown[] = [];
    const server = await startScriptedGateway({
      ...goodDay,
      received: (frame, socket) => {
        frames.push(frame);
        goodDay.received(frame, socket);
      },
    });
    const { gateway, clock, events, connected } = connect(server);
    expect(await connected).toEqual(Object(READY).d);
    expect(server.upgrades).toEqual(['/gateway/bot']);
    expect(server.extensions).toEqual([undefined]);

    const [socket] = server.open;
    for (let index = 0; index < 50; index += 1) {
      if (socket) send(socket, { op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { index } });
    }
    if (socket) send(socket, COMMAND);
    await eventually(() => expect(events).toHaveLength(51));
    expect(events.slice(0, 50).map(({ d }) => Object(d).index)).toEqual([...Array(50).keys()]);
    expect(events[50]?.t).toBe('APPLICATION_COMMAND');

    await clock.advance(2_500);
    await eventually(() => expect(frames.at(-1)).toEqual({ op: 'HEARTBEAT' }));
    expect(frames[0]).toEqual({ op: 'IDENTIFY', d: { token: TOKEN } });

    const closed = new Promise((resolve) => socket?.on('close', resolve));
    await gateway.close();
    expect(await closed).toBe(1000);
  });

  it('drops a peer that went silent, and gets a new connection', async () => {
    const server = await startScriptedGateway({
      connected: goodDay.connected,
      received: (frame, socket, index) => {
        if (frame.op === 'IDENTIFY') send(socket, READY);
        if (frame.op === 'HEARTBEAT' && index > 0) send(socket, ACK);
      },
    });
    const { clock, statuses, connected } = connect(server);
    await connected;
    const [silent] = server.open;
    silent?.pause();
    await pushUntil(clock, 1_000, () => expect(server.upgrades).toHaveLength(2));
    await eventually(() => expect(statuses.at(-1)).toMatchObject({ reconnected: true }));
    expect(statuses[1]).toMatchObject({ reason: 'no answer to a heartbeat in 10000 ms' });
  });

  it('comes back after a reset, and after being turned away', async () => {
    const server = await startScriptedGateway({
      ...goodDay,
      upgrade: (index) => (index === 1 ? 503 : index === 2 ? 403 : 'grant'),
    });
    const { clock, statuses, connected } = connect(server);
    await connected;
    for (const socket of server.open) socket.terminate();
    await pushUntil(clock, 0, () => expect(statuses.at(-1)).toMatchObject({ reconnected: true }));
    expect(server.upgrades).toHaveLength(4);
    expect(
      statuses.flatMap((status) => (status.state === 'reconnecting' ? [status.reason] : [])),
    ).toEqual([
      'closed with code 1006',
      'the upgrade was answered 503',
      'the upgrade was answered 403',
    ]);
  });

  it('gives up for good when the upgrade is answered 401', async () => {
    const server = await startScriptedGateway({ upgrade: () => 401 });
    const { connected, statuses } = connect(server);
    expect(await connected).toMatchObject({ code: 'E_UNAUTHORIZED', details: { attempts: 1 } });
    expect(statuses).toMatchObject([{ state: 'closed', error: { code: 'E_UNAUTHORIZED' } }]);
    expect(server.upgrades).toHaveLength(1);
  });

  it('gives up for good when IDENTIFY is answered with 4004', async () => {
    const server = await startScriptedGateway({
      connected: goodDay.connected,
      received: (_frame, socket) => socket.close(4004, 'unknown token'),
    });
    const { connected } = connect(server);
    expect(await connected).toMatchObject({
      code: 'E_UNAUTHORIZED',
      message: 'The bot token was refused (the gateway: closed with code 4004 "unknown token").',
    });
  });

  it('can be closed while the upgrade is not answered', async () => {
    const server = await startScriptedGateway({ upgrade: () => 'stall' });
    const { gateway, connected, clock } = connect(server);
    await eventually(() => expect(server.upgrades).toHaveLength(1));
    await gateway.close();
    expect(await connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    expect(clock.pending).toBe(0);
  });

  it('does not wait for an upgrade longer than 10 s', async () => {
    const server = await startScriptedGateway({
      ...goodDay,
      upgrade: (index) => (index === 0 ? 'stall' : 'grant'),
    });
    const { connected, clock, statuses } = connect(server);
    await eventually(() => expect(server.upgrades).toHaveLength(1));
    await clock.advance(10_000);
    await clock.advance(0);
    expect(await connected).toEqual(Object(READY).d);
    expect(statuses[0]).toMatchObject({ reason: 'no connection in 10000 ms' });
  });

  it('lives through frames that are none', async () => {
    const server = await startScriptedGateway({
      ...goodDay,
      received: (frame, socket) => {
        goodDay.received(frame, socket);
        socket.send('');
        socket.send('{"op":');
        socket.send(new Uint8Array([1, 2, 3]));
        socket.send(`{"op":"DISPATCH","t":"MESSAGE_CREATE","d":"${'x'.repeat(1_000_000)}"}`);
        send(socket, COMMAND);
      },
    });
    const { gateway, events, connected } = connect(server);
    await connected;
    await eventually(() => expect(events).toHaveLength(2));
    expect(gateway.frames).toMatchObject({ malformed: 2, binary: 1 });
  });

  it('ends a connection with a frame above 16 MiB, and comes back', async () => {
    const server = await startScriptedGateway({
      ...goodDay,
      received: (frame, socket, index) => {
        goodDay.received(frame, socket);
        if (index === 0) socket.send(`"${'x'.repeat(16 * 1024 * 1024)}"`);
      },
    });
    const { clock, statuses } = connect(server);
    await pushUntil(clock, 0, () => expect(statuses.at(-1)).toMatchObject({ reconnected: true }));
    expect(statuses[1]).toMatchObject({ reason: 'Max payload size exceeded' });
  });

  it('names what stands in the way when nobody listens', async () => {
    const { statuses } = connect({ url: `ws://${await closedAddress()}` });
    await eventually(() => expect(statuses).toHaveLength(1));
    expect(statuses[0]).toMatchObject({ reason: expect.stringContaining('ECONNREFUSED') });
  });
});
