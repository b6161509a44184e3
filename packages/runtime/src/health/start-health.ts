import type { Clock } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { BotObserver } from '../bot/bot-observer.js';
import { createBotMetrics, type PromClient } from './bot-metrics.js';
import type { HealthAddress } from './health-address.js';
import { startHealthServer } from './health-server.js';
import { watchLoopLag } from './loop-lag.js';
import { createVitals } from './vitals.js';

export interface HealthOptions extends HealthAddress {
  readonly clock: Clock;
  readonly log: Log;
  /** Imports the library of the metrics. @defaultValue the installed `prom-client` */
  readonly importMetrics?: (() => Promise<PromClient>) | undefined;
}

/** Serves health until `close`. */
export interface Health extends AsyncDisposable {
  readonly url: string;
  /** For the bot. */
  readonly observers: readonly BotObserver[];
  /** Called when the bot takes no more commands. */
  closing(): void;
  close(): Promise<void>;
}

/** Serves the health of a bot. @throws VirguleError `E_HEALTH_LISTEN`. */
export async function startHealth(options: HealthOptions): Promise<Health> {
  const { clock, log, importMetrics = () => import('prom-client'), ...address } = options;
  const lag = watchLoopLag(clock);
  const vitals = createVitals(clock, () => lag.read());
  const metrics = await importMetrics().then(
    (prom) => createBotMetrics(vitals, prom),
    // It is not installed.
    () => undefined,
  );
  try {
    const server = await startHealthServer({
      ...address,
      vitals: () => vitals.read(),
      metrics: metrics && (() => metrics.text()),
    });
    log.info({ url: server.url }, `serving health at ${server.url}/healthz`);
    const close = async (): Promise<void> => {
      lag.close();
      await server.close();
    };
    return {
      url: server.url,
      observers: metrics ? [vitals.observer, metrics.observer] : [vitals.observer],
      closing: () => vitals.closing(),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    lag.close();
    throw error;
  }
}
