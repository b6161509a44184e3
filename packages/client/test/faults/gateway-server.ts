import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { ACK, COMMAND, HELLO, READY } from '../test-gateway.js';
import { readFixture } from '../read-fixture.js';

/** Answer to an upgrade. */
export type Upgrade =
  | 'grant'
  | 'stall'
  | 'reset'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Behavior of the server; normal where a rule is absent. */
export interface GatewayRules {
  readonly upgrade?: (index: number) => Upgrade;
  /** The socket is open. @defaultValue sends HELLO */
  readonly opened?: (peer: Peer) => void;
  /** IDENTIFY came. @defaultValue sends READY */
  readonly identified?: (peer: Peer) => void;
  /** A heartbeat came. @defaultValue answers it */
  readonly beat?: (peer: Peer, count: number) => void;
}

export interface GatewayServer {
  /** Host and port. */
  readonly address: string;
  /** Number of requested upgrades so far. */
  readonly upgrades: number;
  /** The requests of them. */
  readonly requests: readonly IncomingMessage[];
  /** Every socket that was granted, the oldest first. */
  readonly peers: readonly Peer[];
  /** The last of them. */
  readonly last: Peer;
  /** TCP connections that are open now. */
  readonly open: number;
  close(): Promise<void>;
}

const message = readFixture('assumed-frame-message-create') as { readonly d: object };
const command = COMMAND as { readonly d: object };

/** The server's end of one connection. */
export class Peer {
  readonly index: number;
  readonly socket: WebSocket;
  /** The TCP socket below it. */
  readonly stream: Socket;
  /** Every frame that came in. */
  readonly frames: { readonly op: string }[] = [];
  /** Ids of the events that were sent after READY. */
  readonly sent: string[] = [];
  #isReady = false;
  #beats = 0;

  constructor(index: number, socket: WebSocket, stream: Socket, rules: GatewayRules) {
    this.index = index;
    this.socket = socket;
    this.stream = stream;
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as { readonly op: string };
      this.frames.push(frame);
      const { op } = frame;
      if (op === 'IDENTIFY') (rules.identified ?? ((peer: Peer) => peer.ready()))(this);
      if (op !== 'HEARTBEAT') return;
      this.#beats += 1;
      (rules.beat ?? ((peer: Peer) => peer.send(ACK)))(this, this.#beats);
    });
  }

  /** `op` of every frame that came in. */
  get received(): readonly string[] {
    return this.frames.map(({ op }) => op);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** A text goes out as it is, anything else as JSON. */
  send(frame: unknown): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  ready(): void {
    this.#isReady = true;
    this.send(READY);
  }

  /** `fields` go into the payload. */
  message(id: string, fields: object = {}): void {
    this.#event('MESSAGE_CREATE', id, { ...message.d, ...fields, id });
  }

  command(id: string): void {
    this.#event('APPLICATION_COMMAND', id, { ...command.d, interactionId: id });
  }

  #event(t: string, id: string, d: object): void {
    if (this.#isReady) this.sent.push(id);
    this.send({ op: 'DISPATCH', t, d });
  }
}

/** A real gateway that a test controls. It is closed when the test ends. */
export async function startGatewayServer(rules: GatewayRules = {}): Promise<GatewayServer> {
  const streams = new Set<Socket>();
  const peers: Peer[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, clientTracking: false });
  server.on('connection', (stream: Socket) => {
    streams.add(stream);
    stream.on('close', () => streams.delete(stream));
    stream.on('error', () => {});
  });
  server.on('upgrade', (request: IncomingMessage, duplex, head) => {
    // Without TLS an upgraded connection is the TCP socket itself.
    const stream = duplex as Socket;
    const answer = rules.upgrade?.(requests.length) ?? 'grant';
    requests.push(request);
    if (answer === 'grant') {
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const peer = new Peer(peers.length, socket, stream, rules);
        peers.push(peer);
        (rules.opened ?? (() => peer.send(HELLO)))(peer);
      });
      return;
    }
    stream.resume().on('end', () => stream.destroy());
    if (answer === 'reset') stream.resetAndDestroy();
    if (typeof answer === 'string') return;
    const headers = Object.entries(answer.headers ?? {}).map(
      ([name, value]) => `${name}: ${value}`,
    );
    const lines = [`HTTP/1.1 ${answer.status} No`, 'content-length: 0', ...headers];
    stream.end(`${lines.join('\r\n')}\r\n\r\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = async (): Promise<void> => {
    for (const stream of streams) stream.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(close);
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    peers,
    requests,
    get upgrades() {
      return requests.length;
    },
    get last() {
      const peer = peers.at(-1);
      if (!peer) throw new Error('No client has connected.');
      return peer;
    },
    get open() {
      return streams.size;
    },
    close,
  };
}
