import type { Clock } from '@virgule/core/clock';
import { API_ERROR_CODES, RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { SimFaultEffect } from '@virgule/core/simulator-api';
import type { Fault } from './faults.js';
import { jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';

type LimitEffect = Extract<SimFaultEffect, { readonly type: 'limit' }>;

interface Window {
  readonly endMs: number;
  count: number;
}

/** Creates rate limits with fixed windows, which begin with their first request. Returns a function that answers requests. */
export function createLimits(clock: Clock) {
  const windows = new Map<string, Window>();

  function begin(key: string, now: number, perMs: number): Window {
    for (const [other, { endMs }] of windows) if (endMs <= now) windows.delete(other);
    const window = { endMs: now + perMs, count: 0 };
    windows.set(key, window);
    return window;
  }

  return async (
    fault: Fault,
    { limit, perMs, per }: LimitEffect,
    incoming: Incoming,
    run: () => Promise<Answer>,
  ): Promise<Answer> => {
    const channel = /\/channels\/([^/]+)/.exec(incoming.path)?.[1];
    const key = per === 'channel' ? `${fault.rule}\0${channel}` : fault.rule;
    const now = clock.monotonic();
    const open = windows.get(key);
    const window = open && open.endMs > now ? open : begin(key, now, perMs);
    window.count += 1;
    const seconds = Math.max(1, Math.ceil((window.endMs - now) / 1_000));
    const headers = {
      [RATE_LIMIT_HEADERS.limit]: String(limit),
      [RATE_LIMIT_HEADERS.remaining]: String(Math.max(0, limit - window.count)),
      [RATE_LIMIT_HEADERS.reset]: String(seconds),
    };
    if (window.count <= limit) {
      const answer = await run();
      return { ...answer, headers: { ...answer.headers, ...headers } };
    }
    fault.hit();
    const answer = jsonAnswer(429, {
      code: API_ERROR_CODES.rateLimited,
      message: `More than ${limit} requests in ${perMs} ms.`,
      details: { retryAfterSeconds: seconds },
      requestId: incoming.requestId,
    });
    const retryAfter = { [RATE_LIMIT_HEADERS.retryAfterSeconds]: String(seconds) };
    return { ...answer, headers: { ...answer.headers, ...headers, ...retryAfter } };
  };
}
