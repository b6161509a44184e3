import { createFakeClock } from '@virgule/core/clock';
import type { GatewayHealth } from '@virgule/client/gateway';
import { describe, expect, it } from 'vitest';
import { createFakeGateway, READY } from '../../test/fake-gateway.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { createVitals } from './vitals.js';

function start(health?: GatewayHealth) {
  const clock = createFakeClock();
  const { rest } = createFakeRest();
  let origins = [{ origin: 'https://a', isCircuitOpen: false }];
  const vitals = createVitals(clock);
  const gateway = health ? { ...createFakeGateway(), health: () => health } : createFakeGateway();
  const connect = (): void =>
    vitals.observer.connecting?.({
      // The rest of what the client learned is not read.
      rest: { ...rest, limits: () => ({ origins }) as never },
      gateway,
    });
  const ready = { state: 'ready', ready: READY, reconnected: false } as const;
  const lost = { state: 'reconnecting', reason: 'lost', attempt: 1, delayMs: 500 } as const;
  const report = vitals.observer.status ?? (() => {});
  return {
    clock,
    vitals,
    connect,
    report,
    ready,
    lost,
    open: () => (origins = [{ origin: 'https://a', isCircuitOpen: true }]),
  };
}

describe('createVitals', () => {
  it('is starting, and counts how long, until READY', async () => {
    const { clock, vitals, report, ready } = start();
    await clock.advance(3_000);
    expect(vitals.read()).toMatchObject({
      phase: 'starting',
      isReady: false,
      notReadyForMs: 3_000,
      openBreakers: [],
    });
    expect(vitals.parts).toBeUndefined();
    report(ready);
    await clock.advance(200);
    expect(vitals.read()).toMatchObject({
      phase: 'running',
      isReady: true,
      readyAgeMs: 200,
      notReadyForMs: undefined,
    });
  });

  it('counts from the first loss, however often the connection is tried', async () => {
    const { clock, vitals, report, ready, lost } = start();
    report(ready);
    await clock.advance(1_000);
    report(lost);
    await clock.advance(4_000);
    report(lost);
    await clock.advance(1_000);
    expect(vitals.read()).toMatchObject({
      phase: 'running',
      isReady: false,
      readyAgeMs: undefined,
      notReadyForMs: 5_000,
      // The second attempt comes in another half a second.
      stuckForMs: 500,
    });
    report(ready);
    expect(vitals.read().notReadyForMs).toBeUndefined();
  });

  it('asks a gateway that can answer', () => {
    const health = { isReady: true, readyAgeMs: 5, ackAgeMs: 4, heartbeatMs: 25_000 };
    const { vitals, connect } = start(health);
    connect();
    expect(vitals.read()).toMatchObject(health);
  });

  it('names origins that cannot be reached', () => {
    const { vitals, connect, open } = start();
    connect();
    expect(vitals.read().openBreakers).toEqual([]);
    open();
    expect(vitals.read().openBreakers).toEqual(['https://a']);
  });

  it('is closing after close() was called, and closed once the connection has ended', () => {
    const { vitals, report, ready } = start();
    report(ready);
    vitals.closing();
    expect(vitals.read().phase).toBe('closing');
    report({ state: 'closed' });
    expect(vitals.read().phase).toBe('closed');
    vitals.closing();
    expect(vitals.read().phase).toBe('closed');
  });
});
