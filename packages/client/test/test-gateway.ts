import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { onTestFinished } from 'vitest';
import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayListener,
  type GatewayOptions,
  type GatewayStatus,
} from '@virgule/client/gateway';
import { createFakeSockets, type FakeSockets } from './fake-sockets.js';
import { readFixture } from './read-fixture.js';
import { TOKEN } from './test-rest.js';

export const HELLO = readFixture('frame-hello');
export const READY = readFixture('frame-ready');
export const ACK = readFixture('frame-heartbeat-ack');
export const COMMAND = readFixture('frame-application-command');

/** A gateway on sockets and time that belong to the test. */
export interface TestGateway {
  readonly gateway: Gateway;
  readonly sockets: FakeSockets;
  readonly clock: FakeClock;
  readonly events: readonly GatewayEvent[];
  readonly statuses: readonly GatewayStatus[];
  /** Outcome of `connect()`: READY or an error. */
  readonly connected: Promise<unknown>;
  /** Lines of the log, as JSON. */
  readonly log: readonly string[];
}

/** Connects a gateway. Chance is fixed in the middle: the first pause is 500 ms, then 1 s, 2 s. */
export function connectGateway(
  options: Partial<GatewayOptions> = {},
  listener: Partial<GatewayListener> = {},
): TestGateway {
  const clock = createFakeClock();
  const sockets = createFakeSockets();
  const log: string[] = [];
  const recorded = (details: object, message: string): void =>
    void log.push(JSON.stringify({ message, ...details }));
  const gateway = createGateway({
    token: TOKEN,
    gatewayUrl: 'wss://chat.test',
    clock,
    random: () => 0.5,
    WebSocket: sockets.WebSocket,
    log: { debug: recorded, info: recorded, warn: recorded, error: recorded },
    ...options,
  });
  const events: GatewayEvent[] = [];
  const statuses: GatewayStatus[] = [];
  const connected = gateway
    .connect({
      dispatch: (event) => void events.push(event),
      status: (status) => void statuses.push(status),
      ...listener,
    })
    .catch((error: unknown) => error);
  onTestFinished(() => void gateway.close());
  return { gateway, sockets, clock, events, statuses, connected, log };
}

/** Brings the last socket to READY. */
export function makeReady({ sockets }: TestGateway, hello: unknown = HELLO): void {
  sockets.last.accept();
  sockets.last.frame(hello);
  sockets.last.frame(READY);
}

/** Lets the test's connection live for a while with its heartbeats answered. */
export async function live(test: TestGateway, forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 1_000) {
    await test.clock.advance(Math.min(1_000, forMs - passedMs));
    const { sent } = test.sockets.last;
    if (Object(sent.at(-1)).op === 'HEARTBEAT') test.sockets.last.frame(ACK);
  }
}
