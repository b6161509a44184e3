import type * as prom from 'prom-client';
import type { BotObserver, Work } from '../command/observer.js';
import type { MetricsText } from './health-server.js';
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

/** Creates the metrics of a bot, and the observer that updates them. `text` returns the format of Prometheus. */
export function createBotMetrics(
  vitals: VitalsReader,
  { collectDefaultMetrics, Counter, Gauge, Histogram, Registry }: PromClient,
  openAsks: () => Promise<number>,
) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const metric = <Label extends string = never>(
    name: string,
    help: string,
    ...labels: Label[]
  ) => ({
    name: `virgule_${name}`,
    help,
    labelNames: labels,
    registers,
  });
  const measure = (kind: Work['kind'], plural: string, what: string) => ({
    total: new Counter(
      metric(`${plural}_total`, `Completed ${what}.`, 'name', 'outcome', 'caller'),
    ),
    durations: new Histogram({
      ...metric(`${kind}_duration_seconds`, `Duration of ${what}.`, 'name'),
      buckets: DURATIONS_SECONDS,
    }),
  });
  const measures = {
    command: measure('command', 'commands', 'commands, from their receipt'),
    call: measure('call', 'calls', 'commands that code or a language model called'),
    event: measure('event', 'events', 'runs of event handlers, from the receipt of the event'),
    task: measure('task', 'tasks', 'attempts of tasks'),
    rest: measure('rest', 'rest', 'REST calls, with their waits and retries'),
    storage: measure('storage', 'storage', 'uses of the storage'),
  };
  const delays = new Histogram({
    ...metric('task_lateness_seconds', 'Delay of attempts of tasks after they were due.', 'name'),
    buckets: DELAYS_SECONDS,
  });
  const reconnects = new Counter(
    metric('gateway_reconnects_total', 'Times the connection was lost and restored.'),
  );
  const gapSeconds = new Counter(
    metric('gateway_gap_seconds_total', 'Time without a connection, counted when it is over.'),
  );
  /** Adds a metric whose value is read when metrics are collected. */
  const reading =
    (Metric: typeof Gauge | typeof Counter) =>
    (name: string, help: string, read: () => number | Promise<number>): void =>
      void new Metric({
        ...metric(name, help),
        async collect() {
          const value = await read();
          this.reset();
          this.inc(value);
        },
      });
  const counter = reading(Counter);
  const gauge = reading(Gauge);
  counter('rest_rate_limited_total', 'Answers 429 of the platform.', () => {
    return vitals.parts?.rest.limits().rateLimited ?? 0;
  });
  counter('gateway_silences_total', 'Connections replaced for lack of events.', () => {
    const gateway = vitals.parts?.gateway;
    return gateway && isSocketGateway(gateway) ? gateway.counts.silences : 0;
  });
  const inSeconds = (ms = Number.NaN): number => ms / 1_000;
  gauge('gateway_ready', '1 while a connection is READY.', () => Number(vitals.read().isReady));
  gauge('gateway_ready_age_seconds', 'Time since READY.', () =>
    inSeconds(vitals.read().readyAgeMs),
  );
  gauge('gateway_ack_age_seconds', 'Time since the last heartbeat was acknowledged.', () =>
    inSeconds(vitals.read().ackAgeMs),
  );
  gauge('asks_open', 'Open questions of tasks, at most 1,000.', openAsks);
  gauge('rest_breaker_open', 'Origins that cannot be reached.', () => {
    return vitals.read().openBreakers.length;
  });
  gauge('rest_in_flight', 'REST calls in flight.', () => sum('inFlight'));
  gauge('rest_queued', 'REST calls that are queued.', () => sum('queued'));
  void new Gauge({
    ...metric('scale', 'Figures of a bot of several processes, by name.', 'figure'),
    async collect() {
      this.reset();
      // The other metrics are still served if the server of the queue does not answer.
      const figures = (await vitals.parts?.metrics?.().catch(() => undefined)) ?? {};
      for (const [figure, value] of Object.entries(figures)) this.set({ figure }, value);
    },
  });
  function sum(part: 'inFlight' | 'queued'): number {
    const limits = vitals.parts?.rest.limits();
    return limits ? Object.values<number>(limits[part]).reduce((all, count) => all + count, 0) : 0;
  }

  return {
    observer: {
      ended({ kind, name: given, outcome = 'ok', result = 'ok', caller, lateMs, ms = 0 }) {
        // The name of a raw request is its path.
        const name = kind === 'rest' && given.includes(' ') ? 'request' : given;
        const { total, durations } = measures[kind];
        total.inc({ name, outcome: result === 'ok' ? outcome : result, ...(caller && { caller }) });
        durations.observe({ name }, ms / 1_000);
        if (lateMs !== undefined) delays.observe({ name }, lateMs / 1_000);
      },
      status(change) {
        if (change.state === 'ready' && change.reconnected) reconnects.inc();
        if (change.state === 'gap') gapSeconds.inc(change.ms / 1_000);
      },
    } satisfies BotObserver,
    text: async (): Promise<MetricsText> => ({
      contentType: registry.contentType,
      text: await registry.metrics(),
    }),
  };
}
