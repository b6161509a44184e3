import type { FaultProxy } from './fault-proxy.js';
import type { ProxiedConnection, NetworkConditions } from './proxied-connection.js';

export interface Fault {
  readonly name: string;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
  /** Time after the start during which calls may be slow or fail, in milliseconds. */
  readonly effectMs: number;
  /** Starts the fault: for calls, and for the gateway if `withGateway`. */
  begin(proxy: FaultProxy, withGateway: boolean): void;
}

/** Time to recover from a fault that the next connection fixes. */
const RECOVERY_MS = 3_000;

/** Time to recover from a connection that forwards nothing: its requests time out after 15 s. */
const BLACKHOLE_MS = 20_000;

const page = '<html><body>Service Unavailable</body></html>';
const limited = JSON.stringify({
  code: 'bot_rate_limited',
  message: 'Too many requests.',
  details: { retryAfterSeconds: 1 },
  requestId: 'soak',
});

function httpResponse(status: string, headers: string, body: string): string {
  return `HTTP/1.1 ${status}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}

function change(name: string, durationMs: number, conditions: Partial<NetworkConditions>): Fault {
  return {
    name,
    durationMs,
    effectMs: durationMs + RECOVERY_MS,
    begin: (proxy, withGateway) => proxy.change(conditions, withGateway),
  };
}

/** Like `change`, but first resets open connections, which would otherwise not be affected. */
function outage(name: string, durationMs: number, conditions: Partial<NetworkConditions>): Fault {
  return {
    ...change(name, durationMs, conditions),
    begin(proxy, withGateway) {
      proxy.change(conditions, withGateway);
      proxy.disrupt((connection) => connection.reset(), withGateway);
    },
  };
}

function disrupt(
  name: string,
  action: (connection: ProxiedConnection) => void,
  effectMs = RECOVERY_MS,
): Fault {
  return {
    name,
    durationMs: 0,
    effectMs,
    begin: (proxy, withGateway) => proxy.disrupt(action, withGateway),
  };
}

/** The faults of the connection between a bot and the platform. */
export const FAULTS: readonly Fault[] = [
  disrupt('reset', (connection) => connection.reset()),
  disrupt('half-close', (connection) => connection.halfClose()),
  disrupt('truncated', (connection) => connection.truncateNext()),
  disrupt('half-open', (connection) => connection.blackhole(), BLACKHOLE_MS),
  outage('refused', 3_000, { refuse: true }),
  change('stalled', 3_000, { held: true }),
  change('slow', 4_000, { delayMs: 300 }),
  change('lost responses', 1_000, { loseResponses: true }),
  outage('503', 2_000, {
    cannedResponse: httpResponse('503 Service Unavailable', 'content-type: text/html\r\n', page),
  }),
  outage('429', 1_000, {
    cannedResponse: httpResponse(
      '429 Too Many Requests',
      'content-type: application/json\r\nretry-after: 1\r\n',
      limited,
    ),
  }),
];
