import type { Clock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { API_ERROR_CODES, RATE_LIMIT_HEADERS } from '@virgule/core/protocol';
import type { SimFaultEffect } from '@virgule/core/simulator-api';
import { jsonAnswer, type Answer, type Incoming } from '../server/exchange.js';
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

/** Creates a function that answers a request with a fault: `run` carries it out, `expire` ends its interaction. */
export function createFaultyAnswers(clock: Clock) {
  /** Fixed windows of rate limits, which begin with their first request. */
  const windows = new Map<string, { readonly endMs: number; count: number }>();

  function windowOf(key: string, perMs: number) {
    const now = clock.monotonic();
    for (const [other, { endMs }] of windows) if (endMs <= now) windows.delete(other);
    const window = windows.get(key) ?? { endMs: now + perMs, count: 0 };
    windows.set(key, window);
    return window;
  }

  async function limited(
    fault: Fault,
    { limit, perMs, per }: Extract<SimFaultEffect, { readonly type: 'limit' }>,
    { path, requestId }: Incoming,
    run: () => Promise<Answer>,
  ): Promise<Answer> {
    const channel = /\/channels\/([^/]+)/.exec(path)?.[1];
    const window = windowOf(per === 'channel' ? `${fault.rule}\0${channel}` : fault.rule, perMs);
    window.count += 1;
    const seconds = Math.max(1, Math.ceil((window.endMs - clock.monotonic()) / 1_000));
    const headers = {
      [RATE_LIMIT_HEADERS.limit]: String(limit),
      [RATE_LIMIT_HEADERS.remaining]: String(Math.max(0, limit - window.count)),
      [RATE_LIMIT_HEADERS.reset]: String(seconds),
    };
    const isRefused = window.count > limit;
    if (isRefused) fault.hit();
    const refusal = { type: 'status', status: 429, retryAfter: seconds } as const;
    const reason = `More than ${limit} requests in ${perMs} ms.`;
    const answer = isRefused ? statusAnswer(refusal, requestId, reason) : await run();
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }

  return async (
    fault: Fault,
    incoming: Incoming,
    run: () => Promise<Answer>,
    expire: () => void,
  ): Promise<Answer> => {
    const { effect } = fault;
    switch (effect.type) {
      case 'status':
        // An unread body would block the connection.
        if (effect.after === true) await run().catch(() => {});
        else await incoming.body(MAX_BODY_BYTES).catch(() => {});
        return statusAnswer(effect, incoming.requestId);
      case 'limit':
        return limited(fault, effect, incoming, run);
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
  };
}

function statusAnswer(
  effect: Extract<SimFaultEffect, { readonly type: 'status' }>,
  requestId: string,
  message = `A fault of the simulator: ${effect.status}.`,
): Answer {
  const { status, retryAfter, body = 'json', code = CODES[status] ?? 'bot_fault' } = effect;
  const answer = bodyAnswer(body, status, {
    code,
    message,
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
  return { status, headers: { 'content-type': 'text/html' }, body: html };
}

/** Removes fields from the JSON of an object or of a list of objects; other strings stay unchanged. */
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
