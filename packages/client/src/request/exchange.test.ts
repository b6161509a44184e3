import { createDeadlines, createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Exchange } from './exchange.js';

const abort = (): void => {};

/** Answers with a body in these pieces. */
const answerWith =
  (...pieces: string[]) =>
  (exchange: Exchange): void => {
    exchange.onConnect(abort);
    exchange.onHeaders(200, []);
    for (const piece of pieces) exchange.onData(Buffer.from(piece));
    exchange.onComplete();
  };

function open(deadlineMs = 100) {
  const clock = createFakeClock();
  let busyMs = 0;
  const slow = {
    monotonic: () => clock.monotonic() + busyMs,
    setTimeout: clock.setTimeout.bind(clock),
  };
  const exchange = new Exchange({
    deadlines: createDeadlines(slow),
    startMs: clock.monotonic(),
    patienceMs: 20,
    deadlineAtMs: clock.monotonic() + deadlineMs,
  });
  /** The process does nothing else for this long. */
  const block = (ms: number): void => void (busyMs += ms);
  return { clock, exchange, block };
}

describe('Exchange', () => {
  it.each([
    ['no piece', [], ''],
    ['one piece', ['{"a":1}'], '{"a":1}'],
    ['an empty piece', [''], ''],
    ['several pieces', ['{"a"', '', ':1', '}'], '{"a":1}'],
  ])('returns a body that came in %s', async (_title, pieces, body) => {
    const { exchange } = open();
    answerWith(...pieces)(exchange);
    const result = await exchange.result;
    expect([result.why, Buffer.from(result.body).toString()]).toEqual(['answered', body]);
  });

  it('still waits for the headers of the answer proper after a 103', async () => {
    const { clock, exchange } = open();
    exchange.onConnect(abort);
    exchange.onHeaders(103, { link: '</a>' });
    await clock.advance(20);
    const { phase, why, status } = await exchange.result;
    expect([phase, why, status]).toEqual(['headers', 'limit', undefined]);
  });

  it.each([50, 10_000])(
    'lets an answer be read first that came while the process was busy for %d ms',
    async (busyMs) => {
      const { clock, exchange, block } = open();
      exchange.onConnect(abort);
      block(busyMs);
      await clock.advance(20);
      expect(await Promise.race([exchange.result, Promise.resolve('open')])).toBe('open');
      answerWith('late')(exchange);
      expect(await exchange.result).toMatchObject({ why: 'answered' });
    },
  );

  it('does so each time, also when a piece of a file was taken after the time before', async () => {
    const { clock, exchange, block } = open(10_000);
    exchange.onConnect(abort);
    for (let time = 0; time < 3; time += 1) {
      block(100);
      await clock.advance(20);
      expect(await Promise.race([exchange.result, Promise.resolve('open')])).toBe('open');
      exchange.expectProgress(20);
    }
  });

  it.each([
    ['no answer came', 0, 'limit'],
    ['none came while the process was busy', 10_000, 'deadline'],
  ])('ends when %s', async (_title, busyMs, why) => {
    const { clock, exchange, block } = open();
    exchange.onConnect(abort);
    block(busyMs);
    await clock.advance(70);
    expect(await exchange.result).toMatchObject({ phase: 'headers', why });
  });

  it.each([
    ['raw', ['Retry-After', '3', 'Retry-After', '4'].map((text) => Buffer.from(text))],
    ['parsed', { 'retry-after': ['3', '4'] }],
  ] as const)('returns the first of equal headers that came %s', (_how, headers) => {
    const { exchange } = open();
    exchange.onConnect(abort);
    exchange.onHeaders(429, headers);
    expect([exchange.header('retry-after'), exchange.header('date')]).toEqual(['3', undefined]);
  });
});
