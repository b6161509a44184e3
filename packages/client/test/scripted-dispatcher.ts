import type { HttpDispatcher, HttpHandler, HttpHeaders, HttpRequest } from '@virgule/client/rest';

/** An answer that comes whole. Neither `json` nor `text` is an empty body. */
export interface Reply {
  readonly status?: number;
  readonly headers?: HttpHeaders;
  readonly json?: unknown;
  readonly text?: string;
}

/**
 * The fate of a request instead of an answer: no connection; written, then reset; written, then silence; or
 * status and half a body, then reset.
 */
export type Mishap = 'unsent' | 'reset' | 'silence' | { readonly brokenAfter: number };

export interface ScriptedDispatcher extends HttpDispatcher {
  readonly requests: readonly HttpRequest[];
}

/** Answers requests without a network, each after the call that dispatches it returned. */
export function createScriptedDispatcher(
  script: (request: HttpRequest, index: number) => Reply | Mishap | Promise<Reply | Mishap>,
): ScriptedDispatcher {
  const requests: HttpRequest[] = [];
  return {
    requests,
    dispatch(request, handler) {
      requests.push(request);
      const index = requests.length - 1;
      void Promise.resolve()
        .then(() => script(request, index))
        .then((reply) => respond(handler, reply));
    },
  };
}

function respond(handler: HttpHandler, reply: Reply | Mishap): void {
  if (reply === 'unsent') {
    handler.onResponseError(undefined, failure('ECONNREFUSED'));
    return;
  }
  const controller = { abort: (reason: Error) => handler.onResponseError(controller, reason) };
  handler.onRequestStart(controller);
  if (reply === 'silence') return;
  if (reply === 'reset') {
    handler.onResponseError(controller, failure('ECONNRESET'));
    return;
  }
  if ('brokenAfter' in reply) {
    handler.onResponseStart(controller, reply.brokenAfter, {});
    handler.onResponseData(controller, Buffer.from('{"half":'));
    handler.onResponseError(controller, failure('ECONNRESET'));
    return;
  }
  const { status = 200, headers = {}, json, text = '' } = reply;
  handler.onResponseStart(controller, status, headers);
  handler.onResponseData(controller, Buffer.from(json === undefined ? text : JSON.stringify(json)));
  handler.onResponseEnd(controller);
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
