import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { Exchange } from './exchange.js';
import { ExchangeWatch } from './exchange-watch.js';
import type { HttpHandler, HttpRequest } from './http-dispatcher.js';

const request: HttpRequest = {
  origin: 'http://x',
  path: '/',
  method: 'GET',
  headers: {},
  body: null,
  headersTimeout: 0,
  bodyTimeout: 0,
};

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

describe('Exchange', () => {
  it.each([
    ['no piece', [], ''],
    ['one piece', ['{"a":1}'], '{"a":1}'],
    ['an empty piece', [''], ''],
    ['several pieces', ['{"a"', '', ':1', '}'], '{"a":1}'],
  ])('gives a body that came in %s', async (_title, pieces, body) => {
    const clock = createFakeClock();
    const limits = { deadlineAtMs: clock.monotonic() + 100, headersMs: 20, bodyMs: 30 };
    const exchange = new Exchange({ clock, watch: new ExchangeWatch(clock) }, limits);
    const answer = answerWith(...pieces);
    exchange.start({ dispatch: (_request, handler) => answer(handler) }, request);
    const result = await exchange.result;
    expect(result.kind === 'answer' && Buffer.from(result.body).toString()).toBe(body);
  });
});
