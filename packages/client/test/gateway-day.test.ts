import { silentLog } from '@virgule/core/log';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import {
  createGateway,
  type GatewayOptions,
  type GatewaySocket,
  type GatewaySocketConstructor,
} from '@virgule/client/gateway';
import { inAllRuns } from '../../core/test/fixtures/property-runs.js';
import { READY } from './test-gateway.js';
import { TOKEN } from './test-rest.js';

const HOUR_MS = 3_600_000;
const HEARTBEAT_MS = 25_000;

interface DayOptions {
  /** Lifetime of each connection from READY until it breaks off. */
  readonly livesMs: number;
  readonly forMs?: number;
  readonly gateway?: Partial<GatewayOptions>;
}

/** A working platform behind a load balancer that cuts each WebSocket after a while. */
function cutting(clock: FakeClock, livesMs: number) {
  const readyAtMs: number[] = [];
  const cutAtMs: number[] = [];

  class Socket implements GatewaySocket {
    readonly #listeners = new Map<string, (...values: never[]) => void>();
    #isOver = false;

    constructor() {
      clock.setTimeout(() => {
        this.#emit('open');
        this.#frame({ op: 'HELLO', d: { heartbeatInterval: HEARTBEAT_MS } });
      }, 0);
    }

    on(event: string, listener: (...values: never[]) => void): void {
      this.#listeners.set(event, listener);
    }

    send(text: string): void {
      const { op } = JSON.parse(text) as { readonly op: string };
      clock.setTimeout(() => {
        if (op === 'HEARTBEAT') this.#frame({ op: 'HEARTBEAT_ACK' });
        if (op !== 'IDENTIFY') return;
        readyAtMs.push(clock.monotonic());
        clock.setTimeout(() => this.#cut(), livesMs);
        this.#frame(READY);
      }, 0);
    }

    close(): void {
      this.#isOver = true;
      this.#emit('close', 1000, Buffer.alloc(0));
    }

    terminate(): void {
      this.#isOver = true;
    }

    #cut(): void {
      if (this.#isOver) return;
      cutAtMs.push(clock.monotonic());
      this.#emit('close', 1006, Buffer.alloc(0));
    }

    #frame(frame: unknown): void {
      if (!this.#isOver) this.#emit('message', Buffer.from(JSON.stringify(frame)), false);
    }

    #emit(event: string, ...values: readonly unknown[]): void {
      // Each listener takes what is handed over for its event.
      this.#listeners.get(event)?.(...(values as never[]));
    }
  }
  return { WebSocket: Socket as GatewaySocketConstructor, readyAtMs, cutAtMs };
}

/** Lets a bot run for a while. */
async function live({ livesMs, forMs = 24 * HOUR_MS, gateway: options = {} }: DayOptions) {
  const clock = createFakeClock();
  const startMs = clock.monotonic();
  const { WebSocket, readyAtMs, cutAtMs } = cutting(clock, livesMs);
  let state = 20;
  const gateway = createGateway({
    token: TOKEN,
    gatewayUrl: 'wss://chat.test',
    clock,
    random: () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647,
    WebSocket,
    log: silentLog,
    ...options,
  });
  const pauses: { readonly reason: string; readonly delayMs: number }[] = [];
  void gateway.connect({
    dispatch() {},
    status(change) {
      if (change.state === 'reconnecting') pauses.push(change);
    },
  });
  await clock.advance(forMs);
  const { identifies } = gateway.counts;
  await gateway.close();
  const gapsMs = cutAtMs.map(
    (cutMs) => (readyAtMs.find((atMs) => atMs >= cutMs) ?? startMs + forMs) - cutMs,
  );
  return { downMs: gapsMs.reduce((sum, gapMs) => sum + gapMs, 0), pauses, identifies };
}

const longest = (pauses: readonly { readonly delayMs: number }[]): number =>
  Math.max(...pauses.map(({ delayMs }) => delayMs));

describe('a day behind a load balancer that cuts each connection', () => {
  it.runIf(inAllRuns).each([30_000, 60_000, 120_000, 900_000])(
    'after %i ms: the bot is away for less than 2 percent of it',
    async (livesMs) => {
      const { downMs, pauses } = await live({ livesMs });
      expect(downMs / (24 * HOUR_MS)).toBeLessThan(0.02);
      expect(longest(pauses)).toBeLessThanOrEqual(1_000);
    },
  );

  it.each([2_000, 5_000, 8_000])(
    'after %i ms, mostly before the first heartbeat: the pauses stay below half a minute',
    async (livesMs) => {
      const { pauses } = await live({ livesMs, forMs: HOUR_MS });
      const backoffs = pauses.filter(({ reason }) => !reason.includes('budget'));
      expect(longest(backoffs)).toBeLessThan(30_000);
      expect(longest(pauses)).toBeLessThan(60_000);
    },
  );

  it.runIf(inAllRuns)('right after READY: the platform is not hammered', async () => {
    const { identifies } = await live({ livesMs: 0 });
    expect(identifies).toBeGreaterThan(2_000);
    expect(identifies).toBeLessThan(6_500);
  });

  it('slows down when most of the identify budget is used, names it, and never stops', async () => {
    const gateway = { profile: { identifies: { perMinute: 5, perDay: 500 } } };
    const { pauses, identifies } = await live({ livesMs: 60_000, gateway });
    const spread = pauses.filter(({ delayMs }) => delayMs > 1_000);
    expect(identifies).toBeGreaterThan(500);
    // The 60 s of its life are a part of the 172.8 s between two.
    expect(longest(pauses)).toBeLessThan(120_000);
    expect(spread.length).toBeGreaterThan(300);
    expect(spread[0]?.reason).toBe(
      'closed with code 1006; the identify budget is nearly used up (400 of 500 a day), so the rest is spread evenly',
    );
  });
});
