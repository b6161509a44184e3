import { buffer } from 'node:stream/consumers';
import type { HttpController, HttpDispatcher, HttpRequest } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { SIM_CAUSE_HEADER } from '@virgule/core/simulator-api';
import { API_PREFIX, ENDPOINTS } from '@virgule/core/protocol';
import type { Simulator } from '@virgule/simulator';
import type { ActivityRecords } from './activity-records.js';

export interface MemoryDispatcherOptions {
  readonly platform: Simulator;
  readonly clock: Clock;
  readonly records: ActivityRecords;
  /** Aborts requests that a fault delays. */
  readonly closing: AbortSignal;
  /** Signal after which no request is sent and no response arrives. */
  readonly killed: AbortSignal;
}

const PATTERNS = Object.values(ENDPOINTS).map(({ name, method, api, path }) => ({
  name,
  method,
  path: new RegExp(`^${API_PREFIX[api]}${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** Sends the requests of a REST client to a simulator in this process, without a network. */
export function createMemoryDispatcher(options: MemoryDispatcherOptions): HttpDispatcher {
  const { platform, clock, records, closing, killed } = options;

  return {
    dispatch(request, handler) {
      let isOver = false;
      const controller: HttpController = {
        abort(error) {
          if (isOver) return;
          isOver = true;
          handler.onResponseError(controller, error);
        },
      };
      serve(request).catch((error: unknown) => controller.abort(error as Error));

      async function serve({ method, path: whole, headers, body: sent }: HttpRequest) {
        const [path = ''] = whole.split('?', 1);
        const endpoint = PATTERNS.find((each) => each.method === method && each.path.test(path));
        const record = records.of(path);
        const atMs = record ? clock.monotonic() - record.startMs : 0;
        // The client must not be called before `dispatch` has returned.
        await Promise.resolve();
        if (killed.aborted || isOver) return;
        handler.onRequestStart(controller);
        if (isOver) return;
        const body = await bytesOf(sent);
        const read = { method, path, body: jsonOf(headers, body), status: undefined, atMs };
        const call = { endpoint: endpoint?.name, ...read };
        const index = record ? record.calls.push(call) - 1 : -1;
        const named = { ...headers, [SIM_CAUSE_HEADER]: record?.cause };
        const target = { method, path: whole, headers: named, body };
        const answer = await raceAbort(platform.request(target), closing);
        const { status, wire } = answer;
        if (record && wire === undefined) record.calls[index] = { ...call, status };
        if (wire === 'hang') await raceAbort(new Promise(() => {}), closing);
        if (killed.aborted || isOver) return;
        if (wire !== 'cut') handler.onResponseStart(controller, status, answer.headers);
        if (wire !== undefined)
          throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        isOver = true;
        if (answer.body.length > 0) handler.onResponseData(controller, Buffer.from(answer.body));
        handler.onResponseEnd(controller);
      }
    },
  };
}

async function bytesOf(body: HttpRequest['body']): Promise<Buffer> {
  const isInMemory = body === null || typeof body === 'string' || body instanceof Uint8Array;
  return isInMemory ? Buffer.from(body ?? '') : buffer(body);
}

function jsonOf(headers: HttpRequest['headers'], body: Buffer): unknown {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return isJson && body.length > 0 ? JSON.parse(body.toString()) : undefined;
}
