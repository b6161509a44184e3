import type { IncomingHttpHeaders } from 'node:http';
import type { StoredFile } from '../world/attachments.js';

/** A request of HTTP or of this process. */
export interface Incoming {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** `http://` and the `Host` of the request, for URLs in the response. */
  readonly origin: string;
  readonly requestId: string;
  /** Reads the whole body. @throws Refusal with status 413 if the body is larger than `maxBytes`. */
  body(maxBytes: number): Promise<Buffer>;
}

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Fault: no response (`hang`), or a broken connection before (`cut`) or within the response. */
  readonly wire?: 'cut' | 'hang' | 'cut-within' | undefined;
}

/** A request with its response. */
export interface Exchange {
  readonly incoming: Incoming;
  /** Absent if the body was not read. */
  readonly body: Buffer | undefined;
  readonly answer: Answer;
  /** Time until the response was known, in milliseconds. */
  readonly tookMs: number;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

export const jsonAnswer = (status: number, value: unknown): Answer => ({
  status,
  headers: JSON_HEADERS,
  body: JSON.stringify(value),
});

export const textAnswer = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

export const emptyAnswer = (status = 200): Answer => ({ status, headers: {}, body: '' });

const CONTENT_TYPE = /^[\w.+-]+\/[\w.+-]+(; ?charset=[\w-]+)?$/;

/** Returns a response with an uploaded file, which browsers must not run in this origin or show as a page. */
export function downloadAnswer({ attachment, bytes }: StoredFile): Answer {
  const { fileName, contentType } = attachment;
  return {
    status: 200,
    headers: {
      'content-type': CONTENT_TYPE.test(contentType) ? contentType : 'application/octet-stream',
      'content-disposition': `attachment; filename*=UTF-8''${encodeFileName(fileName)}`,
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: bytes,
  };
}

/** Encodes a file name by RFC 8187, `'()*` included. Lone surrogates, which encodeURIComponent rejects, are replaced. */
function encodeFileName(fileName: string): string {
  return encodeURIComponent(Buffer.from(fileName).toString()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
