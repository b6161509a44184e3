import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLog } from '@virgule/core/log';
import { isVirguleError } from '@virgule/core/errors';
import { createRest, type Rest, type RestOptions } from '@virgule/client/rest';
import { expect, onTestFinished } from 'vitest';
import { TOKEN } from '../test-rest.js';
import { startFaultProxy, type FaultProxy, type LinkFault } from './fault-proxy.js';
import { countTimers, expectNoHandles } from './handles.js';
import { startPlatform, type Platform, type PlatformScript } from './platform.js';
import { createTestClock, type TestClock } from './test-clock.js';
import { eventually } from '../eventually.js';

/** One call and what became of it. */
export interface Call {
  /** Unique name of the effect of the call on the platform, if it has one. */
  readonly effect: string | undefined;
  /** Never rejects. */
  readonly ended: Promise<void>;
  /** Number of times that the call ended. */
  readonly settlements: number;
  readonly value: unknown;
  /** The error it ended with, if it did. */
  readonly error: unknown;
  /** Code of that error. */
  readonly code: string | undefined;
  /** Details of that error. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface RestWorld {
  readonly clock: TestClock;
  readonly platform: Platform;
  readonly proxy: FaultProxy;
  readonly rest: Rest;
  readonly calls: readonly Call[];
  /** Makes a call and keeps an eye on it. */
  call(effect: string | undefined, start: (rest: Rest) => Promise<unknown>): Call;
  /** Pushes time until every call has ended. */
  settle(stepMs?: number): Promise<void>;
  /** Closes everything and checks what holds at the end of every scenario. */
  end(): Promise<void>;
}

export interface RestWorldOptions {
  readonly script?: PlatformScript;
  /** Faults of the network for each connection; without faults there is no proxy. */
  readonly plan?: (index: number) => LinkFault;
  readonly rest?: Partial<RestOptions>;
  readonly scheme?: 'http' | 'https';
  /** @defaultValue a new one */
  readonly clock?: TestClock;
  /** Another world is ended after this one, and sees to what is left open. */
  readonly isGuest?: boolean;
}

export const DEADLINE_MS = 30_000;

let warmUp: Promise<void> | undefined;

/** The first request of a process loads undici, which compiles its parser in a thread: no number of turns of the event loop is long enough. */
async function warmUpUndici(): Promise<void> {
  const server = createServer((_request, response) => response.end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const rest = createRest({ token: TOKEN, baseUrl, log: silentLog });
  await rest.request('GET', '/warm-up');
  await rest.close();
  server.close();
}

/**
 * A client, a platform, and a bad network between them. Time belongs to the test, chance is fixed
 * in the middle.
 */
export async function openRestWorld(options: RestWorldOptions = {}): Promise<RestWorld> {
  const timersBefore = countTimers();
  const clock = options.clock ?? createTestClock();
  const platform = await startPlatform(options.script, () => clock.now());
  warmUp ??= warmUpUndici();
  await warmUp;
  const { plan } = options;
  const proxy = await startFaultProxy({
    target: platform.address,
    clock,
    ...(plan === undefined ? {} : { plan }),
  });
  const rest = createRest({
    token: TOKEN,
    baseUrl: `${options.scheme ?? 'http'}://${plan ? proxy.address : platform.address}`,
    clock,
    random: () => 0.5,
    log: silentLog,
    deadlineMs: DEADLINE_MS,
    ...options.rest,
  });
  onTestFinished(() => void rest.close());
  const calls: Call[] = [];

  const settle = async (stepMs = 50): Promise<void> =>
    // A number: thousands of calls would be described again at each step.
    clock.push(stepMs, () =>
      expect(calls.filter(({ settlements }) => settlements === 0).length).toBe(0),
    );

  return {
    clock,
    platform,
    proxy,
    rest,
    calls,
    call(effect, start) {
      const call = watch(effect, start(rest));
      calls.push(call);
      return call;
    },
    settle,
    async end() {
      for (const call of calls) checkCall(call, platform, options.rest?.deadlineMs ?? DEADLINE_MS);
      await rest.close();
      // The client closes its connections by itself.
      await eventually(() => expect([platform.open, proxy.open]).toEqual([0, 0]));
      await Promise.all([proxy.close(), platform.close()]);
      if (options.isGuest) return;
      expect(clock.pending).toBe(0);
      await expectNoHandles(timersBefore);
    },
  };
}

function watch(effect: string | undefined, promise: Promise<unknown>): Call {
  let settlements = 0;
  let value: unknown;
  let error: unknown;
  const ended = promise.then(
    (result) => {
      settlements += 1;
      value = result;
    },
    (reason: unknown) => {
      settlements += 1;
      error = reason;
    },
  );
  return {
    effect,
    ended,
    get settlements() {
      return settlements;
    },
    get value() {
      return value;
    },
    get error() {
      return error;
    },
    get code() {
      return isVirguleError(error) ? error.code : undefined;
    },
    get details() {
      return isVirguleError(error) ? error.details : {};
    },
  };
}

/**
 * Settled once and in time; one of our errors or a value; a value means that it took effect once,
 * and an effect whose call failed is one that the error owns up to.
 */
function checkCall(call: Call, { effects }: Platform, deadlineMs: number): void {
  expect(call.settlements).toBe(1);
  const count = call.effect === undefined ? 0 : (effects.get(call.effect) ?? 0);
  if (call.error === undefined) {
    if (call.effect !== undefined) expect([call.effect, count]).toEqual([call.effect, 1]);
    return;
  }
  expect(isVirguleError(call.error)).toBe(true);
  const { details } = call;
  expect(details).toMatchObject({ endpoint: expect.any(String), attempts: expect.any(Number) });
  expect(details['elapsedMs']).toBeLessThanOrEqual(deadlineMs);
  if (count === 0) return;
  expect([call.effect, count]).toEqual([call.effect, 1]);
  const isUnknown = call.code === 'E_OUTCOME_UNKNOWN' || details['maybeSent'] === true;
  // It names the status: accepted with an answer that cannot be read, or failed in a way that leaves it open.
  const isReported = call.code === 'E_BAD_RESPONSE' || Number(details['status']) >= 500;
  expect([call.code, isUnknown || isReported]).toEqual([call.code, true]);
}
