/** A received request. */
export interface PlatformRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/**
 * Parses the requests of a connection: the part of HTTP/1.1 for clients that send `Content-Length` and only
 * single-byte characters, as the bots here do.
 */
export class HttpRequests {
  #rest = '';

  /** Yields the requests that are complete, in order. */
  *take(chunk: Buffer): Generator<PlatformRequest> {
    let text = this.#rest + chunk.toString('latin1');
    for (;;) {
      const headEnd = text.indexOf(HEAD_END);
      if (headEnd < 0) break;
      const head = text.slice(0, headEnd);
      const bodyStart = headEnd + HEAD_END.length;
      const bodyEnd = bodyStart + contentLength(head);
      if (text.length < bodyEnd) break;
      const methodEnd = head.indexOf(' ');
      yield {
        method: head.slice(0, methodEnd),
        path: head.slice(methodEnd + 1, head.indexOf(' ', methodEnd + 1)),
        head,
        body: text.slice(bodyStart, bodyEnd),
      };
      text = text.slice(bodyEnd);
    }
    this.#rest = text;
  }
}

function contentLength(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  return length === undefined ? 0 : Number(length);
}

/** Returns the value of a header, or an empty string. */
export function headerOf(head: string, name: string): string {
  const lowered = head.toLowerCase();
  const start = lowered.indexOf(`\r\n${name}:`);
  if (start < 0) return '';
  const end = lowered.indexOf('\r\n', start + 2);
  return head.slice(start + name.length + 3, end < 0 ? undefined : end).trim();
}

/** Returns an HTTP response with a JSON body of ASCII characters. */
export function jsonAnswer(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** HTTP responses without a body. */
export const OK_EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
export const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';
