import {
  createGateway,
  type Gateway,
  type GatewayEvent,
  type GatewayListener,
  type GatewayOptions,
  type GatewayStatus,
} from '@virgule/client/gateway';
import { expect, onTestFinished } from 'vitest';
import { TOKEN } from '../test-rest.js';
import { startFaultProxy, type FaultProxy, type LinkFault } from './fault-proxy.js';
import { startGatewayServer, type GatewayRules, type GatewayServer } from './gateway-server.js';
import { countTimers, expectNoHandles } from './handles.js';
import { createTestClock, type TestClock } from './test-clock.js';
import { eventually } from '../eventually.js';

export interface GatewayWorldOptions extends GatewayRules {
  /** Faults of the network for each connection; without faults there is no proxy. */
  readonly plan?: (index: number) => LinkFault;
  readonly gateway?: Partial<GatewayOptions>;
  /** @defaultValue a new one */
  readonly clock?: TestClock;
  readonly busy?: GatewayListener['busy'];
  /** Sees each event after it was written down. */
  readonly dispatch?: (event: GatewayEvent) => void;
}

export interface GatewayWorld {
  readonly clock: TestClock;
  readonly server: GatewayServer;
  readonly proxy: FaultProxy;
  readonly gateway: Gateway;
  readonly events: readonly GatewayEvent[];
  /** Ids of the messages and commands that were dispatched, in order. */
  readonly ids: readonly string[];
  readonly statuses: readonly GatewayStatus[];
  /** Lines of the log at the levels warn and error. */
  readonly log: readonly string[];
  /** Pauses before each new connection, in milliseconds. */
  readonly pausesMs: readonly number[];
  /** Why each connection ended. */
  readonly reasons: readonly string[];
  /** The number of reported gaps. */
  readonly gaps: number;
  /** Outcome of `connect()`: READY or an error. */
  readonly connected: Promise<unknown>;
  /** Pushes time until so many times READY came. */
  ready(times?: number, stepMs?: number): Promise<void>;
  /** Waits for the connection to end, `times` of them so far, and then for the pause to pass. */
  nextConnection(times: number): Promise<void>;
  /** Time passes in small steps, so that what is sent arrives meanwhile. */
  live(forMs: number): Promise<void>;
  /**
   * Closes everything and checks what holds at the end of every scenario. `mayLose` leaves out what
   * was delivered: the test has sent bytes among which events get lost.
   */
  end(options?: { readonly mayLose: boolean }): Promise<void>;
}

/** A bot's gateway, the platform's, and a bad network between them. Chance is fixed in the middle. */
export async function openGatewayWorld(options: GatewayWorldOptions = {}): Promise<GatewayWorld> {
  const timersBefore = countTimers();
  const clock = options.clock ?? createTestClock();
  const server = await startGatewayServer(options);
  const { plan } = options;
  const proxy = await startFaultProxy({
    target: server.address,
    clock,
    ...(plan === undefined ? {} : { plan }),
  });
  const log: string[] = [];
  const recorded = (details: object, line: string): void =>
    void log.push(`${line} ${JSON.stringify(details)}`);
  const gateway = createGateway({
    token: TOKEN,
    gatewayUrl: `ws://${plan ? proxy.address : server.address}`,
    clock,
    random: () => 0.5,
    log: { debug: () => {}, info: () => {}, warn: recorded, error: recorded },
    ...options.gateway,
  });
  onTestFinished(() => void gateway.close());
  const events: GatewayEvent[] = [];
  const statuses: GatewayStatus[] = [];
  const { busy } = options;
  const connected = gateway
    .connect({
      dispatch: (event) => {
        events.push(event);
        options.dispatch?.(event);
      },
      status: (status) => void statuses.push(status),
      ...(busy && { busy }),
    })
    .catch((error: unknown) => error);

  const count = (state: GatewayStatus['state']): number =>
    statuses.filter((status) => status.state === state).length;
  const reconnects = (): readonly Extract<GatewayStatus, { state: 'reconnecting' }>[] =>
    statuses.flatMap((status) => (status.state === 'reconnecting' ? [status] : []));

  const world: GatewayWorld = {
    clock,
    server,
    proxy,
    gateway,
    events,
    statuses,
    log,
    connected,
    get ids() {
      return events.flatMap(({ d }) => {
        const id: unknown = Object(d).interactionId ?? Object(d).id;
        return typeof id === 'string' ? [id] : [];
      });
    },
    get pausesMs() {
      return reconnects().map(({ delayMs }) => delayMs);
    },
    get reasons() {
      return reconnects().map(({ reason }) => reason);
    },
    get gaps() {
      return count('gap');
    },
    ready: (times = 1, stepMs = 20) =>
      clock.push(stepMs, () => expect(count('ready')).toBeGreaterThanOrEqual(times)),
    async nextConnection(times) {
      await clock.push(10, () => expect(reconnects().length).toBeGreaterThanOrEqual(times));
      await clock.advance(reconnects()[times - 1]?.delayMs ?? 0);
    },
    live: (forMs) => {
      const untilMs = clock.elapsedMs + forMs;
      return clock.push(250, () => expect(clock.elapsedMs).toBeGreaterThanOrEqual(untilMs));
    },
    async end({ mayLose } = { mayLose: false }) {
      let isClosed = false;
      void gateway.close().then(() => (isClosed = true));
      await clock.push(20, () => expect(isClosed).toBe(true));
      if (!mayLose) checkDelivery(world, count('gap'));
      expect(statuses.at(-1)?.state).toBe('closed');
      // A connection that the test has paused would not see that it is over.
      for (const { stream } of server.peers) stream.resume();
      await eventually(() => expect([server.open, proxy.open]).toEqual([0, 0]));
      await Promise.all([proxy.close(), server.close()]);
      expect(clock.pending).toBe(0);
      await expectNoHandles(timersBefore);
    },
  };
  return world;
}

/**
 * Nothing was dispatched twice, each connection's events came in their order with only the last ones
 * missing, and a connection whose last events are missing is one that ended, with a reported gap.
 */
function checkDelivery({ ids, gateway, server }: GatewayWorld, gaps: number): void {
  expect(new Set(ids).size).toBe(ids.length);
  const arrived = new Set(ids);
  const { dropped } = gateway.counts;
  let cutShort = 0;
  for (const { sent } of server.peers) {
    const missing = sent.findIndex((id) => !arrived.has(id));
    if (missing === -1) continue;
    cutShort += 1;
    if (dropped === 0) expect(sent.slice(missing).filter((id) => arrived.has(id))).toEqual([]);
  }
  if (dropped === 0) expect(cutShort).toBeLessThanOrEqual(gaps);
}
