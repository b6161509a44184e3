import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';

/** How an upgrade is answered: granted, with a status, or never. */
export type Upgrade = 'grant' | 'stall' | number;

export interface GatewayScript {
  readonly upgrade?: (index: number) => Upgrade;
  /** A connection came in. */
  readonly connected?: (socket: WebSocket, index: number) => void;
  /** A frame came in, parsed. */
  readonly received?: (
    frame: { op: string; d?: unknown },
    socket: WebSocket,
    index: number,
  ) => void;
}

export interface ScriptedGateway {
  /** `ws://127.0.0.1:<port>` */
  readonly url: string;
  /** Path of every upgrade that was asked for. */
  readonly upgrades: readonly string[];
  /** Extensions every upgrade offered. */
  readonly extensions: readonly (string | undefined)[];
  /** Sockets that are open now. */
  readonly open: ReadonlySet<WebSocket>;
}

/** A real WebSocket server that does as it is told. It is closed when the test ends. */
export async function startScriptedGateway(script: GatewayScript): Promise<ScriptedGateway> {
  const upgrades: string[] = [];
  const extensions: (string | undefined)[] = [];
  const server = createServer();
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: true });
  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    const index = upgrades.push(request.url ?? '') - 1;
    extensions.push(request.headers['sec-websocket-extensions']);
    const answer = script.upgrade?.(index) ?? 'grant';
    onTestFinished(() => void stream.destroy());
    if (answer === 'stall') return;
    if (answer !== 'grant') {
      stream.end(`HTTP/1.1 ${answer} No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      socket.on('error', () => {});
      socket.on('message', (data: Buffer) => {
        script.received?.(JSON.parse(data.toString('utf8')), socket, index);
      });
      script.connected?.(socket, index);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, upgrades, extensions, open: sockets.clients };
}
