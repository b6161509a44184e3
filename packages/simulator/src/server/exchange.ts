import type { IncomingHttpHeaders } from 'node:http';

/** A request, free of the server that received it. */
export interface Incoming {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** `http://` and the host by which the caller reached us, for addresses in the answer. */
  readonly origin: string;
  readonly requestId: string;
  /**
   * Reads the whole body.
   *
   * @throws Refusal with status 413 when it has more than `maxBytes`.
   */
  body(maxBytes: number): Promise<Buffer>;
}

/** What goes back. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
    body: JSON.stringify(value),
  };
}

export function textAnswer(status: number, text: string): Answer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
    body: text,
  };
}

/** "No body": the status and nothing else. */
export function emptyAnswer(status = 200): Answer {
  return { status, headers: { 'cache-control': 'no-store' }, body: '' };
}
