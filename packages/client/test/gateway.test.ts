import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { createGateway } from '@virgule/client/gateway';
import { readFixture } from './read-fixture.js';
import { COMMAND, HELLO, READY, connectGateway, makeReady } from './test-gateway.js';
import { TOKEN } from './test-rest.js';

const ready = { ...Object(READY).d };

describe('createGateway', () => {
  it('opens one socket at the path of the gateway, without compression and with a limit', () => {
    const { sockets } = connectGateway({ gatewayUrl: 'wss://chat.test:8443/chat/' });
    expect(sockets.opened).toHaveLength(1);
    expect(sockets.last.url).toBe('wss://chat.test:8443/chat/gateway/bot');
    expect(sockets.last.options).toEqual({
      perMessageDeflate: false,
      maxPayload: 16 * 1024 * 1024,
      skipUTF8Validation: true,
    });
  });

  it('goes from HELLO over IDENTIFY to READY', async () => {
    const test = connectGateway({ token: 'bot-token-made-up' });
    test.sockets.last.accept();
    expect(test.sockets.last.sent).toEqual([]);
    test.sockets.last.frame(HELLO);
    expect(test.sockets.last.sent).toEqual([readFixture('frame-identify-without-intents')]);
    test.sockets.last.frame(READY);
    expect(await test.connected).toEqual(ready);
    expect(test.statuses).toEqual([{ state: 'ready', ready, reconnected: false }]);
  });

  it.each([
    'wss://chat.test/chat/gateway/bot',
    'wss://chat.test/chat/gateway/bot/',
    'wss://chat.test/chat//gateway/bot',
  ])('does not append the path of the gateway twice to %s', (gatewayUrl) => {
    const { sockets } = connectGateway({ gatewayUrl });
    expect(sockets.last.url).toBe('wss://chat.test/chat/gateway/bot');
  });

  it('names the intents it was given', () => {
    const identify = readFixture('frame-identify');
    const { token, intents } = Object(identify).d;
    const { sockets } = connectGateway({ token, intents });
    sockets.last.accept();
    sockets.last.frame(HELLO);
    expect(sockets.last.sent).toEqual([identify]);
  });

  it('passes events on in their order, with the time of receipt', async () => {
    const test = connectGateway();
    makeReady(test);
    const startMs = test.clock.monotonic();
    test.sockets.last.frame(COMMAND);
    await test.clock.advance(40);
    test.sockets.last.frame({ op: 'DISPATCH', t: 'MESSAGE_CREATE', d: { any: ['thing'] } });
    test.sockets.last.frame({ op: 'DISPATCH', t: 'SOMETHING_NEW', d: null });
    expect(test.events).toEqual([
      { t: 'APPLICATION_COMMAND', d: Object(COMMAND).d, receivedAtMs: startMs },
      { t: 'MESSAGE_CREATE', d: { any: ['thing'] }, receivedAtMs: startMs + 40 },
      { t: 'SOMETHING_NEW', d: null, receivedAtMs: startMs + 40 },
    ]);
    expect(test.gateway.frames.unknownEvent).toBe(1);
  });

  it.each([['https://chat.test'], ['chat.test'], [''], ['wss://']])(
    'refuses %j as an address',
    (gatewayUrl) => {
      expect(() => createGateway({ token: TOKEN, gatewayUrl })).toThrowError(
        expect.objectContaining({ code: 'E_BAD_ADDRESS' }),
      );
    },
  );

  it('has one user', async () => {
    const test = connectGateway();
    await expect(test.gateway.connect({ dispatch: () => {} })).rejects.toThrow(TypeError);
  });

  it('logs what an async listener rejects with, and continues', async () => {
    const reject = (): unknown => Promise.reject(new Error('too late'));
    // Not caught, it would fail the test run, as it would end a program.
    const test = connectGateway({}, { dispatch: reject, status: reject });
    makeReady(test);
    test.sockets.last.frame(COMMAND);
    await test.clock.advance(0);
    const lines = test.log.filter((line) => line.includes('a gateway listener threw'));
    expect(lines).toHaveLength(2);
    expect(test.gateway.health().isReady).toBe(true);
  });

  it('survives a listener that throws', async () => {
    const test = connectGateway();
    const { gateway, sockets } = test;
    await gateway.close();
    const throwing = createGateway({
      log: silentLog,
      token: TOKEN,
      gatewayUrl: 'ws://chat.test',
      WebSocket: sockets.WebSocket,
    });
    const connected = throwing.connect({
      dispatch: () => {
        throw new Error('dispatch');
      },
      status: () => {
        throw new Error('status');
      },
    });
    makeReady(test);
    sockets.last.frame(COMMAND);
    sockets.last.frame(COMMAND);
    expect(sockets.last.ended).toBe('no');
    expect(await connected).toEqual(ready);
    const closing = throwing.close();
    sockets.last.hangUp(1000);
    await closing;
  });
});

describe('odd frames', () => {
  it('are counted and dropped, and the connection lives on', () => {
    const test = connectGateway();
    const { last } = test.sockets;
    last.accept();
    last.frame(COMMAND);
    last.frame(READY);
    last.frame(HELLO);
    last.frame(COMMAND);
    last.frame(READY);
    last.frame(READY);
    last.frame(HELLO);
    last.frame({ op: 'HEARTBEAT_ACK' });
    last.frame({ op: 'RESUMED' });
    last.frame({ op: 'IDENTIFY', d: {} });
    last.binary(Buffer.from(JSON.stringify(COMMAND)));
    for (const bad of ['', '{', 'null', '7', '"x"', '[]', '{}', '{"op":1}', '{"op":"DISPATCH"}']) {
      last.frame(bad);
    }
    last.frame({ op: 'DISPATCH', t: 7, d: {} });
    last.frame(`${'['.repeat(100_000)}`);
    expect(test.gateway.frames).toEqual({
      binary: 1,
      malformed: 11,
      oversized: 0,
      unknownOp: 2,
      early: 2,
      unexpected: 4,
      unknownEvent: 0,
    });
    expect(test.events).toEqual([]);
    last.frame(COMMAND);
    expect(test.events).toHaveLength(1);
    expect(last.ended).toBe('no');
  });

  it('are reported once for each kind, not for each frame', () => {
    const test = connectGateway();
    makeReady(test);
    for (let count = 0; count < 1_000; count += 1) test.sockets.last.frame('{');
    test.sockets.last.frame({ op: 'X' });
    expect(test.log).toHaveLength(2);
    expect(test.gateway.frames.malformed).toBe(1_000);
  });

  it('cannot reach the prototype of objects', () => {
    const test = connectGateway();
    makeReady(test);
    test.sockets.last.frame('{"op":"DISPATCH","t":"__proto__","d":{"__proto__":{"evil":1}}}');
    expect(test.events).toHaveLength(1);
    expect(test.gateway.frames.unknownEvent).toBe(1);
    expect({}).not.toHaveProperty('evil');
  });

  it('end the connection when they are a READY that cannot be read', async () => {
    const test = connectGateway();
    test.sockets.last.accept();
    test.sockets.last.frame(HELLO);
    test.sockets.last.frame({ op: 'DISPATCH', t: 'READY', d: { ...ready, botUserId: 7 } });
    expect(test.sockets.last.ended).toBe('terminated');
    expect(test.statuses).toMatchObject([
      { state: 'reconnecting', reason: expect.stringContaining('botUserId') },
    ]);
  });
});

describe('close', () => {
  it('closes with 1000, and reports it', async () => {
    const test = connectGateway();
    makeReady(test);
    const closing = test.gateway.close();
    expect(test.sockets.last.ended).toBe('closed');
    test.sockets.last.frame(COMMAND);
    test.sockets.last.hangUp(1000);
    await closing;
    await test.gateway.close();
    expect(test.events).toEqual([]);
    expect(test.statuses.slice(1)).toEqual([{ state: 'closed', error: undefined }]);
    expect(test.clock.pending).toBe(0);
  });

  it('does not wait for a silent peer longer than 1 s', async () => {
    const test = connectGateway();
    makeReady(test);
    const closing = test.gateway[Symbol.asyncDispose]();
    await test.clock.advance(999);
    expect(test.sockets.last.ended).toBe('closed');
    await test.clock.advance(1);
    await closing;
    expect(test.sockets.last.ended).toBe('terminated');
  });

  it.each([
    ['while connecting', () => {}],
    ['before HELLO', (test: ReturnType<typeof connectGateway>) => test.sockets.last.accept()],
    [
      'between two connections',
      (test: ReturnType<typeof connectGateway>) => test.sockets.last.hangUp(1006),
    ],
  ])('%s ends connect() with E_SHUTTING_DOWN, and nothing follows', async (_name, arrange) => {
    const test = connectGateway();
    arrange(test);
    const closing = test.gateway.close();
    test.sockets.last.hangUp(1000);
    await closing;
    expect(await test.connected).toMatchObject({
      code: 'E_SHUTTING_DOWN',
      details: { endpoint: 'gateway', attempts: 1 },
    });
    await test.clock.advance(3_600_000);
    expect(test.sockets.opened).toHaveLength(1);
    expect(test.statuses.at(-1)).toEqual({ state: 'closed', error: undefined });
    expect(test.clock.pending).toBe(0);
  });

  it('before connect() refuses to connect', async () => {
    const gateway = createGateway({ token: TOKEN, gatewayUrl: 'ws://chat.test', log: silentLog });
    await gateway.close();
    await expect(gateway.connect({ dispatch: () => {} })).rejects.toMatchObject({
      code: 'E_SHUTTING_DOWN',
    });
  });
});
