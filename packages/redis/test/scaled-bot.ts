import { randomUUID } from 'node:crypto';
import type { GatewayStatus } from '@virgule/client/gateway';
import type { BotEvent, BotListener, GatewayPort } from '@virgule/runtime/bot';
import { systemClock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { createBus } from '../src/bus/bus.js';
import { keysOf } from '../src/bus/keys.js';
import { RedisTime } from '../src/bus/redis-time.js';
import { connect } from '../src/connection/connection.js';
import { startGateway, type GatewayRoleOptions } from '../src/roles/gateway-role.js';
import { createWorker, type WorkerOptions } from '../src/roles/worker.js';

export const READY = {
  applicationId: 'application',
  botUserId: 'bot',
  username: 'dice',
  displayName: 'Dice',
  serverIds: ['s'],
};

/** A connection to the platform whose events come when the test says so. */
export interface FakePlatform {
  /** @param receivedAtMs - by its own clock. @defaultValue now */
  emit(t: string, d: object, receivedAtMs?: number): void;
  status(status: GatewayStatus): void;
  readonly isOpen: boolean;
}

/** A worker whose events the test ends. */
export interface TestWorker {
  readonly port: ReturnType<typeof createWorker>;
  /** The events for handlers, in the order in which they came. */
  readonly events: BotEvent[];
  /** Copies for waits. */
  readonly copies: BotEvent[];
  readonly statuses: GatewayStatus[];
  /** Stops it without any farewell, as kill -9 does. */
  kill(): void;
}

/** Returns what identifies an event of these tests. */
export const nameOf = ({ d }: Pick<BotEvent, 'd'>): string => {
  const { interactionId, id } = Object(d);
  return String(interactionId ?? id);
};

/** The processes of one bot on one Redis, in one process. */
export function createScaledBot(url: string, log: Log = silentLog) {
  const keys = keysOf(randomUUID());
  const clock = systemClock;
  const closing: (() => unknown)[] = [];

  const openParts = (name: string) => {
    const connections = new Set<ReturnType<typeof connect>>();
    const open = (purpose: string) => {
      const connection = connect({ url, log, purpose: `${name}:${purpose}` });
      connections.add(connection);
      return connection;
    };
    const connection = open('main');
    const bus = createBus(connection, keys, name);
    const close = (): void => {
      for (const one of connections) one.close();
    };
    closing.push(close);
    return { connection, bus, open, close };
  };

  return {
    keys,
    async gateway(name: string, options: Partial<GatewayRoleOptions> = {}) {
      const { connection, bus, close } = openParts(name);
      await connection.ready();
      const calls: string[] = [];
      const closed: unknown[] = [];
      let listener: BotListener | undefined;
      const port: GatewayPort = {
        async connect(next) {
          listener = next;
          next.status?.({ state: 'ready', ready: READY, reconnected: false });
          return READY;
        },
        async close() {
          listener?.status?.({ state: 'closed' });
          listener = undefined;
        },
      };
      const call = (what: string) => async (id: string) => void calls.push(`${what} ${id}`);
      const unused = async () => ({ message: () => undefined });
      const role = startGateway({
        bus,
        time: new RedisTime(clock),
        clock,
        log,
        rest: {
          interactions: {
            ack: call('ack'),
            defer: call('defer'),
            respond: unused,
            editResponse: unused,
            followUp: unused,
          },
        },
        open: () => port,
        defers: () => ({ afterMs: 300, isSilent: false }),
        mode: 'standby',
        onClosed: (error) => void closed.push(error),
        ...options,
      });
      closing.push(() => role.close());
      const platform: FakePlatform = {
        emit: (t, d, receivedAtMs = clock.monotonic()) =>
          listener?.dispatch({ t, d, receivedAtMs }),
        status: (status) => listener?.status?.(status),
        get isOpen() {
          return listener !== undefined;
        },
      };
      return { role, platform, calls, closed, bus, kill: close };
    },

    /** Starts a worker. `handle` gets each event for handlers; by default it ends at once. */
    async worker(
      name: string,
      handle: (event: BotEvent, end: () => void) => void = (_, end) => end(),
      options: Partial<WorkerOptions> = {},
    ): Promise<TestWorker> {
      const { connection, bus, open, close } = openParts(name);
      await connection.ready();
      const events: BotEvent[] = [];
      const copies: BotEvent[] = [];
      const statuses: GatewayStatus[] = [];
      let isKilled = false;
      const port = createWorker({
        bus,
        time: new RedisTime(clock),
        clock,
        log,
        openReader: open,
        concurrency: 50,
        ...options,
      });
      closing.push(() => (isKilled ? undefined : port.close()));
      await port.connect({
        dispatch(event) {
          if (isKilled) return;
          if (event.queued?.to === 'waits') copies.push(event);
          else {
            events.push(event);
            handle(event, () => {
              if (!isKilled) event.queued?.ended();
            });
          }
        },
        status: (status) => void statuses.push(status),
      });
      return {
        port,
        events,
        copies,
        statuses,
        kill() {
          isKilled = true;
          close();
          // Ends its timers; without connections nothing leaves this process.
          void port.close();
        },
      };
    },

    async close(): Promise<void> {
      // The last ones first: roles before their connections.
      for (const close of closing.toReversed()) await close();
    },
  };
}

/** Resolves when a condition holds. Fails after 60 s, or `withinMs`: a busy machine is slow. */
export async function until(
  condition: () => boolean,
  what = 'the condition',
  withinMs = 60_000,
): Promise<void> {
  const endMs = systemClock.monotonic() + withinMs;
  while (!condition()) {
    if (systemClock.monotonic() > endMs)
      throw new Error(`${what} does not hold after ${withinMs / 1_000} s`);
    await systemClock.sleep(5);
  }
}

export const command = (interactionId: string, channelId = 'a') => ({
  interactionId,
  channelId,
  serverId: 's',
  name: 'x',
  rawInput: '/x',
});
