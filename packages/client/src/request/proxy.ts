import { request as requestHttp, type ClientRequest } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Duplex } from 'node:stream';
import { isLoopbackUrl } from '@virgule/core/net';
import { orUndefined } from '@virgule/core/objects';
import { clientErrors } from '../errors/client-errors.js';

/** Option `proxy` of a client. */
export interface ProxyOptions {
  /**
   * HTTP proxy of all connections, `http://user:password@proxy.example.com:3128`, or `false` for none. Each connection
   * is a tunnel (CONNECT), so the proxy cannot read the contents of https and wss connections.
   *
   * @defaultValue `HTTPS_PROXY`, else `HTTP_PROXY`, for https and wss; `HTTP_PROXY` for http and ws; none for the hosts
   * in `NO_PROXY` and for this machine. Lower-case names of these variables are read first, as in curl
   */
  readonly proxy?: string | false | undefined;
}

/** Returns the proxy for an origin; `undefined` for a direct connection. */
export type FindProxy = (origin: string) => URL | undefined;

const SCHEMES = ['http:', 'https:'];

/**
 * Returns the function that finds the proxy of an origin.
 *
 * @throws VirguleError `E_BAD_ADDRESS` for a proxy that is not an http(s) address.
 */
export function resolveProxy(
  setting: string | false | undefined,
  env: Readonly<Record<string, string | undefined>> = process.env,
): FindProxy {
  if (setting === false) return () => undefined;
  if (setting !== undefined) {
    const proxy = readProxy(setting);
    return () => proxy;
  }
  // An empty variable counts as not set.
  const read = (name: string): string => env[name.toLowerCase()] || env[name] || '';
  const http = readProxy(read('HTTP_PROXY'));
  const https = readProxy(read('HTTPS_PROXY')) ?? http;
  const excluded = read('NO_PROXY')
    .split(/[\s,]+/)
    .filter(Boolean);
  return (origin) => {
    const { protocol } = new URL(origin);
    const proxy = protocol === 'https:' || protocol === 'wss:' ? https : http;
    return proxy && !isLoopbackUrl(origin) && !isExcluded(origin, excluded) ? proxy : undefined;
  };
}

/** Opens a tunnel and returns the CONNECT request; `done` is called once, with the socket or an error. */
export function openTunnel(
  proxy: URL,
  hostname: string,
  port: number,
  done: (error: Error | null, socket: Socket | null) => void,
): ClientRequest {
  const { protocol, username, password } = proxy;
  const host = `${hostname}:${port}`;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    method: 'CONNECT',
    host: withoutBrackets(proxy.hostname),
    port: proxy.port || (protocol === 'https:' ? 443 : 80),
    path: host,
    headers: {
      host,
      ...(username !== '' && {
        'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
      }),
    },
    agent: false,
  });
  request.once('connect', ({ statusCode }, socket: Socket, head: Buffer) => {
    // In HTTP and TLS the client sends first, so early data comes from the proxy.
    const page = head.byteLength > 0 ? ' with a page' : '';
    if (statusCode === 200 && page === '') return done(null, socket);
    socket.destroy();
    done(new Error(`the proxy ${proxy.host} answered ${statusCode}${page}`), null);
  });
  request.once('error', (error: Error & { readonly code?: unknown }) => {
    // A proxy that echoes the request sends its password back.
    Reflect.deleteProperty(error, 'rawPacket');
    const reason = typeof error.code === 'string' ? error.code : error.message;
    done(new Error(`the proxy ${proxy.host}: ${reason}`, { cause: error }), null);
  });
  request.end();
  return request;
}

/** Function that opens the connection of one request of `node:http`, as its option `createConnection`. */
export type CreateConnection = (
  options: {
    readonly host?: string | null | undefined;
    readonly port?: number | string | null | undefined;
  },
  onCreate: (error: Error | null, socket: Duplex) => void,
) => undefined;

/** Like `CreateConnection`, but returns the request to the proxy, which the caller destroys to cancel. */
export type OpenTunnel = (...given: Parameters<CreateConnection>) => ClientRequest;

/** Returns a function that opens connections to an origin through its proxy; `undefined` for direct connections. */
export function tunnelTo(origin: string, findProxy: FindProxy): OpenTunnel | undefined {
  const proxy = findProxy(origin);
  if (!proxy) return undefined;
  const { protocol, hostname } = new URL(origin);
  const isEncrypted = protocol === 'wss:' || protocol === 'https:';
  return ({ port }, onCreate) =>
    openTunnel(proxy, hostname, Number(port), (error, socket) => {
      // The types of Node.js require a socket even with an error.
      if (!socket) return onCreate(error, undefined as never);
      const servername = withoutBrackets(hostname);
      onCreate(null, isEncrypted ? connectTls({ socket, servername }) : socket);
    });
}

function readProxy(value: string): URL | undefined {
  if (value === '') return undefined;
  // curl also accepts a proxy without a scheme.
  const url = value.includes('://') ? value : `http://${value}`;
  const seen = value.replace(/^([a-z\d+.-]+:\/\/)?.*@/is, '$1…@');
  const proxy = URL.canParse(url) ? new URL(url) : undefined;
  // A user name and a password are percent-encoded.
  const decode = (): string => decodeURIComponent(`${proxy?.username}:${proxy?.password}`);
  if (proxy && SCHEMES.includes(proxy.protocol) && orUndefined(decode) !== undefined) return proxy;
  throw clientErrors.E_BAD_ADDRESS({ name: 'proxy', seen, schemes: SCHEMES });
}

function isExcluded(origin: string, excluded: readonly string[]): boolean {
  const { protocol, hostname, port } = new URL(origin);
  const portOf = port || (protocol === 'https:' || protocol === 'wss:' ? '443' : '80');
  return excluded.some((entry) => {
    if (entry === '*') return true;
    const [, name = '', onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (onlyPort !== undefined && onlyPort !== portOf) return false;
    const suffix = name.replace(/^\*?\./, '');
    return hostname === suffix || hostname.endsWith(`.${suffix}`);
  });
}

const withoutBrackets = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');
