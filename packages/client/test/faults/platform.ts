import type { Socket } from 'node:net';
import {
  startScriptedServer,
  type ReceivedRequest,
  type Reply as ServerReply,
  type ScriptedServer,
} from '../scripted-server.js';
import { createRoutes, type Effects } from './platform-routes.js';

/** A request. Its path is without the prefix of the API. */
export type PlatformRequest = ReceivedRequest;

/** Response for the client; `normal` is the answer of the platform itself. */
export type Reply = 'normal' | ServerReply;

/** Effect of a request, and the fate of its answer. */
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

export interface Platform extends Pick<ScriptedServer, 'open' | 'connections' | 'close'> {
  /** Host and port. */
  readonly address: string;
  readonly requests: readonly PlatformRequest[];
  readonly effects: Effects;
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

  async function carryOut(received: ReceivedRequest, _index: number, socket: Socket) {
    const request = { ...received, path: received.path.replace(PREFIX, '') };
    const act = script(request, requests.push(request) - 1, socket) ?? normal;
    const answer = act.takesEffect ? routes.carryOut(request) : { status: 200 };
    await act.after;
    const reply = act.reply === 'normal' ? answer : act.reply;
    if (typeof reply === 'string' || 'raw' in reply || 'half' in reply) return reply;
    return { ...reply, headers: { date: new Date(now()).toUTCString(), ...reply.headers } };
  }

  const server = await startScriptedServer(carryOut, { keepAliveTimeout: 0 });
  return {
    address: server.url.replace('http://', ''),
    requests,
    effects: routes.effects,
    get open() {
      return server.open;
    },
    get connections() {
      return server.connections;
    },
    close: () => server.close(),
  };
}
