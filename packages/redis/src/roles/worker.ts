import type { GatewayHealth } from '@virgule/client/gateway';
import type { BotListener } from '@virgule/runtime/bot';
import { errorText } from '@virgule/core/errors';
import type { Ready } from '@virgule/core/protocol';
import { isDisconnected, type Connection } from '../connection/connection.js';
import { Intake } from './intake.js';
import { Lease } from './lease.js';
import type { RoleParts } from './role-parts.js';
import { WatchedChannels } from './watched-channels.js';

const MAX_READ = 16;
/**
 * Maximum number of events other than commands that run or wait for their channel at a time. The limit is several times
 * the limit of a channel, so that a channel with stuck handlers does not block the others.
 */
const MAX_EVENTS = 5_000;
const RETRY_MS = 100;
const POLL_READY_MS = 250;
/** Time limit for acknowledging the ended entries at a shutdown, in milliseconds. */
const ACKNOWLEDGE_MS = 3_000;

export interface WorkerOptions extends RoleParts {
  /** Opens a connection for blocking reads. */
  readonly openReader: (purpose: string) => Connection;
  readonly concurrency: number;
}

/** Creates the gateway port of a bot whose events come from another process, over Redis. */
export function createWorker(options: WorkerOptions) {
  const { bus, clock, log, openReader, concurrency } = options;
  const stopping = new AbortController();
  const readers: Connection[] = [];
  const waiting: (() => void)[] = [];
  /** Resolves when an event has ended, the lease was renewed, or the worker stops. */
  const change = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const wake = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const readAgain = (): void => void mustReadAgain.add('commands').add('events');
  const intake = new Intake({
    ...options,
    heldSinceMs: () => lease.heldSinceMs,
    onLost: readAgain,
    onRoom: wake,
  });
  const watched = new WatchedChannels({
    ...options,
    openReader: () => openReader('waits'),
    deliver: (event) => intake.dispatch(event, { to: 'waits', isDeferred: false, ended: () => {} }),
  });
  let readyAtMs: number | undefined;
  /** Reads whose last reply, or the reply of a claim, was lost. */
  const mustReadAgain = new Set<string>();
  /** Reads that Redis refuses, such as after a change of permissions. */
  const refused = new Set<string>();
  let beingRead: readonly number[] = [];
  let loops: readonly Promise<void>[] = [];

  const sleep = (ms: number): Promise<void> =>
    clock.sleep(ms, { signal: stopping.signal }).catch(() => {});

  /** Reads until the worker stops. `from` returns the streams and the count to read; `undefined` if there is no room. */
  async function read(
    purpose: string,
    from: () => { readonly of: 'commands' | readonly number[]; readonly count: number } | undefined,
  ): Promise<void> {
    const reader = openReader(purpose);
    readers.push(reader);
    await reader.ready().catch(() => {});
    while (!intake.isDraining) {
      const next = lease.isCurrent && !intake.isAlone ? from() : undefined;
      if (!next) {
        // A read that is not sent is not refused either.
        refused.delete(purpose);
        await change();
        continue;
      }
      if (next.of !== 'commands') beingRead = next.of;
      try {
        if (mustReadAgain.delete(purpose)) {
          await intake.take(await bus.readAgain(reader, next.of));
        } else {
          const deliveries = await bus.read(reader, next.of, next.count);
          refused.delete(purpose);
          // No other worker reads these partitions, so these events wait here.
          while (next.of !== 'commands' && intake.isAlone && !intake.isDraining) await change();
          await intake.take(deliveries);
        }
      } catch (error) {
        if (intake.isDraining) return;
        mustReadAgain.add(purpose);
        if (!isDisconnected(error) && !refused.has(purpose)) {
          refused.add(purpose);
          log.warn({ error: errorText(error) }, `cannot read ${purpose}: Redis refuses it`);
        }
        await bus.restoreGroups(error);
        await sleep(RETRY_MS);
      }
      if (next.of !== 'commands') beingRead = [];
    }
  }

  const lease = new Lease({
    ...options,
    isDraining: () => intake.isDraining,
    inUse: () => new Set([...intake.partitions, ...beingRead]),
    claim: (partitions) => intake.claim(partitions),
    onBack: readAgain,
    onRenewed: wake,
  });

  const roomForCommands = () => {
    const count = Math.min(MAX_READ, concurrency - intake.commandsRunning);
    return count > 0 ? ({ of: 'commands', count } as const) : undefined;
  };
  const roomForEvents = () => {
    const of = lease.partitions;
    const eventsRunning = intake.counts.running - intake.commandsRunning;
    const count = Math.min(MAX_READ, MAX_EVENTS - eventsRunning);
    return of.length > 0 && count > 0 ? { of, count } : undefined;
  };

  async function waitForReady(): Promise<Ready> {
    let logged = '';
    for (;;) {
      let reason = 'no gateway has connected to the platform';
      let level: 'info' | 'warn' = 'info';
      try {
        await bus.createGroups();
        const ready = await bus.readReady();
        if (ready) return ready;
      } catch (error) {
        reason = errorText(error);
        level = 'warn';
      }
      stopping.signal.throwIfAborted();
      if (reason !== logged) log[level]({ reason }, 'this worker waits');
      logged = reason;
      await sleep(POLL_READY_MS);
    }
  }

  return {
    get counts(): Intake['counts'] {
      return intake.counts;
    },
    health: (): GatewayHealth => ({
      isReady: lease.isCurrent && refused.size === 0,
      readyAgeMs: readyAtMs === undefined ? undefined : clock.monotonic() - readyAtMs,
      ackAgeMs: lease.ageMs,
      heartbeatMs: undefined,
    }),
    async connect(given: BotListener) {
      intake.listener = given;
      const ready = await waitForReady();
      readyAtMs = clock.monotonic();
      given.status?.({ state: 'ready', ready, reconnected: false });
      loops = [
        lease.keep(stopping.signal),
        read('commands', roomForCommands),
        read('events', roomForEvents),
      ];
      return ready;
    },
    drain() {
      intake.isDraining = true;
      wake();
    },
    watch: (channelId: string, sinceMs: number) => watched.watch(channelId, sinceMs),
    // The figures of the whole bot replace those of the same name.
    metrics: async () => ({ ...intake.counts, ...(await bus.figures().catch(() => ({}))) }),
    async close() {
      intake.isDraining = true;
      wake();
      watched.close();
      await intake.close(ACKNOWLEDGE_MS);
      stopping.abort(new Error('the worker was closed'));
      for (const reader of readers) reader.close();
      await Promise.all(loops);
      await bus.leave().catch(() => {});
    },
  };
}
