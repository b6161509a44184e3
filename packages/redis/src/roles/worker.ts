import type { GatewayHealth } from '@virgule/client/gateway';
import type { BotListener, GatewayPort } from '@virgule/runtime';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { Ready } from '@virgule/core/protocol';
import type { Bus, Delivery } from '../bus/bus.js';
import { ENTRY_VERSION, idOf, readEntry, type EventEntry } from '../bus/entry.js';
import type { RedisTime } from '../bus/redis-time.js';
import type { Connection } from '../connection/connection.js';
import { Acknowledger } from './acknowledger.js';
import { Partitions } from './partitions.js';
import { WatchedChannels } from './watched-channels.js';

/** Time between two heartbeats, in milliseconds. */
const BEAT_MS = 400;
/**
 * After Redis was away, nothing is taken over for this time, in milliseconds: the other workers are as alive as this one,
 * and have to renew their leases first.
 */
const GRACE_MS = 1_200;
/** A worker that could not renew its lease for this long reads nothing: its entries may be claimed soon. */
const MAX_BEAT_AGE_MS = 1_200;
/** Commands that are read at once. */
const MAX_READ = 16;
/** Events other than commands that are handled at a time. */
const MAX_EVENTS = 500;
/** A command of this age may have been deferred by the gateway, in milliseconds: younger ones are not looked up. */
const MAYBE_DEFERRED_MS = 100;
/**
 * A command that this version of the bot does not have is passed on up to this age: others may have it, until users
 * would have to wait.
 */
const MAX_PASS_ON_MS = 1_000;
/** Time in which it is not read again by this worker. */
const PASS_ON_MS = 50;
const RETRY_MS = 100;
const POLL_READY_MS = 250;
/** Time to acknowledge what has ended, at a shutdown, in milliseconds. */
const ACKNOWLEDGE_MS = 3_000;

/** Returns whether Redis lost the groups, with all its data. */
const isGroupLost = (error: unknown): boolean => /NOGROUP|no such key/.test(errorText(error));

export interface WorkerOptions {
  readonly bus: Bus;
  readonly time: RedisTime;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens a connection for reads that wait. */
  readonly openReader: (purpose: string) => Connection;
  /** How many commands run at a time. */
  readonly concurrency: number;
  /** Age after which a command can no longer be answered, in milliseconds. */
  readonly maxAgeMs: number;
}

/** What happened to the entries of a worker, counted since its start. */
interface WorkerCounts {
  /** Commands and events that are handled now. */
  readonly running: number;
  /** Entries of workers that had gone, which ran here. */
  readonly reclaimed: number;
  /** Entries that were delivered too often. */
  readonly dead: number;
  /** Commands that were too old to be answered. */
  readonly expired: number;
}

export interface Worker extends GatewayPort {
  readonly counts: WorkerCounts;
  health(): GatewayHealth;
}

/** Creates the gateway port of a bot whose events come from another process, over Redis. */
export function createWorker(options: WorkerOptions): Worker {
  const { bus, time, clock, log, openReader, concurrency, maxAgeMs } = options;
  const partitions = new Partitions();
  /** By stream and id: an entry can be delivered again while it runs here. */
  const running = new Map<string, 'commands' | number>();
  const keyOf = (stream: string, id: string): string => `${stream} ${id}`;
  const acknowledger = new Acknowledger({
    bus,
    clock,
    log,
    onDone: (stream, id) => void running.delete(keyOf(stream, id)),
  });
  const counts = { reclaimed: 0, dead: 0, expired: 0 };
  const stopping = new AbortController();
  const readers: Connection[] = [];
  const watched = new WatchedChannels({
    bus,
    time,
    clock,
    openReader: () => openReader('waits'),
    deliver: (event) => dispatch(event, { to: 'waits', isDeferred: false, ended: () => {} }),
  });
  let listener: BotListener | undefined;
  let readyAtMs: number | undefined;
  let beatAtMs: number | undefined;
  let graceUntilMs = 0;
  let isDraining = false;
  let commandsRunning = 0;
  /** The partitions that a read in flight may return events of. */
  let beingRead: readonly number[] = [];
  let isBusy = false;
  const waiting = new Set<() => void>();
  let loops: readonly Promise<void>[] = [];

  function dispatch(
    event: EventEntry,
    queued: Parameters<BotListener['dispatch']>[0]['queued'],
  ): void {
    const { t, d, atMs, recovered } = event;
    listener?.dispatch({ t, d, receivedAtMs: time.toMonotonic(atMs), recovered, queued });
  }

  const sleep = (ms: number): Promise<void> =>
    clock.sleep(ms, { signal: stopping.signal }).catch(() => {});

  /** Resolves when something has changed, or after a while. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        waiting.delete(done);
        resolve();
      };
      const timer = clock.setTimeout(done, RETRY_MS);
      waiting.add(done);
    });
  const wake = (): void => {
    for (const done of waiting) done();
  };

  async function take(delivery: Delivery): Promise<void> {
    const { stream, partition, id, version, body, deliveries } = delivery;
    const key = keyOf(stream, id);
    if (running.has(key)) return;
    if (body === '') {
      counts.dead += 1;
      log.error(
        { stream, id, deliveries },
        'an event was delivered and never ended; it is set aside: see `virgule dead`',
      );
      return;
    }
    if (isDraining || version > ENTRY_VERSION) {
      await bus.passOn(delivery);
      return;
    }
    const entry = readEntry(body);
    if (!entry) {
      log.error({ stream, id }, 'dropped an entry that cannot be read');
      acknowledger.end(stream, id);
      return;
    }
    if (deliveries !== undefined) {
      counts.reclaimed += 1;
      log.warn({ stream, id, deliveries }, 'handling an event of a worker that has gone');
    }
    if ('status' in entry) {
      listener?.status?.(entry.status, true);
      acknowledger.end(stream, id);
      return;
    }
    const isCommand = entry.t === 'APPLICATION_COMMAND';
    const ageMs = time.fromMonotonic(clock.monotonic()) - entry.atMs;
    if (isCommand && ageMs > maxAgeMs) {
      counts.expired += 1;
      log.error(
        { id, ageMs: Math.round(ageMs) },
        'dropped a command: it is too old to be answered',
      );
      acknowledger.end(stream, id);
      return;
    }
    running.set(key, partition);
    const isDeferred = isCommand && (await mayBeDeferred(entry, deliveries, ageMs));
    // It began to drain meanwhile: the bot would refuse the command.
    if (isDraining) {
      running.delete(key);
      await bus.passOn(delivery);
      return;
    }
    let isPassedOn = false;
    if (isCommand) commandsRunning += 1;
    dispatch(entry, {
      to: 'handlers',
      isDeferred,
      trace: entry.trace,
      ended() {
        if (isCommand) commandsRunning -= 1;
        if (isPassedOn) void passToAny(delivery, entry);
        else acknowledger.end(stream, id);
        wake();
      },
      passOn() {
        const knownMs = time.fromMonotonic(clock.monotonic()) - entry.atMs;
        isPassedOn = knownMs < MAX_PASS_ON_MS;
        return isPassedOn;
      },
    });
  }

  /** Passes a command on that this version of the bot does not have, such as during a rolling update. */
  async function passToAny(delivery: Delivery, entry: EventEntry): Promise<void> {
    const { stream, id } = delivery;
    // Others read meanwhile.
    await sleep(PASS_ON_MS);
    // If it fails, this worker still has it: it is read again, or claimed by another one.
    await bus.passToAny(delivery, idOf(entry) ?? '').catch(() => {});
    running.delete(keyOf(stream, id));
    wake();
  }

  const takeAll = (deliveries: readonly Delivery[]): Promise<unknown> =>
    Promise.all(deliveries.map(take));

  async function mayBeDeferred(
    entry: EventEntry,
    deliveries: number | undefined,
    ageMs: number,
  ): Promise<boolean> {
    // A worker that has gone may have deferred it.
    if (entry.isDeferred || deliveries !== undefined) return true;
    const id = idOf(entry);
    if (ageMs < MAYBE_DEFERRED_MS || id === undefined) return false;
    return bus.isDeferred(id).catch(() => true);
  }

  /** Reads until the worker stops. `from` returns what to read, or nothing if there is no room. */
  async function read(
    purpose: string,
    from: () => { readonly of: 'commands' | readonly number[]; readonly count: number } | undefined,
  ): Promise<void> {
    const reader = openReader(purpose);
    readers.push(reader);
    await reader.ready().catch(() => {});
    let mustReadAgain = false;
    while (!isDraining) {
      const next = isCurrent() ? from() : undefined;
      if (!next) {
        await change();
        continue;
      }
      if (next.of !== 'commands') beingRead = next.of;
      try {
        if (mustReadAgain) await takeAll(await bus.readAgain(reader, next.of));
        mustReadAgain = false;
        const deliveries = await bus.read(reader, next.of, next.count);
        // This process was suspended: others may have claimed these meanwhile.
        mustReadAgain = !isCurrent();
        if (!mustReadAgain) await takeAll(deliveries);
      } catch (error) {
        if (isDraining) return;
        mustReadAgain = true;
        if (isGroupLost(error)) await bus.createGroups().catch(() => {});
        await sleep(RETRY_MS);
      }
      if (next.of !== 'commands') beingRead = [];
    }
  }

  const isCurrent = (): boolean =>
    beatAtMs !== undefined && clock.monotonic() - beatAtMs < MAX_BEAT_AGE_MS;

  const roomForCommands = () => {
    const count = Math.min(MAX_READ, concurrency - commandsRunning);
    return count > 0 ? ({ of: 'commands', count } as const) : undefined;
  };
  const roomForEvents = () => {
    const of = partitions.readable;
    const count = Math.min(MAX_READ, MAX_EVENTS - (running.size - commandsRunning));
    return of.length > 0 && count > 0 && !isBusy ? { of, count } : undefined;
  };

  async function beat(): Promise<void> {
    const sentAtMs = clock.monotonic();
    const mayTake = sentAtMs >= graceUntilMs;
    const { nowMs, share, partitions: owned, isLate } = await bus.beat(mayTake, isDraining);
    beatAtMs = sentAtMs;
    time.measure(nowMs, sentAtMs);
    if (isLate) graceUntilMs = clock.monotonic() + GRACE_MS;
    partitions.own(owned, share);
    const inUse = new Set([...running.values(), ...beingRead]);
    for (const partition of partitions.releasable(inUse)) {
      await bus.release(partition);
      partitions.released(partition);
    }
    if (!mayTake || isLate || isDraining) return;
    const claimed = await bus.reclaim(owned);
    await takeAll(claimed);
    partitions.reclaimed(owned);
    wake();
  }

  async function beatUntilClosed(): Promise<void> {
    let isAway = false;
    while (!stopping.signal.aborted) {
      const startMs = clock.monotonic();
      try {
        await beat();
        if (isAway) log.info({}, 'the worker is back');
        isAway = false;
      } catch (error) {
        if (stopping.signal.aborted) return;
        if (isGroupLost(error)) await bus.createGroups().catch(() => {});
        if (!isAway) log.warn({ error: errorText(error) }, 'the worker cannot renew its lease');
        isAway = true;
      }
      const busy = listener?.busy?.();
      isBusy = busy !== undefined;
      await sleep(Math.max(50, BEAT_MS - (clock.monotonic() - startMs)));
    }
  }

  async function waitForReady(): Promise<Ready> {
    for (let isLogged = false; ; isLogged = true) {
      try {
        await bus.createGroups();
        const ready = await bus.readReady();
        if (ready) return ready;
      } catch (error) {
        log.debug({ error: errorText(error) }, 'cannot read whether a gateway is connected');
      }
      stopping.signal.throwIfAborted();
      if (!isLogged) log.info({}, 'waiting for a gateway to connect to the platform');
      await sleep(POLL_READY_MS);
    }
  }

  return {
    get counts() {
      return { running: running.size, ...counts };
    },
    health: () => ({
      isReady: isCurrent(),
      readyAgeMs: readyAtMs === undefined ? undefined : clock.monotonic() - readyAtMs,
      ackAgeMs: beatAtMs === undefined ? undefined : clock.monotonic() - beatAtMs,
      heartbeatMs: undefined,
    }),
    async connect(given) {
      listener = given;
      const ready = await waitForReady();
      readyAtMs = clock.monotonic();
      given.status?.({ state: 'ready', ready, reconnected: false });
      loops = [beatUntilClosed(), read('commands', roomForCommands), read('events', roomForEvents)];
      return ready;
    },
    drain() {
      isDraining = true;
      wake();
    },
    watch: (channelId, sinceMs) => watched.watch(channelId, sinceMs),
    metrics: async () => ({
      ...(await bus.figures().catch(() => ({}))),
      running: running.size,
      ...counts,
    }),
    async close() {
      isDraining = true;
      wake();
      watched.close();
      await settlesWithin(acknowledger.idle(), ACKNOWLEDGE_MS, clock);
      stopping.abort(new Error('the worker was closed'));
      acknowledger.close();
      for (const reader of readers) reader.close();
      await Promise.all(loops);
      await bus.leave().catch(() => {});
    },
  };
}
