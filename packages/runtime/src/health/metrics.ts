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

  const measure = (kind: Work['kind'], plural: string, what: string) => ({
    total: new Counter({
      name: `virgule_${plural}_total`,
      help: `Completed ${what}.`,
      labelNames: ['name', 'outcome', 'caller'] as const,
      registers,
    }),
    durations: new Histogram({
      name: `virgule_${kind}_duration_seconds`,
      help: `Duration of ${what}.`,
      labelNames: ['name'] as const,
      buckets: DURATIONS_SECONDS,
      registers,
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
    name: 'virgule_task_lateness_seconds',
    help: 'Delay of attempts of tasks after they were due.',
    labelNames: ['name'] as const,
    buckets: DELAYS_SECONDS,
    registers,
  });
  const reconnects = new Counter({
    name: 'virgule_gateway_reconnects_total',
    help: 'Times the connection was lost and restored.',
    registers,
  });
  const gapSeconds = new Counter({
    name: 'virgule_gateway_gap_seconds_total',
    help: 'Time without a connection, counted when it is over.',
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    void new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  };
  const counter = (name: string, help: string, read: () => number | undefined): void => {
    void new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read() ?? 0);
      },
    });
  };
  counter('virgule_rest_rate_limited_total', 'Answers 429 of the platform.', () => {
    return vitals.parts?.rest.limits().rateLimited;
  });
  counter('virgule_gateway_silences_total', 'Connections replaced for lack of events.', () => {
    const gateway = vitals.parts?.gateway;
    return gateway && isSocketGateway(gateway) ? gateway.counts.silences : 0;
  });
  const inSeconds = (ms = Number.NaN): number => ms / 1_000;
  gauge('virgule_gateway_ready', '1 while a connection is READY.', () =>
    Number(vitals.read().isReady),
  );
  gauge('virgule_gateway_ready_age_seconds', 'Time since READY.', () =>
    inSeconds(vitals.read().readyAgeMs),
  );
  gauge('virgule_gateway_ack_age_seconds', 'Time since the last heartbeat was acknowledged.', () =>
    inSeconds(vitals.read().ackAgeMs),
  );
  gauge('virgule_asks_open', 'Open questions of tasks, at most 1,000.', openAsks);
  gauge('virgule_rest_breaker_open', 'Origins that cannot be reached.', () => {
    return vitals.read().openBreakers.length;
  });
  gauge('virgule_rest_in_flight', 'REST calls in flight.', () => sum('inFlight'));
  gauge('virgule_rest_queued', 'REST calls that are queued.', () => sum('queued'));
  void new Gauge({
    name: 'virgule_scale',
    help: 'Figures of a bot of several processes, by name.',
    labelNames: ['figure'] as const,
    registers,
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
