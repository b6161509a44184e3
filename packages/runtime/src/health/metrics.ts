import type * as prom from 'prom-client';
import type { BotObserver } from '../command/observer.js';
import type { MetricsText } from './health-server.js';
import type { VitalsReader } from './vitals.js';

/** Buckets for the duration of commands, in seconds: from the quickest answer to the longest wait of users. */
const DURATIONS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The library of the metrics. An optional peer dependency: the library is large, and most bots serve no metrics. */
export type PromClient = Pick<
  typeof prom,
  'collectDefaultMetrics' | 'Counter' | 'Gauge' | 'Histogram' | 'Registry'
>;

/** Creates the metrics of a bot, and the observer that updates them. `text` returns the format of Prometheus. */
export function createBotMetrics(
  vitals: VitalsReader,
  { collectDefaultMetrics, Counter, Gauge, Histogram, Registry }: PromClient,
) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const commands = new Counter({
    name: 'virgule_commands_total',
    help: 'Completed commands by outcome: the final state of the interaction, or the reason of the failure.',
    labelNames: ['command', 'outcome'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'virgule_command_duration_seconds',
    help: 'Time from the receipt of a command to its end.',
    labelNames: ['command'] as const,
    buckets: DURATIONS_SECONDS,
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
  const gauge = (name: string, help: string, read: () => number): void => {
    void new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
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
      ended({ name: command, outcome, result, ms = 0 }) {
        commands.inc({ command, outcome: result === 'ok' ? outcome : result });
        durations.observe({ command }, ms / 1_000);
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
