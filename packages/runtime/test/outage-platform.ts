import { randomUUID } from 'node:crypto';
import { createRest, type HttpDispatcher, type HttpHandler, type Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { BOT_USER, CHANNEL } from './ids.js';

/** Fault of each request: no connection, 503, no answer, or the answer of a server in front of the platform. */
export type Outage = 'refused' | 'unavailable' | 'silent' | keyof typeof FOREIGN;

/** Status and body of servers in front of the platform. */
const FOREIGN = {
  proxy: [521, 'error code: 521'],
  redirected: [302, ''],
  blocked: [403, 'error code: 1020'],
  unknown: [404, '404 page not found'],
} as const;

/**
 * One channel behind a real client without a network. Its faults are those of servers in front of the platform and last
 * for hours, so that the platform itself needs two endpoints only.
 */
export interface OutagePlatform {
  readonly rest: Rest;
  /** Contents of the channel's messages. */
  readonly sent: readonly string[];
  /** Number of received requests. */
  requests: number;
  /** Kind of the outage; `undefined` if there is none. */
  outage: Outage | undefined;
  /** Until when no message is allowed, by the clock's time; and how long a 429 says that this is. */
  limit: { readonly untilMs: number; readonly statesMs?: number } | undefined;
  /** A path that answers 503 while everything else works. */
  unavailablePath: string | undefined;
  /** `true` if the connection breaks after the next message has arrived. */
  losesNextAnswer: boolean;
}

export function createOutagePlatform(clock: Clock): OutagePlatform {
  const messages: { readonly id: string; readonly content: string }[] = [];
  const state: Omit<OutagePlatform, 'rest'> = {
    outage: undefined,
    limit: undefined,
    losesNextAnswer: false,
    unavailablePath: undefined,
    requests: 0,
    get sent() {
      return messages.map(({ content }) => content);
    },
  };

  function answer(handler: HttpHandler, status: number, body: unknown, headers = {}): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const controller = { abort: () => {} };
    handler.onRequestStart(controller);
    handler.onResponseStart(controller, status, headers);
    handler.onResponseData(controller, Buffer.from(text));
    handler.onResponseEnd(controller);
  }

  function fail(handler: HttpHandler, code: 'ECONNREFUSED' | 'ECONNRESET'): void {
    handler.onResponseError(undefined, Object.assign(new Error(code), { code }));
  }

  function add(content: string): object {
    const message = {
      id: randomUUID(),
      channelId: CHANNEL,
      authorId: BOT_USER,
      content,
      createdAt: new Date(clock.now()).toISOString(),
    };
    messages.unshift(message);
    return message;
  }

  const dispatcher: HttpDispatcher = {
    dispatch(request, handler) {
      state.requests += 1;
      void Promise.resolve().then(() => {
        if (state.outage === 'refused') return fail(handler, 'ECONNREFUSED');
        const isUnavailable =
          state.unavailablePath !== undefined && request.path.endsWith(state.unavailablePath);
        if (isUnavailable || state.outage === 'unavailable') return answer(handler, 503, {});
        const [status, body] = Object(FOREIGN)[state.outage ?? ''] ?? [];
        if (status) return answer(handler, status, body);
        const controller = {
          abort: (reason: Error) => handler.onResponseError(controller, reason),
        };
        if (state.outage === 'silent') return handler.onRequestStart(controller);
        if (request.path.endsWith('/users/@me'))
          return answer(handler, 200, {
            applicationId: BOT_USER,
            botUserId: BOT_USER,
            username: 'x',
            displayName: 'x',
          });
        if (request.method === 'GET')
          return answer(handler, 200, { messages, hasMore: false, oldestId: null });
        const limitMs = (state.limit?.untilMs ?? 0) - clock.now();
        if (limitMs > 0) {
          const seconds = Math.ceil((state.limit?.statesMs ?? limitMs) / 1_000);
          return answer(handler, 429, {}, { 'retry-after': String(seconds) });
        }
        // Only files are sent as anything else.
        const message = add(JSON.parse(request.body as string).content);
        if (!state.losesNextAnswer) return answer(handler, 200, message);
        state.losesNextAnswer = false;
        handler.onRequestStart(controller);
        return fail(handler, 'ECONNRESET');
      });
    },
  };
  const rest = createRest({
    token: 'token',
    baseUrl: 'https://chat.test',
    log: silentLog,
    clock,
    random: () => 0.5,
    dispatcher,
  });
  return Object.assign(state, { rest });
}
