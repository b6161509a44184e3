import { createDeadlines, createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { plainRequest } from '../../test/plain-request.js';
import { Exchange } from './exchange.js';
import type { HttpHandler, HttpRequest } from './pool.js';

const request = plainRequest('http://x');

const controller = { abort: () => {} };

/** Answers with a body in these pieces. */
const answerWith =
  (...pieces: string[]) =>
  (handler: HttpHandler): void => {
    handler.onRequestStart(controller);
    handler.onResponseStart(controller, 200, {});
    for (const piece of pieces) handler.onResponseData(controller, Buffer.from(piece));
    handler.onResponseEnd(controller);
  };

function open(deadlineMs = 100) {
  const clock = createFakeClock();
  let busyMs = 0;
  const slow = {
    monotonic: () => clock.monotonic() + busyMs,
    setTimeout: clock.setTimeout.bind(clock),
  };
  const exchange = new Exchange({
    clock: slow,
    deadlines: createDeadlines(slow),
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
    const answer = answerWith(...pieces);
    exchange.start({ dispatch: (_request, handler) => answer(handler) }, request);
    const result = await exchange.result;
    expect([result.why, Buffer.from(result.body).toString()]).toEqual(['answered', body]);
  });

  it('still waits for the headers of the answer proper after a 103', async () => {
    const { clock, exchange } = open();
    const dispatch = (_request: HttpRequest, handler: HttpHandler): void => {
      handler.onRequestStart(controller);
      handler.onResponseStart(controller, 103, { link: '</a>' });
    };
    exchange.start({ dispatch }, request);
    await clock.advance(20);
    expect(await exchange.result).toEqual({
      phase: 'headers',
      why: 'limit',
      status: undefined,
      headers: {},
      body: new Uint8Array(),
      error: undefined,
    });
  });

  it.each([50, 10_000])(
    'lets an answer be read first that came while the process was busy for %d ms',
    async (busyMs) => {
      const { clock, exchange, block } = open();
      let handler: HttpHandler | undefined;
      exchange.start({ dispatch: (_request, given) => void (handler = given) }, request);
      handler?.onRequestStart(controller);
      block(busyMs);
      await clock.advance(20);
      expect(await Promise.race([exchange.result, Promise.resolve('open')])).toBe('open');
      if (handler) answerWith('late')(handler);
      expect(await exchange.result).toMatchObject({ why: 'answered' });
    },
  );

  it('does so each time, also when a piece of a file was taken after the time before', async () => {
    const { clock, exchange, block } = open(10_000);
    exchange.start(
      { dispatch: (_request, handler) => handler.onRequestStart(controller) },
      request,
    );
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
    exchange.start(
      { dispatch: (_request, handler) => handler.onRequestStart(controller) },
      request,
    );
    block(busyMs);
    await clock.advance(70);
    expect(await exchange.result).toMatchObject({ phase: 'headers', why });
  });

  it.each<[string, unknown, Error]>([
    ['an error', new TypeError('invalid header'), new TypeError('invalid header')],
    ['anything else', 'no connection left', new Error('no connection left')],
  ])(
    'fails before anything was sent when the dispatcher throws %s',
    async (_title, thrown, error) => {
      const { exchange } = open();
      const dispatch = (): never => {
        throw thrown;
      };
      exchange.start({ dispatch }, request);
      expect(await exchange.result).toMatchObject({ phase: 'connecting', why: 'fault', error });
    },
  );
});
