import { describe, expect, it } from 'vitest';
import { createFakeSockets } from './fake-sockets.js';
import { connectGateway, makeReady } from './test-gateway.js';

/** A gateway whose sockets cannot be made as long as the test says so. */
function connect({ fails }: { readonly fails: boolean }) {
  const sockets = createFakeSockets();
  const machine = { fails };
  class WebSocket extends sockets.WebSocket {
    constructor(...given: ConstructorParameters<typeof sockets.WebSocket>) {
      if (machine.fails) throw new Error('too many open files');
      super(...given);
    }
  }
  return { machine, test: { ...connectGateway({ WebSocket }), sockets } };
}

const REASON = 'the socket could not be made: too many open files';

describe('a socket that cannot be made', () => {
  it('is a connection that failed: another one follows', async () => {
    const { machine, test } = connect({ fails: true });
    expect(test.statuses).toMatchObject([
      { state: 'reconnecting', reason: REASON, attempt: 1, delayMs: 500 },
    ]);
    machine.fails = false;
    await test.clock.advance(500);
    makeReady(test);
    expect(await test.connected).toMatchObject({ username: expect.any(String) });
  });

  it('does not keep the gateway from being closed', async () => {
    const { test } = connect({ fails: true });
    await test.gateway.close();
    expect(await test.connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    expect(test.statuses.at(-1)).toEqual({ state: 'closed', error: undefined });
    expect(test.clock.pending).toBe(0);
  });
});

describe('an error of a socket', () => {
  it.each([
    ['its message', new Error('read ECONNRESET'), 'read ECONNRESET'],
    [
      'its code, when several addresses failed',
      Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
      'ECONNREFUSED',
    ],
    ['its name, when it says nothing else', new AggregateError([], ''), 'AggregateError'],
  ])('is reported by %s', (_name, error, reason) => {
    const test = connectGateway();
    test.sockets.last.fail(error);
    expect(test.statuses).toMatchObject([{ state: 'reconnecting', reason }]);
  });
});
