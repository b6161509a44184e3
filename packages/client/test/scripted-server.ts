import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as JSON, or `undefined` when there is none. */
  readonly json: unknown;
}

/** How a request is answered. `text` is sent as it is, `json` as JSON; neither is an empty body. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string | Buffer;
  /** Whether a 103 comes before it. */
  readonly hasEarlyHints?: boolean;
}

/**
 * What can go wrong: the connection is reset before any answer; no answer ever comes; status and
 * half a body come, then a reset; or then nothing more.
 */
export type Fault =
  | 'reset'
  | 'stall'
  | { readonly half: 'reset' | 'stall'; readonly status?: number };

export type Script = (
  request: ReceivedRequest,
  index: number,
) => Answer | Fault | Promise<Answer | Fault>;

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Everything that was asked so far. */
  readonly requests: readonly ReceivedRequest[];
}

/** A real HTTP server that a test controls. It is closed when the test ends. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    onRequest(incoming, (request) => {
      const index = requests.push(request) - 1;
      void Promise.resolve(script(request, index)).then((answer) => respond(response, answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

function respond(response: ServerResponse, answer: Answer | Fault): void {
  if (answer === 'stall') return;
  if (answer === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if ('half' in answer) {
    response.writeHead(answer.status ?? 200, { 'content-length': '100' });
    response.write('{"half":', () => {
      if (answer.half === 'reset') response.socket?.resetAndDestroy();
    });
    return;
  }
  sendAnswer(response, answer);
}

/** Calls back once a request has arrived with its body. */
export function onRequest(
  incoming: IncomingMessage,
  received: (request: ReceivedRequest) => void,
): void {
  const { method = '', url: path = '', headers } = incoming;
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    received({ method, path, headers, body, json: parse(body) });
  });
}

export function sendAnswer(response: ServerResponse, answer: Answer): void {
  const { status = 200, headers = {}, json, text, hasEarlyHints = false } = answer;
  if (hasEarlyHints) response.writeEarlyHints({ link: '</a.css>; rel=preload' });
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(json === undefined ? text : JSON.stringify(json));
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
