import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Simulator } from '../../src/index.js';
import { onTestFinished } from 'vitest';

/** The fault of one request. */
export interface Act {
  /** `true` if the simulator carries out the request. @defaultValue `true` */
  readonly takesEffect?: boolean;
  /** Result for the client instead of the answer of the simulator. */
  readonly reply?: Reply | 'reset' | 'stall' | undefined;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** @defaultValue no body */
  readonly body?: string | Buffer;
}

/** Returns the fault that answers a request instead of the simulator. */
export const answering = (
  status: number,
  body: object,
  headers?: Readonly<Record<string, string>>,
): Act => ({ takesEffect: false, reply: { status, headers, body: JSON.stringify(body) } });

/** Decides about a request, such as `GET /users/@me`, when it has arrived; a promise holds the request. */
export type Gate = (line: string) => Act | undefined | void | Promise<void>;

/**
 * A server in front of a simulator, for faults that depend on the request, which rules of the simulator do not:
 * answers on, cuts, holds and records requests.
 */
export async function openGate(
  simulator: Simulator,
  gate: Gate,
  onAnswer: (line: string, status: number | 'reset' | 'stall') => void = () => {},
) {
  const lines: string[] = [];
  let stalled = 0;

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers, socket } = incoming;
    const line = `${method} ${path.replace('/api/bot/v1', '')}`;
    lines.push(line);
    // A request is a stream of buffers.
    const body = Buffer.concat((await incoming.toArray()) as Buffer[]);
    const { takesEffect = true, reply: given } = (await gate(line)) ?? {};
    const answer: Reply = takesEffect
      ? await simulator.request({ method, path, headers, body })
      : { status: 500 };
    const reply = given ?? answer;
    onAnswer(line, typeof reply === 'string' ? reply : reply.status);
    if (reply === 'reset') {
      socket.resetAndDestroy();
    } else if (reply === 'stall') {
      stalled += 1;
      socket.once('close', () => void (stalled -= 1));
    } else {
      outgoing.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      outgoing.end(reply.body);
    }
  }

  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    /** The requests, in order. */
    lines,
    /** Number of waiting requests that are never answered. */
    get stalled(): number {
      return stalled;
    },
    close,
    /** Refuses connections, and cuts the open ones, until the returned function is called. */
    goAway(): () => Promise<void> {
      close();
      return () => listen(port);
    },
  };
}
