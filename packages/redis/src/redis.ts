import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { linkSignals, raceAbort } from '@virgule/core/abort';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { recordIn } from '@virgule/core/objects';
import type { StorageSetting } from '@virgule/runtime';
import type { Scale, ScaleContext, ScaledProcess } from '@virgule/runtime/bot';
import { createBus } from './bus/bus.js';
import { readDeadEvents } from './bus/dead-events.js';
import { keysOf } from './bus/keys.js';
import { RedisTime } from './bus/redis-time.js';
import { addressOf, checkServer, connectError } from './connection/check-server.js';
import { connect, type Connection } from './connection/connection.js';
import { redisErrors } from './errors/redis-errors.js';
import { startGateway } from './roles/gateway-role.js';
import { createWorker } from './roles/worker.js';
import { createRedisDriver } from './shared/storage-driver.js';
import { createSharedSlots } from './shared/shared-slots.js';

/** Options of `redis`. */
export interface RedisOptions {
  /**
   * `redis://[user:password@]host[:port][/database]`, or `rediss://` with TLS.
   *
   * @defaultValue `REDIS_URL` of the environment
   */
  readonly url?: string | undefined;
  /** Distinguishes the bots on a Redis. @defaultValue the id of the application */
  readonly name?: string | undefined;
  /**
   * Mode of several gateways. `standby`: a single gateway is connected, and another gateway replaces it when it ends.
   * `live`: all gateways are connected, for a platform that sends each event to every connection.
   *
   * @defaultValue `'standby'`
   */
  readonly gateways?: 'standby' | 'live' | undefined;
  /** Maximum number of commands that a worker runs at a time, at least 1. @defaultValue 256 */
  readonly concurrency?: number | undefined;
}

/** Codes of errors that another start does not fix. */
const UNUSABLE = ['E_REDIS_URL', 'E_REDIS_UNSUITABLE'] as const;
const DEFAULT_CONCURRENCY = 256;
const RETRY_MS = 1_000;
/** Time limit to connect, in milliseconds: longer than the timeouts of the connection. */
const READY_MS = 5_000;
/** Pause between two attempts to acquire the lease `alone`, in milliseconds. */
const ENTER_MS = 250;
/** Lifetime of the lease `alone`, in milliseconds: a killed process blocks the others for this time at most. */
const ALONE_MS = 5_000;

/**
 * The setting `scale` for a bot that runs as several processes over Redis Streams.
 *
 * @example
 * ```ts
 * const config = defineConfig({ scale: redis() });
 * ```
 */
export function redis(options: RedisOptions = {}): Scale {
  return {
    open: (context) => open(options, context),
    isUnusable: (error) => UNUSABLE.some((code) => isVirguleError(error, code)),
  };
}

/** Options of `redisStorage`. */
export interface RedisStorageOptions {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss://` with TLS. */
  readonly url: string;
  /** Distinguishes the bots on a Redis. */
  readonly name: string;
}

/**
 * The setting `storage` for a bot of one process that stores its entries in Redis. A bot with `scale: redis()` uses
 * Redis without this setting.
 *
 * @example
 * ```ts
 * const config = defineConfig({ storage: redisStorage({ url: 'redis://localhost', name: 'dice' }) });
 * ```
 */
export function redisStorage({ url, name }: RedisStorageOptions): StorageSetting {
  return {
    name: 'Redis',
    async open({ clock, log }) {
      const connection = connect({ url: readUrl(url), log, purpose: 'storage' });
      await reach(connection, addressOf(url), { clock, log });
      const driver = createRedisDriver({ connection, keys: keysOf(name), clock });
      return { ...driver, close: async () => connection.close() };
    },
  };
}

async function open(options: RedisOptions, context: ScaleContext): Promise<ScaledProcess> {
  const { clock, log, applicationId, maxAgeMs, hide } = context;
  const url = readUrl(options.url ?? context.env['REDIS_URL']);
  const { password } = new URL(url);
  hide([password, decodeURIComponent(password)].filter((text) => text !== ''));
  const connections: Connection[] = [];
  const openConnection = (purpose: string, isSubscriber = false): Connection => {
    const connection = connect({ url, log, purpose, isSubscriber });
    connections.push(connection);
    return connection;
  };
  const connection = openConnection('main');
  await reach(connection, addressOf(url), context);

  const keys = keysOf(options.name ?? applicationId);
  // A new name for each start: entries of an earlier process are claimed.
  const holder = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const bus = createBus(connection, keys, holder);
  const time = new RedisTime(clock);
  const slots = createSharedSlots({ connection, keys, holder, clock, log });
  const storage: StorageSetting = {
    name: 'Redis',
    open: async () => createRedisDriver({ connection, keys, clock }),
  };
  return {
    stores: { concurrency: slots.concurrency, storage },
    deadEvents: (limit) => readDeadEvents(connection, keys, maxAgeMs, limit),
    async alone(task) {
      const enter = (): Promise<string | undefined> =>
        bus
          .acquire('alone', ALONE_MS)
          .then(({ isHeld }) => (isHeld ? undefined : 'another process compares them'), errorText);
      let reason = await enter();
      if (reason !== undefined) log.info({ reason }, 'waiting to compare the registered commands');
      for (; reason !== undefined; reason = await enter())
        await clock.sleep(ENTER_MS, { signal: context.signal });
      const ended = new AbortController();
      void (async () => {
        const { signal } = ended;
        for (;;) {
          await clock.sleep(ALONE_MS / 3, { signal }).catch(() => {});
          if (signal.aborted) return;
          await enter();
        }
      })();
      try {
        return await task();
      } finally {
        ended.abort();
        await bus.unlease('alone').catch(() => {});
      }
    },
    startGateway: (given) =>
      startGateway({ ...given, bus, time, clock, log, mode: options.gateways ?? 'standby' }),
    worker({ rest }) {
      // Pauses that the platform asks for apply to all workers; without Redis, each worker obeys only its own.
      const obey = rest.exchangePauses((pause) => {
        const message = JSON.stringify({ from: holder, pause });
        connection.call('PUBLISH', keys.pauses, message).catch(() => {});
      });
      openConnection('pauses', true).subscribe(keys.pauses, (text) => {
        const message = recordIn(text);
        if (message && message['from'] !== holder) obey(message['pause']);
      });
      return createWorker({
        bus,
        time,
        clock,
        log,
        openReader: openConnection,
        concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
      });
    },
    async close() {
      slots.close();
      for (const each of connections) each.close();
    },
  };
}

/** Returns a valid URL of Redis. @throws VirguleError `E_REDIS_URL`. */
function readUrl(url: string | undefined): string {
  if (url && URL.canParse(url) && /^rediss?:$/.test(new URL(url).protocol)) return url;
  // The URL itself may hold a password.
  const reason = url ? 'the value is not a URL of Redis' : 'REDIS_URL is not set';
  throw redisErrors.E_REDIS_URL({ kind: 'url', reason });
}

/** Waits until Redis is connected and checked. Closes the connection after a failure. */
async function reach(
  connection: Connection,
  address: string,
  { wait = false, clock, log, signal }: Pick<ScaleContext, 'clock' | 'log'> & Partial<ScaleContext>,
): Promise<void> {
  const logged = new Set<string>();
  for (;;) {
    const limit = linkSignals(signal);
    const timer = clock.setTimeout(() => {
      const reason = connection.isLoading() ? 'Redis is loading its data' : 'no answer from Redis';
      limit.abort(new Error(reason));
    }, READY_MS);
    try {
      await raceAbort(connection.ready(limit.signal), limit.signal);
      timer.cancel();
      await checkServer(connection, address, log);
      return;
    } catch (thrown) {
      const error = isVirguleError(thrown) ? thrown : connectError(thrown, address);
      const canRetry = wait && isVirguleError(error, 'E_REDIS_UNREACHABLE');
      if (!canRetry || signal?.aborted) {
        connection.close();
        signal?.throwIfAborted();
        throw error;
      }
      const reason = errorText(error);
      if (!logged.has(reason)) log.warn({ address, error: reason }, 'waiting for Redis');
      logged.add(reason);
    } finally {
      timer.cancel();
      limit.unlink();
    }
    // An aborted signal ends the next attempt, which closes the connection.
    await clock.sleep(RETRY_MS, { signal }).catch(() => {});
  }
}
