import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { tooLarge } from '../world/refusal.js';
import type { Answer, Exchange, Incoming } from './exchange.js';
import { errorAnswer } from './refusal-answer.js';

/** A request of a program in this process. */
export interface MemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface MemoryRequestsOptions {
  readonly origin: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly answer: (incoming: Incoming) => Promise<Answer>;
  /** Called with each request after its response is known. */
  readonly onExchange: (exchange: Exchange) => void;
}

/** Returns a function that answers requests of this process as the HTTP server answers those of others. */
export function createMemoryRequests({
  origin,
  clock,
  log,
  answer,
  onExchange,
}: MemoryRequestsOptions) {
  let count = 0;
  return async ({ method, path: target, headers, body }: MemoryRequest): Promise<Answer> => {
    const startedMs = clock.monotonic();
    count += 1;
    const [path = '/'] = target.split('?', 1);
    const incoming: Incoming = {
      method,
      path,
      query: new URLSearchParams(target.slice(path.length)),
      headers,
      origin,
      requestId: `sim-${count.toString(16).padStart(8, '0')}`,
      body: (maxBytes) =>
        body.length > maxBytes ? Promise.reject(tooLarge(maxBytes)) : Promise.resolve(body),
    };
    const result = await answer(incoming).catch((error: unknown) =>
      errorAnswer(error, incoming.requestId, log),
    );
    onExchange({ incoming, body, answer: result, tookMs: clock.monotonic() - startedMs });
    return result;
  };
}
