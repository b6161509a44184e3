import { describe, expect, it } from 'vitest';
import { ACK, COMMAND, connectGateway, makeReady, type TestGateway } from './test-gateway.js';

const hello = (heartbeatInterval: unknown): unknown => ({ op: 'HELLO', d: { heartbeatInterval } });

const beats = ({ sockets }: TestGateway): number =>
  sockets.last.sent.filter((frame) => Object(frame).op === 'HEARTBEAT').length;

describe('the heartbeat', () => {
  it.each([
    [0, 2_500],
    [0.5, 13_750],
    [0.999_999, 24_999],
  ])('begins at a random point of the interval (chance %d)', async (chance, firstMs) => {
    const test = connectGateway({ random: () => chance });
    makeReady(test);
    await test.clock.advance(firstMs - 1);
    expect(beats(test)).toBe(0);
    await test.clock.advance(2);
    expect(beats(test)).toBe(1);
  });

  it('continues at the interval, without payload, as long as it is answered', async () => {
    const test = connectGateway();
    makeReady(test);
    await test.clock.advance(13_750);
    for (let beat = 1; beat <= 5; beat += 1) {
      expect(beats(test)).toBe(beat);
      expect(test.sockets.last.sent.at(-1)).toEqual({ op: 'HEARTBEAT' });
      await test.clock.advance(300);
      test.sockets.last.frame(ACK);
      await test.clock.advance(24_700);
    }
    expect(test.sockets.opened).toHaveLength(1);
    expect(test.gateway.frames.unexpected).toBe(0);
  });

  it('drops a connection that does not answer in 10 s, and replaces it', async () => {
    const test = connectGateway();
    makeReady(test);
    await test.clock.advance(13_750 + 9_999);
    expect(test.sockets.last.ended).toBe('no');
    await test.clock.advance(1);
    expect(test.sockets.last.ended).toBe('terminated');
    expect(test.statuses.at(-1)).toEqual({
      state: 'reconnecting',
      reason: 'no answer to a heartbeat in 10000 ms',
      attempt: 1,
      delayMs: 500,
    });
    await test.clock.advance(500);
    expect(test.sockets.opened).toHaveLength(2);
    makeReady(test);
    expect(test.statuses.at(-1)).toMatchObject({ state: 'ready', reconnected: true });
  });

  it('keeps a connection on which other frames come, for as long as three intervals', async () => {
    const test = connectGateway();
    makeReady(test);
    await test.clock.advance(13_750);
    for (let second = 0; second < 74; second += 1) {
      await test.clock.advance(1_000);
      test.sockets.last.frame(COMMAND);
    }
    expect(test.sockets.last.ended).toBe('no');
    await test.clock.advance(1_000);
    expect(test.sockets.last.ended).toBe('terminated');
    expect(test.statuses.at(-1)).toMatchObject({
      reason: 'no answer to a heartbeat in 75000 ms',
    });
  });

  it('does not wait longer for a line whose answers were slow', async () => {
    const test = connectGateway({ random: () => 0 });
    makeReady(test, hello(60_000));
    await test.clock.advance(6_000);
    await test.clock.advance(5_000);
    test.sockets.last.frame(ACK);
    await test.clock.advance(55_000 + 9_999);
    expect(test.sockets.opened[0]?.ended).toBe('no');
    await test.clock.advance(1);
    expect(test.sockets.opened[0]?.ended).toBe('terminated');
  });

  it('gives up at the interval when that is shorter than 10 s', async () => {
    const test = connectGateway({ random: () => 0 });
    makeReady(test, hello(4_000));
    await test.clock.advance(400 + 3_999);
    expect(test.sockets.opened[0]?.ended).toBe('no');
    await test.clock.advance(1);
    expect(test.sockets.opened[0]?.ended).toBe('terminated');
    expect(test.sockets.opened[0]?.sent).toHaveLength(2);
  });

  it('waits 3 s for an answer, also at an interval in which none can come', async () => {
    const test = connectGateway({ random: () => 0 });
    // Seconds in place of milliseconds: it becomes 100 ms.
    makeReady(test, hello(25));
    for (let beat = 0; beat < 40; beat += 1) {
      await test.clock.advance(2_900);
      test.sockets.last.frame(ACK);
    }
    expect(test.sockets.opened).toHaveLength(1);
    await test.clock.advance(3_100);
    expect(test.sockets.opened[0]?.ended).toBe('terminated');
  });

  it('begins at HELLO, so that a slow READY does not look like a dead bot', async () => {
    const test = connectGateway({ random: () => 0 });
    test.sockets.last.accept();
    test.sockets.last.frame(hello(25_000));
    await test.clock.advance(2_500);
    expect(beats(test)).toBe(1);
  });

  it.each([
    ['absent', {}, 25_000, 'absent'],
    ['text', { heartbeatInterval: '9000' }, 25_000, 'not a number'],
    ['null', { heartbeatInterval: null }, 25_000, 'not a number'],
    ['zero', { heartbeatInterval: 0 }, 100, '0 is outside 100 to 300000'],
    ['negative', { heartbeatInterval: -5 }, 100, '-5 is outside 100 to 300000'],
    ['too long', { heartbeatInterval: 9e9 }, 300_000, '9000000000 is outside 100 to 300000'],
    ['in no payload', undefined, 25_000, 'absent'],
  ])(
    'keeps working with an interval that is %s, and reports it',
    async (_name, d, intervalMs, problem) => {
      const test = connectGateway({ random: () => 0 });
      makeReady(test, { op: 'HELLO', d });
      expect(test.statuses).toMatchObject([{ state: 'ready' }]);
      expect(test.log.map((line) => JSON.parse(line))).toMatchObject([{ problem, intervalMs }]);
      await test.clock.advance(intervalMs / 10 - 1);
      expect(beats(test)).toBe(0);
      await test.clock.advance(1);
      expect(beats(test)).toBe(1);
    },
  );

  it('takes the fallback and the bounds from the profile', async () => {
    const profile = { heartbeat: { fallbackMs: 7_000, boundsMs: { min: 500, max: 600 } } };
    const test = connectGateway({ random: () => 0, profile });
    makeReady(test, { op: 'HELLO', d: {} });
    await test.clock.advance(700);
    expect(beats(test)).toBe(1);
    const bounded = connectGateway({ random: () => 0, profile });
    makeReady(bounded, hello(10_000));
    await bounded.clock.advance(60);
    expect(beats(bounded)).toBe(1);
  });
});
