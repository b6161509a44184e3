import type { FaultProxy } from './fault-proxy.js';
import type { ProxiedConnection, Weather } from './proxied-connection.js';

export interface Fault {
  readonly name: string;
  /** How long it lasts, in milliseconds. */
  readonly lastsMs: number;
  /** How long after its start calls may still be slow or fail because of it, in milliseconds. */
  readonly feltMs: number;
  /** Makes it happen: to the calls, and to the gateway if `withGateway`. */
  begin(proxy: FaultProxy, withGateway: boolean): void;
}

/** For what mends itself with the next connection. */
const RECOVERY_MS = 3_000;

/** Requests on a connection that went deaf are given up after 15 s. */
const DEAF_MS = 20_000;

const page = '<html><body>Service Unavailable</body></html>';
const limited = JSON.stringify({
  code: 'bot_rate_limited',
  message: 'Too many requests.',
  details: { retryAfterSeconds: 1 },
  requestId: 'soak',
});

function answer(status: string, headers: string, body: string): string {
  return `HTTP/1.1 ${status}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

function change(name: string, lastsMs: number, weather: Partial<Weather>): Fault {
  return {
    name,
    lastsMs,
    feltMs: lastsMs + RECOVERY_MS,
    begin: (proxy, withGateway) => proxy.change(weather, withGateway),
  };
}

/** The same, and every connection that is open is reset first: it would not notice otherwise. */
function outage(name: string, lastsMs: number, weather: Partial<Weather>): Fault {
  return {
    ...change(name, lastsMs, weather),
    begin(proxy, withGateway) {
      proxy.change(weather, withGateway);
      proxy.strike((connection) => connection.reset(), withGateway);
    },
  };
}

function strike(
  name: string,
  hit: (connection: ProxiedConnection) => void,
  feltMs = RECOVERY_MS,
): Fault {
  return {
    name,
    lastsMs: 0,
    feltMs,
    begin: (proxy, withGateway) => proxy.strike(hit, withGateway),
  };
}

/** What can happen to the line between a bot and the platform. */
export const FAULTS: readonly Fault[] = [
  strike('reset', (connection) => connection.reset()),
  strike('half-close', (connection) => connection.halfClose()),
  strike('cut in the middle', (connection) => connection.cutNext()),
  strike('half-open', (connection) => connection.deafen(), DEAF_MS),
  outage('refused', 3_000, { refuse: true }),
  change('stalled', 3_000, { held: true }),
  change('slow', 4_000, { delayMs: 300 }),
  change('answers lost', 1_000, { loseAnswers: true }),
  outage('503', 2_000, {
    cannedAnswer: answer('503 Service Unavailable', 'content-type: text/html\r\n', page),
  }),
  outage('429', 1_000, {
    cannedAnswer: answer(
      '429 Too Many Requests',
      'content-type: application/json\r\nretry-after: 1\r\n',
      limited,
    ),
  }),
];
