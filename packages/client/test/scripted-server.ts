import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
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

/** Answer to a request. `text` is sent as it is, `json` as JSON; neither is an empty body. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string | Buffer;
  /** `true` if a 103 comes before the answer. */
  readonly hasEarlyHints?: boolean;
}

/**
 * An answer that fails: the connection is reset, is closed or stays silent; or these bytes come, or a status and half a
 * body, and then the same.
 */
export type Fault =
  | End
  | { readonly raw: string | Buffer; readonly end: End }
  | { readonly half: End; readonly status?: number };

type End = 'reset' | 'close' | 'stall';

export type Reply = Answer | Fault;

export interface ScriptedServer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** All requests so far. */
  readonly requests: readonly ReceivedRequest[];
  /** Connections that are open now. */
  readonly open: number;
  /** Number of connections so far. */
  readonly connections: number;
  close(): Promise<void>;
}

/** A real HTTP server that a test controls. It is closed when the test ends. */
export async function startScriptedServer(
  script: (request: ReceivedRequest, index: number, socket: Socket) => Reply | Promise<Reply>,
  options: ServerOptions = {},
): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(options, (incoming, response) => {
    onRequest(incoming, (request) => {
      const index = requests.push(request) - 1;
      const { socket } = incoming;
      void Promise.resolve(script(request, index, socket)).then((reply) =>
        respond(response, socket, reply),
      );
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get open() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    close,
  };
}

function respond(response: ServerResponse, socket: Socket, reply: Reply): void {
  if (typeof reply === 'string') {
    finish(socket, reply);
  } else if ('raw' in reply) {
    socket.write(reply.raw, () => finish(socket, reply.end));
  } else if ('half' in reply) {
    response.writeHead(reply.status ?? 200, { 'content-length': '100' });
    response.write('{"half":', () => finish(socket, reply.half));
  } else {
    sendAnswer(response, reply);
  }
}

function finish(socket: Socket, end: End): void {
  if (end === 'reset') socket.resetAndDestroy();
  if (end === 'close') socket.end();
}

/** Calls back once a request has arrived with its body. */
function onRequest(incoming: IncomingMessage, received: (request: ReceivedRequest) => void): void {
  const { method = '', url: path = '', headers } = incoming;
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const body = Buffer.concat(chunks);
    received({ method, path, headers, body, json: parse(body) });
  });
}

function sendAnswer(response: ServerResponse, answer: Answer): void {
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
