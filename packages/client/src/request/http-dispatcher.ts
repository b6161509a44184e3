import type { Readable } from 'node:stream';
import type { HttpMethod } from '@virgule/core/protocol';

/** Headers of an answer, names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** One request, complete. */
export interface HttpRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: HttpMethod;
  readonly headers: Record<string, string>;
  /** A stream for a file that is uploaded. */
  readonly body: string | Uint8Array | Readable | null;
  /** Always 0: this client's own clock ends a request that takes too long. */
  readonly headersTimeout: 0;
  /** Always 0, as above. */
  readonly bodyTimeout: 0;
}

/** Cancels a request in flight. */
export interface HttpController {
  abort(reason: Error): void;
}

/** What happens to a request, in this order. `onResponseError` can come at any point and is the last. */
export interface HttpHandler {
  /** The request is about to be written to a connection. Before this, nothing has left this machine. */
  onRequestStart(controller: HttpController): void;
  onResponseStart(controller: HttpController, statusCode: number, headers: HttpHeaders): void;
  onResponseData(controller: HttpController, chunk: Uint8Array): void;
  onResponseEnd(controller: HttpController): void;
  onResponseError(controller: HttpController | undefined, error: Error): void;
}

/** Sends requests. A `Pool`, `Client` or `Agent` of undici 7 fits. */
export interface HttpDispatcher {
  dispatch(request: HttpRequest, handler: HttpHandler): unknown;
}
