import type * as prom from 'prom-client';
import type { BotObserver, Work } from '../command/observer.js';
import { isSocketGateway, type VitalsReader } from './vitals.js';

/** Buckets of durations, in seconds: from a read of the storage to the longest wait of users. */
const DURATIONS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Buckets of the delay of tasks, in seconds. */
const DELAYS_SECONDS = [0.1, 1, 5, 15, 60, 300, 3_600, 86_400];

/** The library of the metrics. An optional peer dependency: the library is large, and most bots serve no metrics. */
export type PromClient = Pick<
  typeof prom,
  'collectDefaultMetrics' | 'Counter' | 'Gauge' | 'Histogram' | 'Registry'
>;

/** Help text of a metric, and a function that returns its value. */
type Reading = readonly [help: string, read: () => number | Promise<number>];

/** Creates the metrics of a bot, the registry that returns them in the format of Prometheus, and the observer that updates them. */
export function createBotMetrics(
  vitals: VitalsReader,
  { collectDefaultMetrics, Counter, Gauge, Histogram, Registry }: PromClient,
  openAsks: () => Promise<number>,
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metric = <Label extends string = never>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ) => ({ name: `virgule_${name}`, help, labelNames, registers: [registry] });
  const histogram = (name: string, help: string, buckets = DURATIONS_SECONDS) =>
    new Histogram({ ...metric(name, help, 'name'), buckets });
  const measure = (kind: Work['kind'], plural: string, what: string) => ({
    total: new Counter(
      metric(`${plural}_total`, `Completed ${what}.`, 'name', 'outcome', 'caller'),
    ),
    durations: histogram(`${kind}_duration_seconds`, `Duration of ${what}.`),
  });
  const measures = {
    command: measure('command', 'commands', 'commands, from their receipt'),
    call: measure('call', 'calls', 'commands that code or a language model called'),
    event: measure('event', 'events', 'runs of event handlers, from the receipt of the event'),
    task: measure('task', 'tasks', 'attempts of tasks'),
    rest: measure('rest', 'rest', 'REST calls, with their waits and retries'),
    storage: measure('storage', 'storage', 'uses of the storage'),
  };
  const lateness = 'Delay of attempts of tasks after they were due.';
  const delays = histogram('task_lateness_seconds', lateness, DELAYS_SECONDS);

  let reconnects = 0;
  let gapMs = 0;
  const limits = () => vitals.parts?.rest.limits();
  const silences = (): number => {
    const gateway = vitals.parts?.gateway;
    return gateway && isSocketGateway(gateway) ? gateway.counts.silences : 0;
  };
  /** Metrics whose values are read when metrics are collected: counters end with `_total`. */
  const readings: Readonly<Record<string, Reading>> = {
    gateway_reconnects_total: ['Times the connection was lost and restored.', () => reconnects],
    gateway_gap_seconds_total: [
      'Time without a connection, counted when it is over.',
      () => inSeconds(gapMs),
    ],
    rest_rate_limited_total: ['Answers 429 of the platform.', () => limits()?.rateLimited ?? 0],
    gateway_silences_total: ['Connections replaced for lack of events.', silences],
    gateway_ready: ['1 while a connection is READY.', () => Number(vitals.read().isReady)],
    gateway_ready_age_seconds: ['Time since READY.', () => inSeconds(vitals.read().readyAgeMs)],
    gateway_ack_age_seconds: [
      'Time since the last heartbeat was acknowledged.',
      () => inSeconds(vitals.read().ackAgeMs),
    ],
    asks_open: ['Open questions of tasks, at most 1,000.', openAsks],
    rest_breaker_open: ['Origins that cannot be reached.', () => vitals.read().openBreakers.length],
    rest_in_flight: ['REST calls in flight.', () => sumOf(limits()?.inFlight)],
    rest_queued: ['REST calls that are queued.', () => sumOf(limits()?.queued)],
  };
  for (const [name, [help, read]] of Object.entries(readings)) {
    const Metric = name.endsWith('_total') ? Counter : Gauge;
    void new Metric({
      ...metric(name, help),
      async collect() {
        const value = await read();
        this.reset();
        this.inc(value);
      },
    });
  }
  void new Gauge({
    ...metric('scale', 'Figures of a bot of several processes, by name.', 'figure'),
    async collect() {
      this.reset();
      // The other metrics are still served if the server of the queue does not answer.
      const figures = (await vitals.parts?.metrics?.().catch(() => undefined)) ?? {};
      for (const [figure, value] of Object.entries(figures)) this.set({ figure }, value);
    },
  });

  return {
    observer: {
      ended({ kind, name, outcome = 'ok', result = 'ok', caller, lateMs, ms = 0 }) {
        const { total, durations } = measures[kind];
        total.inc({ name, outcome: result === 'ok' ? outcome : result, ...(caller && { caller }) });
        durations.observe({ name }, ms / 1_000);
        if (lateMs !== undefined) delays.observe({ name }, lateMs / 1_000);
      },
      status(change) {
        if (change.state === 'ready' && change.reconnected) reconnects += 1;
        if (change.state === 'gap') gapMs += change.ms;
      },
    } satisfies BotObserver,
    registry,
  };
}

const inSeconds = (ms = Number.NaN): number => ms / 1_000;

const sumOf = (counts: Readonly<Record<string, number>> = {}): number =>
  Object.values(counts).reduce((all, count) => all + count, 0);
