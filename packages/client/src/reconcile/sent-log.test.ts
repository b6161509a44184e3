import { createFakeClock } from '@virgule/core/clock';
import type { Message } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { createSentLog, isSameText } from './sent-log.js';

// Only the id of a message is read here.
const messageOf = (id: string): Message => ({ id }) as Message;

describe('createSentLog', () => {
  it('counts the other calls that may have sent the same text', async () => {
    const clock = createFakeClock();
    const log = createSentLog(clock);
    const startMs = clock.monotonic();
    const own = log.begin('a', 'pong');
    const open = log.begin('a', 'pong');
    log.begin('b', 'pong');
    log.begin('a', 'ping');
    expect(log.rivals(own, startMs)).toBe(1);
    log.end(open, undefined);
    expect(log.rivals(own, startMs)).toBe(1);
    await clock.advance(1);
    expect(log.rivals(own, clock.monotonic())).toBe(0);
  });

  it('no longer counts a call whose message is known, or was never sent', () => {
    const log = createSentLog(createFakeClock());
    const own = log.begin('a', 'pong');
    const known = log.begin('a', 'pong');
    const unsent = log.begin('a', 'pong');
    expect(log.rivals(own, 0)).toBe(2);
    log.end(known, messageOf('m1'));
    log.drop(unsent);
    expect(log.rivals(own, 0)).toBe(0);
    expect(log.isTaken('m1')).toBe(true);
    expect(log.isTaken('m2')).toBe(false);
  });

  it('keeps answers to commands too', () => {
    const log = createSentLog(createFakeClock());
    const message = messageOf('m1');
    log.note(message);
    log.note(undefined);
    expect(log.isTaken('m1')).toBe(true);
  });

  it('is watched once somebody asks', () => {
    const log = createSentLog(createFakeClock());
    expect(log.isWatched).toBe(false);
    log.watch();
    expect(log.isWatched).toBe(true);
  });

  it('forgets the oldest', () => {
    const log = createSentLog(createFakeClock());
    const own = log.begin('a', 'pong');
    for (let index = 0; index < 400; index += 1) {
      log.begin('a', 'pong');
      log.note(messageOf(`m${index}`));
    }
    expect(log.rivals(own, 0)).toBe(256);
    expect([log.isTaken('m0'), log.isTaken('m399')]).toEqual([false, true]);
  });
});

describe('isSameText', () => {
  it.each([
    ['a', 'a', true],
    [' a\n', 'a', true],
    ['a\r\nb', 'a\nb', true],
    ['\u00e9', 'e\u0301', true],
    ['a', 'A', false],
    ['a b', 'ab', false],
  ])('%j and %j: %s', (one, other, isSame) => {
    expect(isSameText(one, other)).toBe(isSame);
  });
});
