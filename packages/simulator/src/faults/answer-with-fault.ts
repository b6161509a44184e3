import type { Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { API_ERROR_CODES, RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { SimFaultEffect } from '@virgule/core/simulator-api';
import { jsonAnswer, textAnswer, type Answer, type Incoming } from '../server/exchange.js';
import type { Fault } from './faults.js';

/** The connection breaks without a response. */
const CUT: Answer = { status: 0, headers: {}, body: '', wire: 'cut' };

/** Maximum size of a body, in bytes; larger bodies are refused anyway. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const CODES: Readonly<Record<number, string>> = {
  401: 'bot_unauthorized',
  403: 'bot_forbidden',
  404: 'bot_not_found',
  429: API_ERROR_CODES.rateLimited,
};

export interface FaultyRequest {
  readonly incoming: Incoming;
  readonly clock: Clock;
  readonly limits: ReturnType<typeof createLimits>;
  /** Carries out the request. */
  readonly run: () => Promise<Answer>;
  /** Ends the window of the interaction in the path. */
  readonly expire: () => void;
}

/** Answers a request with a fault. */
export async function answerWithFault(fault: Fault, request: FaultyRequest): Promise<Answer> {
  const { incoming, clock, limits, run, expire } = request;
  const { effect } = fault;
  switch (effect.type) {
    case 'status':
      // An unread body would block the connection.
      if (effect.after === true) await run().catch(() => {});
      else await incoming.body(MAX_BODY_BYTES).catch(() => {});
      return statusAnswer(effect, incoming.requestId);
    case 'limit':
      return limits(fault, effect, incoming, run);
    case 'expire':
      expire();
      return run();
    case 'hang':
      return { ...CUT, wire: 'hang' };
    case 'cut':
      if (effect.when === undefined || effect.when === 'before') return CUT;
      return { ...(await run()), wire: effect.when === 'after' ? 'cut' : 'cut-within' };
    case 'delay':
      await clock.sleep(effect.ms + fault.random() * (effect.jitterMs ?? 0));
      return run();
    case 'omit': {
      const answer = await run();
      return { ...answer, body: omitFields(answer.body.toString(), effect.fields) };
    }
    default:
      // The schema allows the other effects only for frames.
      return run();
  }
}

type StatusEffect = Extract<SimFaultEffect, { readonly type: 'status' }>;

function statusAnswer(effect: StatusEffect, requestId: string): Answer {
  const { status, retryAfter, body = 'json', code = CODES[status] ?? 'bot_fault' } = effect;
  const answer = bodyAnswer(body, status, {
    code,
    message: `A fault of the simulator: ${status}.`,
    details: typeof retryAfter === 'number' ? { retryAfterSeconds: retryAfter } : {},
    requestId,
  });
  if (retryAfter === undefined) return answer;
  const name = RATE_LIMIT_HEADERS.retryAfterSeconds;
  return { ...answer, headers: { ...answer.headers, [name]: String(retryAfter) } };
}

function bodyAnswer(body: 'json' | 'html' | 'empty', status: number, error: object): Answer {
  if (body === 'json') return jsonAnswer(status, error);
  if (body === 'empty') return { status, headers: {}, body: '' };
  const html = `<html><body><h1>${status}</h1></body></html>`;
  const answer = textAnswer(status, html);
  return { ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } };
}

/**
 * Returns JSON without some fields of its object, or of the objects in its array; other strings are returned unchanged.
 */
export function omitFields(json: string, fields: readonly string[]): string {
  const without = (value: unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).filter(([name]) => !fields.includes(name)))
      : value;
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(Array.isArray(value) ? value.map(without) : without(value));
  } catch {
    return json;
  }
}

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
