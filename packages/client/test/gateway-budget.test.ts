import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HELLO, connectGateway, makeReady, type TestGateway } from './test-gateway.js';

function stateFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'virgule-budget-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'gateway.json');
}

/** Identifies and is thrown out, so often; with the smallest pauses. */
async function crash({ sockets, clock }: TestGateway, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    sockets.last.accept();
    sockets.last.frame(HELLO);
    sockets.last.hangUp(1011);
    await clock.advance(0);
  }
}

describe('the identify budget', () => {
  it('allows 5 a minute: the next connection waits, which is reported', async () => {
    const test = connectGateway({ random: () => 0 });
    await crash(test, 5);
    expect(test.sockets.opened).toHaveLength(5);
    expect(test.statuses.at(-1)).toMatchObject({
      state: 'reconnecting',
      reason: 'closed with code 1011; the identify budget is used up (5 a minute)',
      delayMs: 60_000,
    });
    await test.clock.advance(59_999);
    expect(test.sockets.opened).toHaveLength(5);
    await test.clock.advance(1);
    expect(test.sockets.opened).toHaveLength(6);
    expect(test.gateway.counts.identifies).toBe(5);
  });

  it('takes another number from the profile', async () => {
    const test = connectGateway({ random: () => 0, profile: { identifies: { perMinute: 3 } } });
    await crash(test, 3);
    expect(test.sockets.opened).toHaveLength(3);
    expect(test.statuses.at(-1)).toMatchObject({
      reason: expect.stringContaining('(3 a minute)'),
    });
  });

  it.each([{ perMinute: -1 }, { perDay: Number.NaN }, { perMinute: '5' as unknown as number }])(
    'refuses %j',
    (identifies) => {
      expect(() => connectGateway({ profile: { identifies } })).toThrow(
        expect.objectContaining({ code: 'E_INVALID_CALL' }),
      );
    },
  );

  it('refuses a number of waiting events that is text', () => {
    expect(() => connectGateway({ maxWaitingEvents: '100' as unknown as number })).toThrow(
      expect.objectContaining({
        code: 'E_INVALID_CALL',
        details: expect.objectContaining({ field: 'maxWaitingEvents' }),
      }),
    );
  });

  it('is not touched by connections that end before HELLO', async () => {
    const test = connectGateway({ random: () => 0 });
    for (let n = 0; n < 100; n += 1) {
      test.sockets.last.hangUp(1011);
      await test.clock.advance(0);
    }
    expect(test.sockets.opened).toHaveLength(101);
    expect(test.gateway.counts).toMatchObject({ identifies: 0, endings: { 1011: 100 } });
  });

  it('continues after a restart when there is a state file', async () => {
    const file = stateFile();
    const clock = createFakeClock();
    for (let restart = 0; restart < 5; restart += 1) {
      const test = connectGateway({ clock, stateFile: file });
      makeReady({ ...test, clock });
      void test.gateway.close();
    }
    const sixth = connectGateway({ clock, stateFile: file });
    expect(sixth.sockets.opened).toEqual([]);
    expect(sixth.statuses).toMatchObject([
      {
        state: 'reconnecting',
        reason: 'the identify budget is used up (5 a minute)',
        delayMs: 60_000,
      },
    ]);
    await clock.advance(60_000);
    makeReady(sixth);
    expect(await sixth.connected).toMatchObject({ username: expect.any(String) });
  });

  it('can be waited for no longer: close() ends the wait', async () => {
    const file = stateFile();
    const clock = createFakeClock();
    await crash({ ...connectGateway({ clock, stateFile: file, random: () => 0 }), clock }, 5);
    const test = connectGateway({ clock, stateFile: file });
    await test.gateway.close();
    expect(await test.connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
  });

  it.each(['ws://127.0.0.1:7300', 'ws://localhost:7300/x', 'ws://[::1]:7300', 'ws://127.9.9.9'])(
    'is not applied to %s',
    async (gatewayUrl) => {
      const test = connectGateway({ gatewayUrl, random: () => 0, stateFile: stateFile() });
      await crash(test, 20);
      expect(test.sockets.opened).toHaveLength(21);
    },
  );
});

describe('signal', () => {
  it('ends connect() with E_ABORTED and its reason, and leaves nothing behind', async () => {
    const controller = new AbortController();
    const test = connectGateway({ signal: controller.signal });
    const reason = new Error('no longer needed');
    controller.abort(reason);
    expect(await test.connected).toMatchObject({
      code: 'E_ABORTED',
      cause: reason,
      details: { endpoint: 'gateway', phase: 'connecting', maybeSent: false },
    });
    expect(test.sockets.last.ended).toBe('terminated');
    expect(test.statuses).toEqual([{ state: 'closed', error: undefined }]);
    expect(test.clock.pending).toBe(0);
  });

  it('closes a connection that is up', async () => {
    const controller = new AbortController();
    const test = connectGateway({ signal: controller.signal });
    makeReady(test);
    controller.abort();
    expect(test.sockets.last.ended).toBe('closed');
    test.sockets.last.hangUp(1000);
    await test.gateway.close();
    expect(test.statuses.at(-1)).toEqual({ state: 'closed', error: undefined });
  });

  it('that is aborted already lets nothing begin', async () => {
    const test = connectGateway({ signal: AbortSignal.abort() });
    expect(await test.connected).toMatchObject({ code: 'E_ABORTED' });
    expect(test.sockets.opened).toEqual([]);
  });

  it('can be used by any number of gateways, one after the other, without a listener left', async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...values: Parameters<typeof add>) => {
      listeners += 1;
      add(...values);
    };
    signal.removeEventListener = (...values: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...values);
    };
    for (let n = 0; n < 100; n += 1) {
      const test = connectGateway({ signal });
      expect(listeners).toBe(1);
      await test.gateway.close();
      expect(listeners).toBe(0);
    }
  });
});
