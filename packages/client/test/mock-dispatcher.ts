import type { MockAgent } from 'undici';
import type { HttpController, HttpDispatcher } from '@virgule/client/rest';

/** Adapts undici's `MockPool`: it calls the older names of the handler's methods, with headers as a flat list. */
export function mockDispatcher(pool: ReturnType<MockAgent['get']>): HttpDispatcher {
  return {
    dispatch(request, handler) {
      let controller: HttpController | undefined;
      const current = (): HttpController => controller ?? { abort: () => {} };
      return pool.dispatch(request, {
        onConnect(abort) {
          controller = { abort };
          handler.onRequestStart(controller);
        },
        onHeaders(statusCode, flat) {
          const headers: Record<string, string> = {};
          for (let index = 0; index + 1 < flat.length; index += 2) {
            headers[String(flat[index]).toLowerCase()] = String(flat[index + 1]);
          }
          handler.onResponseStart(current(), statusCode, headers);
          return true;
        },
        onData(chunk) {
          handler.onResponseData(current(), chunk);
          return true;
        },
        onComplete: () => handler.onResponseEnd(current()),
        onError: (error) => handler.onResponseError(controller, error),
      });
    },
  };
}
