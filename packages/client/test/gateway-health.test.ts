import { describe, expect, it } from 'vitest';
import { ACK, connectGateway, makeReady } from './test-gateway.js';

const NONE = {
  isReady: false,
  readyAgeMs: undefined,
  ackAgeMs: undefined,
  heartbeatMs: undefined,
};

describe('gateway.health', () => {
  it('is not ready before READY', () => {
    const { gateway } = connectGateway();
    expect(gateway.health()).toEqual(NONE);
  });

  it('returns how long ago READY and the last ACK of a heartbeat were', async () => {
    const test = connectGateway({ random: () => 0 });
    makeReady(test, { op: 'HELLO', d: { heartbeatInterval: 20_000 } });
    await test.clock.advance(1_000);
    expect(test.gateway.health()).toEqual({
      isReady: true,
      readyAgeMs: 1_000,
      ackAgeMs: undefined,
      heartbeatMs: 20_000,
    });
    await test.clock.advance(1_500);
    test.sockets.last.frame(ACK);
    await test.clock.advance(700);
    expect(test.gateway.health()).toMatchObject({ readyAgeMs: 3_200, ackAgeMs: 700 });
  });

  it('ignores an ACK that was not expected', async () => {
    const test = connectGateway({ random: () => 0 });
    makeReady(test);
    test.sockets.last.frame(ACK);
    expect(test.gateway.health().ackAgeMs).toBeUndefined();
  });

  it('is not ready between two connections, and starts again with the next one', async () => {
    const test = connectGateway();
    makeReady(test);
    await test.clock.advance(5_000);
    test.sockets.last.hangUp(1006);
    expect(test.gateway.health()).toEqual(NONE);
    await test.clock.advance(500);
    makeReady(test);
    expect(test.gateway.health()).toMatchObject({ isReady: true, readyAgeMs: 0 });
  });

  it('is not ready once it is closed', async () => {
    const test = connectGateway();
    makeReady(test);
    const closing = test.gateway.close();
    expect(test.gateway.health()).toEqual(NONE);
    await test.clock.advance(1_000);
    await closing;
  });
});
