import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { hostOf, isLoopback } from '@virgule/core/net';
import type { Registry } from 'prom-client';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { HealthAddress } from './health-address.js';
import { judgeVitals, type Vitals } from './vitals.js';

/** Parts of a bot that are missing now, other than its connection: one line for each part. */
export interface Readiness {
  readonly reasons: readonly string[];
  /** Missing parts without which the bot still works in part. */
  readonly degraded: readonly string[];
}

interface HealthServerOptions extends HealthAddress {
  readonly vitals: () => Vitals;
  /** Reads the missing parts of the bot, other than its connection. @defaultValue no parts are checked */
  readonly readiness?: (() => Promise<Readiness>) | undefined;
  /** Registry of the metrics; `undefined` if the library of the metrics is not installed. */
  readonly metrics: Pick<Registry, 'contentType' | 'metrics'> | undefined;
  /** Time in which a request must arrive completely, in milliseconds. @defaultValue `2_000` */
  readonly requestTimeoutMs?: number | undefined;
}

/** Time in which a request must arrive completely, in milliseconds. A probe sends its request at once. */
const REQUEST_TIMEOUT_MS = 2_000;
/** Maximum number of connections, so that requests which never arrive do not take all sockets of the process. */
const MAX_CONNECTIONS = 1_000;
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/**
 * Serves `/healthz`, `/readyz` and `/metrics` until `close`, which frees the port at once.
 *
 * @throws VirguleError `E_HEALTH_LISTEN` when the server cannot listen.
 */
export async function startHealthServer(options: HealthServerOptions) {
  const { host, port, requestTimeoutMs = REQUEST_TIMEOUT_MS } = options;
  const timeouts = {
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: requestTimeoutMs / 2,
  };
  const server = createServer(timeouts, (request, response) => {
    void answer(request, response, options);
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(port, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code ?? cause.message;
    throw runtimeErrors.E_HEALTH_LISTEN({ kind: 'address', host, port, reason }, { cause });
  });
  // The address of a server that listens on a port is an `AddressInfo`.
  const bound = server.address() as AddressInfo;
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> =>
    (closing ??= new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }));
  return { url: `http://${inUrl(host)}:${bound.port}`, close, [Symbol.asyncDispose]: close };
}

async function answer(
  { headers, method, url = '/' }: IncomingMessage,
  response: ServerResponse,
  { host, vitals, readiness, metrics }: HealthServerOptions,
): Promise<void> {
  const send = (status: number, contentType: string, text: string): void => {
    response.writeHead(status, { 'content-type': contentType, 'cache-control': 'no-store' });
    response.end(method === 'HEAD' ? undefined : text);
  };
  const sendLine = (status: number, line: string): void =>
    send(status, 'text/plain; charset=utf-8', `${line}\n`);
  const sendJson = (status: number, body: object): void =>
    send(status, 'application/json', `${JSON.stringify(body)}\n`);

  if (!isKnownHost(headers.host ?? '', host))
    return sendLine(403, 'Unknown host name. Ask by IP address, or set --health 0.0.0.0:PORT.');
  if (method !== 'GET' && method !== 'HEAD') return sendLine(405, 'Only GET and HEAD.');
  const [path] = url.split('?');
  if (path === '/metrics') {
    if (!metrics) return sendLine(501, 'Install prom-client to serve metrics.');
    try {
      return send(200, metrics.contentType, await metrics.metrics());
    } catch {
      return sendLine(500, 'The metrics could not be collected.');
    }
  }
  if (path !== '/healthz' && path !== '/readyz')
    return sendLine(404, 'There are /healthz, /readyz and /metrics.');
  const now = vitals();
  const { healthy, ready, reasons } = judgeVitals(now);
  if (path === '/readyz') {
    const lacks = await readiness?.();
    const isReady = ready && !lacks?.reasons.length;
    return sendJson(isReady ? 200 : 503, {
      ready: isReady,
      phase: now.phase,
      ...(lacks?.reasons.length && { reasons: lacks.reasons }),
      ...(lacks?.degraded.length && { degraded: lacks.degraded }),
    });
  }
  return sendJson(healthy ? 200 : 503, {
    status: healthy ? 'ok' : 'failing',
    phase: now.phase,
    ready,
    readyAgeMs: rounded(now.readyAgeMs),
    ackAgeMs: rounded(now.ackAgeMs),
    notReadyForMs: rounded(now.notReadyForMs),
    breaker: now.openBreakers.length > 0 ? 'open' : 'closed',
    reasons,
  });
}

/**
 * Returns whether the `Host` header of a request names this server. Prevents DNS rebinding: a web page can send
 * requests to this machine by a host name that its author controls, but not by an address.
 */
function isKnownHost(header: string, host: string): boolean {
  const name = hostOf(header);
  // A server on all addresses has names in its network that this process does not know.
  return isLoopback(name) || EVERY_ADDRESS.has(host) || name === inUrl(host).toLowerCase();
}

const inUrl = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);
/** Returns a number for JSON, which has `null` for `NaN`. */
const rounded = (ms = Number.NaN): number => Math.round(ms);
