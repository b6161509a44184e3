import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from '@virgule/core/log';
import { tooLarge } from '../world/refusal.js';
import type { Answer, Incoming } from './exchange.js';
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

/** Returns a function that answers requests of this process as the HTTP server answers those of others. */
export function createMemoryRequests(
  origin: string,
  answer: (incoming: Incoming) => Promise<Answer>,
  log: Log,
) {
  let count = 0;
  return async ({ method, path: target, headers, body }: MemoryRequest): Promise<Answer> => {
    count += 1;
    const [path = '/'] = target.split('?', 1);
    const incoming: Incoming = {
      method,
      path,
      query: new URLSearchParams(target.slice(path.length)),
      headers,
      origin,
      requestId: `sim-${count.toString(16).padStart(8, '0')}`,
      body: (maxBytes) => {
        if (body.length > maxBytes) throw tooLarge(maxBytes);
        return Promise.resolve(body);
      },
    };
    try {
      return await answer(incoming);
    } catch (error) {
      return errorAnswer(error, incoming.requestId, log);
    }
  };
}
