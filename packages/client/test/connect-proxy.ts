import { createServer as createHttpServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { HELLO, READY } from './test-gateway.js';

// For *.example.test, made for these tests and trusted by nothing.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqYfLwPmxEljubGae
HQBvKg9ewsMzUGeYET05wr7ek96hRANCAARd/9H/c5uSX50lN/IDKqU/7HrYpBGO
J5V2b8O/BLwvgRnn9JbT040Gzimc0HRv9Wyg9M6I7MLk/ZGwp+p68opD
-----END PRIVATE KEY-----`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBqDCCAVCgAwIBAgIUVMbcwyuzQBb7ZMEvlIXBpl2qWnowCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRY2hhdC5leGFtcGxlLnRlc3QwIBcNMjYxMTIyMjAyNzE4WhgP
MjEyNjEwMjkyMDI3MThaMBwxGjAYBgNVBAMMEWNoYXQuZXhhbXBsZS50ZXN0MFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEXf/R/3Obkl+dJTfyAyqlP+x62KQRjieV
dm/DvwS8L4EZ5/SW09ONBs4pnNB0b/VsoPTOiOzC5P2RsKfqevKKQ6NuMGwwHQYD
VR0OBBYEFP1edCeBZojOHkIVAcmDRnTXFsfeMB8GA1UdIwQYMBaAFP1edCeBZojO
HkIVAcmDRnTXFsfeMA8GA1UdEwEB/wQFMAMBAf8wGQYDVR0RBBIwEIIOKi5leGFt
cGxlLnRlc3QwCgYIKoZIzj0EAwIDRgAwQwIfTkaR0uwDGZ4UiEkvhjDZykgKzAzA
Up3hi/iIsrkDxgIgYhYFu1NiyQJQsbba/bQqh1itLh8vqjgBH2ZuUQsXogA=
-----END CERTIFICATE-----`;

/** One request that a server behind the proxy received. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly body: string;
}

/** The platform and a storage in one: it answers every request with what `answer` makes of its path. */
export interface HiddenPlatform {
  readonly port: number;
  readonly requests: readonly Arrived[];
  /** Upgrades that were granted. */
  readonly upgrades: readonly string[];
}

export async function startHiddenPlatform(
  answer: (path: string) => unknown,
  { isEncrypted = false } = {},
): Promise<HiddenPlatform> {
  const requests: Arrived[] = [];
  const upgrades: string[] = [];
  const server = isEncrypted ? createHttpsServer({ key, cert }) : createHttpServer();
  server.on('request', (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url: path = '', headers } = incoming;
      const body = Buffer.concat(chunks).toString();
      requests.push({ method, path, host: headers.host, body });
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(path)));
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { headers }) => {
    upgrades.push(headers.host ?? '');
    socket.send(JSON.stringify(HELLO));
    socket.on('message', () => socket.send(JSON.stringify(READY)));
  });
  return { port: await listen(server), requests, upgrades };
}

export interface ConnectProxy {
  readonly url: string;
  /** `host:port` of every CONNECT, in order. */
  readonly targets: readonly string[];
  /** Headers of every CONNECT. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Other requests; a tunnel has none. */
  readonly plain: readonly string[];
  /** Number of connections that clients have open to the proxy. */
  readonly clients: number;
}

/** A real proxy for CONNECT, which leads to `port` whatever it is asked for. `status` is what it answers. */
export async function startConnectProxy(
  port: number,
  status: 200 | 407 | 'silence' | 'silent-tunnel' | 'page' = 200,
): Promise<ConnectProxy> {
  const targets: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const plain: string[] = [];
  const open = new Set<Socket>();
  let clients = 0;
  const server = createHttpServer((request, response) => {
    plain.push(request.url ?? '');
    response.writeHead(400).end();
  });
  server.on('connection', (socket) => {
    clients += 1;
    socket.once('close', () => (clients -= 1));
  });
  server.on('connect', (request, client: Socket, head) => {
    targets.push(request.url ?? '');
    headers.push(request.headers);
    open.add(client);
    client.on('error', () => {});
    // It notices the end of the connection only while it reads.
    if (status.toString().startsWith('silen')) client.resume().once('end', () => client.destroy());
    if (status === 'silence') return;
    if (status === 'silent-tunnel' || status === 'page') {
      client.write(`HTTP/1.1 200 OK\r\n\r\n${status === 'page' ? '<html>' : ''}`);
      return;
    }
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      client.pipe(upstream).pipe(client);
    });
    open.add(upstream);
    upstream.on('error', () => client.destroy());
  });
  const proxyPort = await listen(server);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${proxyPort}`,
    targets,
    headers,
    plain,
    get clients() {
      return clients;
    },
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A listening TCP server has an address with a port.
  return (server.address() as AddressInfo).port;
}
