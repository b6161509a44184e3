import { buffer } from 'node:stream/consumers';
import type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpRequest,
} from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { SIM_CAUSE_HEADER } from '@virgule/core/simulator-api';
import { API_PREFIX, ENDPOINTS } from '@virgule/core/protocol';
import type { Answer, Simulator } from '@virgule/simulator';
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

  async function serve(request: HttpRequest, exchange: MemoryExchange): Promise<void> {
    const { method, headers } = request;
    const [path = ''] = request.path.split('?', 1);
    const endpoint = PATTERNS.find((each) => each.method === method && each.path.test(path))?.name;
    const record = records.of(path);
    const atMs = record ? clock.monotonic() - record.startMs : 0;
    // The client must not be called before `dispatch` has returned.
    await Promise.resolve();
    if (killed.aborted || !exchange.start()) return;
    const body = await bytesOf(request.body);
    const call = { endpoint, method, path, body: jsonOf(headers, body), status: undefined, atMs };
    const index = record ? record.calls.push(call) - 1 : -1;
    const named = { ...headers, [SIM_CAUSE_HEADER]: record?.cause };
    const target = { method, path: request.path, headers: named, body };
    const answer = await raceAbort(platform.request(target), closing);
    const { status, wire } = answer;
    if (record && wire === undefined) record.calls[index] = { ...call, status };
    if (wire === 'hang') await raceAbort(new Promise(() => {}), closing);
    if (!killed.aborted) exchange.respond(answer);
  }
  return {
    dispatch(request, handler) {
      const exchange = new MemoryExchange(handler);
      serve(request, exchange).catch((error: unknown) => exchange.abort(error as Error));
    },
  };
}

/** Exchange of one request, until its handler has the response or an error. */
class MemoryExchange implements HttpController {
  readonly #handler: HttpHandler;
  #isOver = false;

  constructor(handler: HttpHandler) {
    this.#handler = handler;
  }

  abort(error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onResponseError(this, error);
  }

  /** @returns false if the request was aborted before. */
  start(): boolean {
    if (!this.#isOver) this.#handler.onRequestStart(this);
    return !this.#isOver;
  }

  respond({ status, headers, body, wire }: Answer): void {
    if (this.#isOver) return;
    if (wire !== 'cut') this.#handler.onResponseStart(this, status, headers);
    if (wire !== undefined)
      return this.abort(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    this.#isOver = true;
    if (body.length > 0) this.#handler.onResponseData(this, Buffer.from(body));
    this.#handler.onResponseEnd(this);
  }
}

async function bytesOf(body: HttpRequest['body']): Promise<Buffer> {
  const isInMemory = body === null || typeof body === 'string' || body instanceof Uint8Array;
  return isInMemory ? Buffer.from(body ?? '') : buffer(body);
}

function jsonOf(headers: HttpRequest['headers'], body: Buffer): unknown {
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  return isJson && body.length > 0 ? JSON.parse(body.toString()) : undefined;
}
