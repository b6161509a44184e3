import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { WebSocketServer, type WebSocket } from 'ws';
import { Refusal } from '../world/refusal.js';
import type { AccessKey } from './access-key.js';
import type { Answer, Incoming } from './exchange.js';
import { foreignRequest } from './guard.js';
import { readBody } from './read-body.js';
import { errorAnswer, refusalAnswer } from './refusal-answer.js';

/** The largest WebSocket frame that anyone may send us, in bytes. */
const FRAME_MAX_BYTES = 64 * 1024;

/** Longer than clients keep idle connections, so that they close them and not we under a request. */
const KEEP_ALIVE_MS = 65_000;

export interface HttpShellOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** A name in `Host` that is good beside the loopback ones. */
  readonly extraHost?: string | undefined;
  /** Asks requests from elsewhere for a key. Then any name in `Host` is good. */
  readonly access?: AccessKey | undefined;
  /** Answers a request; what it throws becomes an error body. */
  readonly answer: (incoming: Incoming) => Promise<Answer>;
  /** Takes the WebSockets and what they are written to, by path. */
  readonly sockets: Readonly<Record<string, (socket: WebSocket, wire: Socket) => void>>;
}

export interface HttpShell {
  readonly server: Server;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
}

/** The one place that touches node:http and ws: guards, reads, writes, upgrades. */
export function createHttpShell(options: HttpShellOptions): HttpShell {
  const { clock, log, access, answer, sockets } = options;
  const extraHost = access ? '*' : options.extraHost;
  const upgrades = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_MAX_BYTES,
    perMessageDeflate: false,
  });
  const upgraded = new Map<Socket, WebSocket>();
  let requestCount = 0;

  async function handle(request: IncomingMessage): Promise<Answer> {
    const startedMs = clock.monotonic();
    requestCount += 1;
    const incoming = toIncoming(request, requestCount);
    const { requestId, method, path } = incoming;
    const result = await answerSafely(request, incoming);
    // The path of a file is the key to it.
    const logged = path.startsWith('/_files/') ? '/_files/…' : path;
    const tookMs = clock.monotonic() - startedMs;
    log.debug({ requestId, method, path: logged, status: result.status, tookMs }, 'request');
    return result;
  }

  async function answerSafely(request: IncomingMessage, incoming: Incoming): Promise<Answer> {
    try {
      const foreign = foreignRequest(request.headers, extraHost);
      if (foreign !== undefined) throw foreign;
      const admitted = access?.admit(request);
      if (admitted !== undefined) return admitted;
      const refused = access?.refuse(request);
      if (refused !== undefined) throw refused;
      if (Object.hasOwn(sockets, incoming.path)) {
        throw new Refusal(426, 'sim_upgrade_required', `${incoming.path} is a WebSocket.`);
      }
      return await answer(incoming);
    } catch (error) {
      return errorAnswer(error, incoming.requestId, log);
    }
  }

  const server = createServer((request, response) => {
    void handle(request).then(({ status, headers, body }) => {
      response.writeHead(status, {
        'content-length': String(Buffer.byteLength(body)),
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        // Keys that follow a spread are set one by one, which takes V8 many times as long.
        ...headers,
      });
      response.end(request.method === 'HEAD' ? undefined : body);
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  server.on('upgrade', (request, socket: Socket, head) => {
    const path = pathOf(request);
    const accept = Object.hasOwn(sockets, path) ? sockets[path] : undefined;
    const refusal =
      foreignRequest(request.headers, extraHost) ??
      access?.refuse(request) ??
      (accept === undefined
        ? new Refusal(404, 'sim_not_implemented', `${path} is no WebSocket.`)
        : undefined);
    if (refusal !== undefined || accept === undefined) {
      log.warn({ path, status: refusal?.status }, 'a WebSocket was refused');
      refuseUpgrade(socket, refusal);
      return;
    }
    upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      // ws reports a broken or oversized frame here and closes the socket by itself.
      webSocket.on('error', () => {});
      upgraded.set(socket, webSocket);
      socket.on('close', () => upgraded.delete(socket));
      accept(webSocket, socket);
    });
  });

  return {
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const [socket, webSocket] of upgraded) {
          // Lets a close frame that was just written out, but waits for nobody's answer.
          if (webSocket.bufferedAmount === 0) socket.destroySoon();
          else webSocket.terminate();
        }
      }),
  };
}

function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0] ?? '/';
}

function toIncoming(request: IncomingMessage, count: number): Incoming {
  const { method = 'GET', headers, url = '/' } = request;
  const path = pathOf(request);
  return {
    method,
    path,
    query: new URLSearchParams(url.slice(path.length)),
    headers,
    origin: `http://${headers.host ?? ''}`,
    requestId: `sim-${count.toString(16).padStart(8, '0')}`,
    body: (maxBytes) => readBody(request, maxBytes),
  };
}

/** Answers an upgrade that is not wanted, on the bare socket. */
function refuseUpgrade(socket: Socket, refusal: Refusal | undefined): void {
  socket.on('error', () => {});
  const { status, body } = refusal ? refusalAnswer(refusal, '') : { status: 404, body: '' };
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body.toString(),
    ].join('\r\n'),
  );
}
