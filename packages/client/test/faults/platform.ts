import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { onRequest, sendAnswer, type Answer, type ReceivedRequest } from '../scripted-server.js';
import { createRoutes, type Effects } from './platform-routes.js';

/** A request. Its path is without the prefix of the API. */
export type PlatformRequest = ReceivedRequest;

/** What the client gets to see. */
export type Reply =
  /** What the platform answers of its own. */
  | 'normal'
  /** The connection is reset; is closed; stays silent. */
  | 'reset'
  | 'close'
  | 'stall'
  | Answer
  /** These bytes, as they are, and what comes after them. */
  | { readonly raw: string | Buffer; readonly end: 'reset' | 'close' | 'stall' };

/** Whether a request takes effect, and what happens to its answer. */
export interface Act {
  readonly takesEffect: boolean;
  readonly reply: Reply;
  /** The reply waits for this. */
  readonly after?: Promise<unknown>;
}

/** The request is carried out and answered. */
export const normal: Act = { takesEffect: true, reply: 'normal' };

/** The request is carried out, and its answer does not get through. */
export const lost = (reply: Reply): Act => ({ takesEffect: true, reply });

/** The request is not carried out. */
export const refused = (reply: Reply): Act => ({ takesEffect: false, reply });

export interface Platform {
  /** Host and port. */
  readonly address: string;
  readonly requests: readonly PlatformRequest[];
  readonly effects: Effects;
  /** Connections that are open now. */
  readonly open: number;
  /** Connections that came in so far. */
  readonly connections: number;
  close(): Promise<void>;
}

export type PlatformScript = (
  request: PlatformRequest,
  index: number,
  socket: Socket,
) => Act | undefined;

const PREFIX = '/api/bot/v1';

/**
 * A real HTTP server that behaves as the platform does, keeps count of what took effect, and fails
 * where the script says so. It is closed when the test ends.
 */
export async function startPlatform(
  script: PlatformScript = () => normal,
  now: () => number = () => Date.UTC(2026, 0, 1),
): Promise<Platform> {
  const requests: PlatformRequest[] = [];
  const routes = createRoutes(now);
  const sockets = new Set<Socket>();
  let connections = 0;

  function carryOut(request: PlatformRequest, response: ServerResponse, socket: Socket): void {
    const act = script(request, requests.push(request) - 1, socket) ?? normal;
    const answer = act.takesEffect ? routes.carryOut(request) : { status: 200 };
    response.setHeader('date', new Date(now()).toUTCString());
    const answerNow = (): void =>
      reply(act.reply === 'normal' ? answer : act.reply, response, socket);
    if (act.after) void act.after.then(answerNow);
    else answerNow();
  }

  const server = createServer({ keepAliveTimeout: 0 }, (incoming, response) => {
    onRequest(incoming, ({ path, ...request }) =>
      carryOut({ ...request, path: path.replace(PREFIX, '') }, response, incoming.socket),
    );
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
    address: `127.0.0.1:${port}`,
    requests,
    effects: routes.effects,
    get open() {
      return sockets.size;
    },
    get connections() {
      return connections;
    },
    close,
  };
}

function reply(what: Exclude<Reply, 'normal'>, response: ServerResponse, socket: Socket): void {
  if (what === 'stall') return;
  if (what === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  if (what === 'close') {
    socket.end();
    return;
  }
  if ('raw' in what) {
    socket.write(what.raw, () => {
      if (what.end === 'reset') socket.resetAndDestroy();
      if (what.end === 'close') socket.end();
    });
    return;
  }
  sendAnswer(response, what);
}
