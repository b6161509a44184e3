import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo, Socket } from 'node:net';
import { errorCode } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { WebSocket, WebSocketServer } from 'ws';
import { simulatorErrors } from '../simulator/simulator-errors.js';
import { Refusal, tooLarge } from '../world/refusal.js';
import type { Answer, Incoming } from './exchange.js';
import { foreignRequest } from './guard.js';
import { pathOf, refusalAnswer, type Serve } from './serve.js';

const require = createRequire(import.meta.url);

/** Maximum size of a received WebSocket frame, in bytes. */
const MAX_FRAME_BYTES = 64 * 1024;

/** Time until an idle connection closes, in milliseconds: longer than that of clients, who would lose a request. */
const KEEP_ALIVE_MS = 65_000;

interface HttpShellOptions {
  readonly log: Log;
  /** A name that `Host` may have in addition to the loopback names. */
  readonly extraHost?: string | undefined;
  readonly serve: Serve;
  /** Returns the response to a request, or throws an error, which is sent as an error body. */
  readonly answer: (incoming: Incoming) => Promise<Answer>;
  /** Returns the response to a rejected WebSocket connection. @defaultValue accepts all */
  readonly refuse?: ((path: string) => Refusal | 'cut' | undefined) | undefined;
  /** Receives WebSockets and their underlying sockets, by path. */
  readonly sockets: Readonly<Record<string, (socket: WebSocket, wire: Socket) => void>>;
}

/** Creates the HTTP server. No other module uses node:http and ws. */
export function createHttpShell(options: HttpShellOptions) {
  const { log, extraHost, serve, answer, sockets } = options;
  /** Loaded by the first socket: a private simulator has none. */
  let upgrades: WebSocketServer | undefined;
  const upgraded = new Map<Socket, WebSocket>();

  async function answerAllowed(request: IncomingMessage, incoming: Incoming): Promise<Answer> {
    const foreign = foreignRequest(request.headers, extraHost);
    if (foreign !== undefined) throw foreign;
    if (!Object.hasOwn(sockets, incoming.path)) return answer(incoming);
    const message = `${incoming.path} accepts only WebSocket connections.`;
    throw new Refusal(426, 'sim_upgrade_required', message);
  }

  const server = createServer((request, response) => {
    const { method, url, headers: given } = request;
    const origin = `http://${given.host ?? ''}`;
    const read = (maxBytes: number): Promise<Buffer> => readBody(request, maxBytes);
    void serve({ method, url, headers: given, origin, read }, (incoming) =>
      answerAllowed(request, incoming),
    ).then(({ status, headers, body, wire }) => {
      if (wire === 'hang') return;
      if (wire === 'cut') return void request.socket.destroy();
      const length = Buffer.byteLength(body);
      response.writeHead(status, {
        'content-length': String(length),
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
        // The spread comes last: V8 sets keys after a spread one by one, which is many times slower.
        ...headers,
      });
      if (wire === 'cut-within') {
        response.write(body.slice(0, body.length / 2), () => request.socket.destroy());
        return;
      }
      // ASCII is written faster as Latin-1.
      const isAscii = typeof body === 'string' && length === body.length;
      if (request.method === 'HEAD') response.end();
      else response.end(body, isAscii ? 'latin1' : 'utf8');
    });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  server.on('upgrade', (request, socket: Socket, head) => {
    const path = pathOf(request.url);
    const accept = Object.hasOwn(sockets, path) ? sockets[path] : undefined;
    const refusal =
      foreignRequest(request.headers, extraHost) ??
      // Checked after the others, because a refused socket uses up a fault.
      options.refuse?.(path) ??
      (accept === undefined
        ? new Refusal(404, 'sim_not_implemented', `${path} does not accept WebSocket connections.`)
        : undefined);
    if (refusal === 'cut') return void socket.destroy();
    if (refusal !== undefined) {
      log.warn({ path, status: refusal.status }, 'rejected a WebSocket connection');
      return refuseUpgrade(socket, refusal);
    }
    upgrades ??= createUpgrades();
    upgrades.handleUpgrade(request, socket, head, (webSocket) => {
      // ws reports invalid and oversized frames here, and closes the socket itself.
      webSocket.on('error', () => {});
      upgraded.set(socket, webSocket);
      socket.on('close', () => upgraded.delete(socket));
      accept?.(webSocket, socket);
    });
  });

  return {
    server,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const [socket, webSocket] of upgraded) {
          // Sends a close frame that was just written, but does not wait for the answer of the peer.
          if (webSocket.bufferedAmount === 0) socket.destroySoon();
          else webSocket.terminate();
        }
      }),
  };
}

/** Loads ws. With `import`, Node.js would first parse its eight files for their names, which takes longer than running them. */
function createUpgrades(): WebSocketServer {
  const ws = require('ws') as { readonly WebSocketServer: typeof WebSocketServer };
  const options = { noServer: true, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false };
  return new ws.WebSocketServer(options);
}

function refuseUpgrade(socket: Socket, refusal: Refusal): void {
  socket.on('error', () => {});
  const { status, body } = refusalAnswer(refusal, '');
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

/** Binds the server. Resolves with its port. @throws VirguleError `E_PORT_BUSY`, `E_SIM_LISTEN`. */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    // The server listens on a port, so its address has one.
    return (server.address() as AddressInfo).port;
  } catch (cause) {
    throw errorCode(cause) === 'EADDRINUSE'
      ? simulatorErrors.E_PORT_BUSY({ port }, { cause })
      : simulatorErrors.E_SIM_LISTEN({ host, port }, { cause });
  }
}

/**
 * Reads the body of a request. A larger body is refused with 413, and read to its end: a client whose connection closes
 * during an upload would not receive the response.
 */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        request.removeAllListeners('data');
        request.resume();
        return reject(tooLarge(maxBytes));
      }
      chunks.push(chunk);
    });
    request.on('end', () => resolve(Buffer.concat(chunks, size)));
    request.on('close', () => {
      if (request.complete) return;
      const message = 'The connection was closed before the body was complete.';
      reject(new Refusal(400, 'sim_request_aborted', message));
    });
  });
}
