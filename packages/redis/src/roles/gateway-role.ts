import type { GatewayEvent, GatewayListener, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import { createDeadlines } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { createOutage } from '@virgule/core/log';
import { EVENTS, type EventName } from '@virgule/core/protocol';
import type { GatewayPort, ScaledGateway, ScaledGatewayOptions } from '@virgule/runtime/bot';
import { idOf, type Entry, type EventEntry } from '../bus/entry.js';
import { isDisconnected } from '../connection/connection.js';
import type { RoleParts } from './role-parts.js';
import { Outbox } from './outbox.js';
import { SharedIdentifies } from './shared-identifies.js';
import { Twins } from './twins.js';

/** Time that a gateway leads after a renewal of its lease, in milliseconds: longer than a restart of Redis. */
const LEASE_MS = 5_000;
const RENEW_MS = 1_000;
/**
 * Times at which the gateway defers a command that no worker runs, as shares of the time until the auto-defer. The later
 * times are for a worker that ends before it has deferred the command itself.
 */
const EDGES = [0.6, 0.95, 1.3, 1.6];
const DEFER_DEADLINE_MS = 1_000;
/** Time limit for Redis to return the state of a command, in milliseconds. */
const STATE_MS = 300;
const FLUSH_MS = 5_000;
const LOST_CHECK_MS = 10_000;
/** Shortest gap between two gateways that is reported, in milliseconds. */
const MIN_GAP_MS = 2_000;

export interface GatewayRoleOptions
  extends RoleParts, Omit<ScaledGatewayOptions, 'rest' | 'onStatus'> {
  readonly rest: Pick<Rest, 'interactions'>;
  /**
   * `standby`: a single gateway is connected, and another gateway replaces it when it ends. `live`: all gateways are
   * connected, for a platform that sends each event to every connection.
   */
  readonly mode: 'standby' | 'live';
  readonly onStatus?: ScaledGatewayOptions['onStatus'] | undefined;
}

type ReadyStatus = Extract<GatewayStatus, { state: 'ready' }>;

export function startGateway(options: GatewayRoleOptions) {
  const { bus, time, clock, log, rest, open, defers, mode, trace, onClosed, onStatus } = options;
  /** Number of the next entry. A repeated entry keeps its number, so it is appended once. */
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
  // The caller may never await `ready`.
  ready.catch(() => {});
  const twins = new Twins(clock);
  const identifies = new SharedIdentifies(options);
  let gateway: GatewayPort | undefined;
  /** Ready connection; `isStored` is true once its READY is in Redis. */
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
      // A former connection closes while this gateway is a standby.
      if (!gateway) return;
      onStatus?.(status);
      connected = undefined;
      if (status.state === 'ready') noteReady(status);
      else if (status.state !== 'closed') outbox.push({ status });
      else if (status.error) onClosed(status.error);
    },
  };

  /** Defers a command that no worker runs, so that the user sees the thinking state. */
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
      // The mark reaches the worker if the entry is not sent yet.
      entry.isDeferred = true;
      log.debug({ interactionId: id }, 'no worker runs a command; deferring it');
      const options = { deadlineMs: DEFER_DEADLINE_MS };
      const { interactions } = rest;
      try {
        await (isSilent ? interactions.ack(id, options) : interactions.defer(id, options));
      } catch (error) {
        // A worker may have answered or deferred the command in this moment. To repeat the call keeps a slow platform busy.
        log.debug({ interactionId: id, error: errorText(error) }, 'could not defer a command');
      }
      return;
    }
  }

  /** Returns the state of a command; `late` without an answer of Redis, because a second defer is harmless. */
  function stateOf(id: string): Promise<'late' | 'running' | 'ended'> {
    const giveUp = clock.sleep(STATE_MS).then(() => 'late' as const);
    return Promise.race([bus.markIfLate(id).catch(() => 'late' as const), giveUp]);
  }

  function noteReady(status: ReadyStatus): void {
    const { ready, reconnected } = status;
    log.info({ servers: ready.serverIds.length, reconnected }, 'this gateway is connected');
    if (reconnected) outbox.push({ status });
    connected = { status, sinceMs: clock.monotonic(), isStored: false };
    // After a failure, the next renewal of the lease stores it.
    storeConnected().catch(() => {});
  }

  /** Stores that this gateway is connected. The first call reports the gap since the last connection of any gateway. */
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
    // A reconnect of this process has reported its own gap.
    if (isStored || status.reconnected || ms < MIN_GAP_MS) return;
    const [from = '', to = ''] = [toMs - ms, toMs].map((atMs) => new Date(atMs).toISOString());
    const unrecoverable = Object.keys(EVENTS) as EventName[];
    const gap = { from, to, ms, unrecoverable, reason: 'no gateway was connected' };
    log.warn(gap, `no gateway was connected for ${ms} ms; events of that time are lost`);
    outbox.push({ status: { state: 'gap', ...gap } });
  }

  async function lead(): Promise<void> {
    if (gateway) return;
    // The former leader has identified too, so its times are read now.
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

  /** Reports events that Redis dropped before a worker read them. Reports again when their number has doubled. */
  async function reportLost(): Promise<void> {
    let reported = 0;
    while (!stopping.signal.aborted) {
      await clock.sleep(LOST_CHECK_MS, { signal: stopping.signal }).catch(() => {});
      const unread = gateway && (await bus.unreadEvents().catch(() => undefined));
      if (!unread || unread.lost <= 2 * reported) continue;
      reported = unread.lost;
      const message =
        'events are lost: Redis keeps only about 10,000 unread events of each partition';
      log.error({ ...unread }, message);
    }
  }

  async function renew(): Promise<void> {
    let hasGroups = false;
    const outage = createOutage(log);
    const refusals = createOutage(log);
    while (!stopping.signal.aborted) {
      const sentAtMs = clock.monotonic();
      try {
        const { nowMs, isHeld } = await bus.acquire('leader', LEASE_MS);
        time.measure(nowMs, sentAtMs);
        if (!hasGroups) await bus.createGroups();
        hasGroups = true;
        if (stopping.signal.aborted) return;
        if (isHeld || mode === 'live') {
          // The other gateways identify too.
          if (gateway && mode === 'live') await identifies.share();
          await lead();
        } else {
          await follow();
          resolveReady();
          // A standby gateway is healthy although it is not connected.
          onStatus?.({ state: 'reconnecting', reason: 'standby', attempt: 0, delayMs: RENEW_MS });
        }
        // A full Redis refuses this write but renews the lease.
        await storeConnected().then(
          () => refusals.ended(),
          (error: unknown) => {
            if (isDisconnected(error)) throw error;
            refusals.failed(error, 'cannot store that this gateway is connected');
          },
        );
        outage.ended('the gateway is back');
      } catch (error) {
        // The leader is unknown without Redis, so a working connection stays open.
        outage.failed(error, 'the gateway cannot renew its lease');
      }
      await clock.sleep(RENEW_MS, { signal: stopping.signal }).catch(() => {});
    }
  }

  const running = Promise.all([renew(), reportLost()]);
  return {
    ready,
    metrics: async (): Promise<Record<string, number>> => ({
      ...(await bus.figures().catch(() => ({}))),
      outbox_waiting: outbox.waiting,
      outbox_dropped: outbox.dropped,
      standby: Number(!gateway),
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
  } satisfies ScaledGateway;
}
