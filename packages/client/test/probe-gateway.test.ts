import { createFakeClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it } from 'vitest';
import { probeGateway, type ProbeGatewayOptions } from '@virgule/client/gateway';
import { createFakeSockets, type FakeSocket } from './fake-sockets.js';
import { HELLO, READY } from './test-gateway.js';

/** Probes a gateway that the test plays. */
function probe(options: Partial<ProbeGatewayOptions> = {}) {
  const sockets = createFakeSockets();
  const clock = createFakeClock();
  const result = probeGateway({
    gatewayUrl: 'wss://chat.test/prefix/',
    clock,
    WebSocket: sockets.WebSocket,
    ...options,
  });
  return { sockets, clock, result };
}

describe('probeGateway', () => {
  it('returns how long HELLO took and what it contains, does not identify, and closes', async () => {
    const { sockets, clock, result } = probe();
    await clock.advance(40);
    sockets.last.accept();
    sockets.last.frame(HELLO);
    expect(await result).toEqual({ ok: true, helloMs: 40, heartbeatIntervalMs: 25_000 });
    expect(sockets.last).toMatchObject({
      url: 'wss://chat.test/prefix/gateway/bot',
      sent: [],
      ended: 'terminated',
    });
  });

  it.each<[string, (socket: FakeSocket) => void, string]>([
    [
      'another frame',
      (socket) => socket.frame(READY),
      'the first frame was DISPATCH instead of HELLO',
    ],
    ['nonsense', (socket) => socket.frame('{'), 'the first frame was malformed instead of HELLO'],
    ['a refusal', (socket) => socket.refuse({ statusCode: 401, headers: {} }), 'answered 401'],
    ['an error', (socket) => socket.fail(new Error('connect ECONNREFUSED')), 'ECONNREFUSED'],
    [
      'a close',
      (socket) => socket.hangUp(4004),
      'the connection was closed with 4004 before HELLO',
    ],
  ])('reports that %s came', async (_, play, reason) => {
    const { sockets, result } = probe();
    play(sockets.last);
    expect(await result).toEqual({ ok: false, reason: expect.stringContaining(reason) });
    expect(sockets.last.ended).toBe('terminated');
  });

  it('waits for HELLO 10 seconds, or for the given time', async () => {
    const usual = probe();
    await usual.clock.advance(10_000);
    expect(await usual.result).toEqual({ ok: false, reason: 'no HELLO came in 10000 ms' });
    const short = probe({ deadlineMs: 50 });
    await short.clock.advance(50);
    expect(await short.result).toMatchObject({ reason: 'no HELLO came in 50 ms' });
  });

  it.each([[{ heartbeatInterval: 'often' }], [{}], [null], [undefined], [25_000]])(
    'takes an interval that is no number for none: %j',
    async (d) => {
      const { sockets, result } = probe();
      sockets.last.frame({ op: 'HELLO', d });
      expect(await result).toEqual({ ok: true, helloMs: 0, heartbeatIntervalMs: undefined });
    },
  );

  it('ends at once when its signal is aborted, before and meanwhile', async () => {
    const before = AbortSignal.abort('SIGINT');
    await expect(probe({ signal: before }).result).rejects.toBe('SIGINT');
    const controller = new AbortController();
    const { sockets, result } = probe({ signal: controller.signal });
    controller.abort('SIGTERM');
    await expect(result).rejects.toBe('SIGTERM');
    expect(sockets.last.ended).toBe('terminated');
  });

  it('refuses an address that is none', async () => {
    await expect(probeGateway({ gatewayUrl: 'https://chat.test' })).rejects.toMatchObject({
      code: 'E_BAD_ADDRESS',
    });
  });

  it('receives the HELLO of a simulator, which sees no identify', async () => {
    await using platform = await startSimulator();
    const result = await probeGateway({ gatewayUrl: platform.gatewayUrl });
    expect(result).toMatchObject({ ok: true, heartbeatIntervalMs: expect.any(Number) });
    expect(platform.counts.identifies).toBe(0);
  });
});
