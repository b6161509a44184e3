import type { GatewayEvent, GatewayListener, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import { createDeadlines } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { EVENTS, type EventName } from '@virgule/core/protocol';
import type { GatewayPort, ScaledGateway, ScaledGatewayOptions } from '@virgule/runtime/project';
import { idOf, type Entry, type EventEntry } from '../bus/entry.js';
import { isDisconnected } from '../connection/connection.js';
import type { RoleParts } from './role-parts.js';
import { Outbox } from './outbox.js';
import { SharedIdentifies } from './shared-identifies.js';
import { Twins } from './twins.js';

/** How long a gateway leads after it renewed its lease, in milliseconds: longer than a restart of Redis takes. */
const LEASE_MS = 5_000;
const RENEW_MS = 1_000;
/**
 * When the gateway checks whether a worker runs a command, and defers it if none does: shares of the time until the
 * auto-defer. The later ones are for a worker that ends before it has deferred the command itself.
 */
const EDGES = [0.6, 0.95, 1.3, 1.6];
/** Time for one defer, in milliseconds. */
const DEFER_DEADLINE_MS = 1_000;
/** Time in which Redis says whether a worker runs a command, in milliseconds. */
const STATE_MS = 300;
/** Time to append what waits at a shutdown, in milliseconds. */
const FLUSH_MS = 5_000;
/** Time between two looks at what workers have not read, in milliseconds. */
const LOOK_MS = 10_000;
/** Two gateways that take turns leave a gap of this many milliseconds at least, before it is reported. */
const MIN_GAP_MS = 2_000;

export interface GatewayRoleOptions
  extends RoleParts, Omit<ScaledGatewayOptions, 'rest' | 'onStatus'> {
  readonly rest: Pick<Rest, 'interactions'>;
  /**
   * `standby`: of several gateways one is connected, and another follows when it ends. `live`: all are connected, for a
   * platform that sends each event to every connection.
   */
  readonly mode: 'standby' | 'live';
  readonly onStatus?: ScaledGatewayOptions['onStatus'] | undefined;
}

export interface GatewayRole extends ScaledGateway {
  /** Events that are not in Redis yet. */
  readonly waiting: number;
}

type ReadyStatus = Extract<GatewayStatus, { state: 'ready' }>;

/** Starts to pass events of the platform on to workers. */
export function startGateway(options: GatewayRoleOptions): GatewayRole {
  const { bus, time, clock, log, rest, open, defers, mode, trace, onClosed, onStatus } = options;
  /** Number of the next entry: one that is sent again has the same, and is appended once. */
  let number = 1;
  const outbox = new Outbox<Entry>({
    async send(batch) {
      await bus.append(number, batch);
      number += batch.length;
    },
    name: 'events',
    clock,
    log,
    isExpendable: (entry) => 't' in entry && entry.t.startsWith('MESSAGE_'),
  });
  const deadlines = createDeadlines(clock);
  const stopping = new AbortController();
  let [resolveReady, rejectReady]: [() => void, (reason: unknown) => void] = [() => {}, () => {}];
  const ready = new Promise<void>((...settle) => ([resolveReady, rejectReady] = settle));
  // The caller may not wait for it.
  ready.catch(() => {});
  const twins = new Twins(clock);
  const identifies = new SharedIdentifies(options);
  let gateway: GatewayPort | undefined;
  /** The connection that is ready, and whether the workers know of it. */
  let connected:
    | { readonly status: ReadyStatus; readonly sinceMs: number; isStored: boolean }
    | undefined;

  const listener: GatewayListener = {
    dispatch(event) {
      const { t, d, receivedAtMs, recovered } = event;
      const atMs = time.fromMonotonic(receivedAtMs);
      const twin = mode === 'live' ? twins.nameOf(event) : undefined;
      const entry: EventEntry = { t, d, atMs, recovered, twin, trace: trace?.(event) };
      outbox.push(entry);
      if (t === 'APPLICATION_COMMAND') void deferIfLate(event, entry);
    },
    status(status) {
      onStatus?.(status);
      connected = undefined;
      if (status.state === 'ready') noteReady(status);
      else if (status.state !== 'closed') outbox.push({ status });
      else if (status.error) onClosed(status.error);
    },
  };

  /** Shows the thinking state of a command that no worker runs. */
  async function deferIfLate({ d, receivedAtMs }: GatewayEvent, entry: EventEntry): Promise<void> {
    const id = idOf(entry);
    const { name }: { name?: unknown } = Object(d);
    const { afterMs, isSilent } = defers(String(name));
    if (id === undefined || afterMs === null) return;
    for (const edge of EDGES) {
      await new Promise<void>((resolve) => deadlines.add(receivedAtMs + edge * afterMs, resolve));
      const state = await stateOf(id);
      if (state === 'ended') return;
      if (state === 'running') continue;
      // Read by the worker if the entry is still here.
      entry.isDeferred = true;
      log.debug({ interactionId: id }, 'no worker runs a command; deferring it');
      const options = { deadlineMs: DEFER_DEADLINE_MS };
      const { interactions } = rest;
      try {
        await (isSilent ? interactions.ack(id, options) : interactions.defer(id, options));
      } catch (error) {
        // It was answered meanwhile, or a worker defers it too.
        log.debug({ interactionId: id, error: errorText(error) }, 'could not defer a command');
      }
      return;
    }
  }

  /** Returns whether a command is late. Without Redis that is unknown, and a second defer is allowed. */
  function stateOf(id: string): Promise<'late' | 'running' | 'ended'> {
    const giveUp = clock.sleep(STATE_MS).then(() => 'late' as const);
    return Promise.race([bus.markIfLate(id).catch(() => 'late' as const), giveUp]);
  }

  function noteReady(status: ReadyStatus): void {
    const { ready, reconnected } = status;
    log.info({ servers: ready.serverIds.length, reconnected }, 'this gateway is connected');
    if (reconnected) outbox.push({ status });
    connected = { status, sinceMs: clock.monotonic(), isStored: false };
    // If it fails, it is stored with the next renewal of the lease.
    storeConnected().catch(() => {});
  }

  /** Stores that it is connected. Reports a gap since a gateway was, the first time. */
  async function storeConnected(): Promise<void> {
    const current = connected;
    if (!current) return;
    const { status, sinceMs, isStored } = current;
    if (!isStored) await bus.storeReady(status.ready);
    const lastMs = await bus.storeConnected(time.fromMonotonic(clock.monotonic()));
    // Redis lost its data.
    if (isStored && lastMs === undefined) await bus.storeReady(status.ready);
    current.isStored = true;
    const toMs = time.fromMonotonic(sinceMs);
    const ms = Math.round(toMs - (lastMs ?? toMs));
    // A connection that was lost by this process has reported its own gap.
    if (isStored || status.reconnected || ms < MIN_GAP_MS) return;
    const [from = '', to = ''] = [toMs - ms, toMs].map((atMs) => new Date(atMs).toISOString());
    const unrecoverable = Object.keys(EVENTS) as EventName[];
    const gap = { from, to, ms, unrecoverable, reason: 'no gateway was connected' };
    outbox.push({ status: { state: 'gap', ...gap } });
  }

  async function lead(): Promise<void> {
    if (gateway) return;
    // Read now: the gateway that led before has identified, too.
    await identifies.share();
    if (stopping.signal.aborted) return;
    log.info({}, 'this gateway connects to the platform');
    gateway = open(identifies);
    gateway.connect(listener).then(
      () => resolveReady(),
      (error: unknown) => {
        rejectReady(error);
        if (!stopping.signal.aborted && isVirguleError(error)) onClosed(error);
      },
    );
  }

  async function follow(): Promise<void> {
    if (!gateway) return;
    log.warn({}, 'another gateway leads; disconnecting from the platform');
    const former = gateway;
    gateway = undefined;
    connected = undefined;
    await former.close();
  }

  /** Reports events that were dropped from Redis before a worker read them: again when they are twice as many. */
  async function reportLost(): Promise<void> {
    let reported = 0;
    while (!stopping.signal.aborted) {
      await clock.sleep(LOOK_MS, { signal: stopping.signal }).catch(() => {});
      const unread = gateway && (await bus.unreadEvents().catch(() => undefined));
      if (!unread || unread.lost <= 2 * reported) continue;
      reported = unread.lost;
      const message =
        'events are lost: Redis keeps about 10,000 of a partition until a worker reads them';
      log.error({ ...unread }, message);
    }
  }

  async function renew(): Promise<void> {
    let hasGroups = false;
    let isAway = false;
    let isRefused = false;
    while (!stopping.signal.aborted) {
      const sentAtMs = clock.monotonic();
      try {
        const { nowMs, isHeld } = await bus.acquire('leader', LEASE_MS);
        time.measure(nowMs, sentAtMs);
        if (!hasGroups) await bus.createGroups();
        hasGroups = true;
        if (stopping.signal.aborted) return;
        if (isHeld || mode === 'live') {
          // The others identify too.
          if (gateway && mode === 'live') await identifies.share();
          await lead();
        } else {
          await follow();
          resolveReady();
          // It is well, and not connected.
          onStatus?.({ state: 'reconnecting', reason: 'standby', attempt: 0, delayMs: RENEW_MS });
        }
        // A full Redis refuses it, and the lease is renewed.
        const refusal = await storeConnected().catch((error: unknown) => {
          if (isDisconnected(error)) throw error;
          return errorText(error);
        });
        if (refusal !== undefined && !isRefused)
          log.warn({ error: refusal }, 'cannot store that this gateway is connected');
        isRefused = refusal !== undefined;
        if (isAway) log.info({}, 'the gateway is back');
        isAway = false;
      } catch (error) {
        // Whether another one leads is unknown: a connection that works stays.
        if (!isAway) log.warn({ error: errorText(error) }, 'the gateway cannot renew its lease');
        isAway = true;
      }
      await clock.sleep(RENEW_MS, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = Promise.all([renew(), reportLost()]);
  return {
    ready,
    get waiting() {
      return outbox.waiting;
    },
    metrics: async () => ({
      ...(await bus.figures().catch(() => ({}))),
      outbox_waiting: outbox.waiting,
      outbox_dropped: outbox.dropped,
    }),
    async close() {
      stopping.abort();
      rejectReady(new Error('the gateway was closed'));
      await gateway?.close();
      const lost = await outbox.close(FLUSH_MS);
      if (lost > 0) log.error({ lost }, 'events are lost: Redis was away until the end');
      await running;
      await bus.unlease('leader').catch(() => {});
    },
  };
}
