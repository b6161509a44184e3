import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { BotObserver } from '../command/observer.js';
import type { ServicesRun } from '../services/create-services.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { TaskQueue } from '../tasks/task-queue.js';
import type { OpenedVoice } from '../voice/voice-setting.js';
import { createBotMetrics, type PromClient } from './metrics.js';
import type { HealthAddress } from './health-address.js';
import { startHealthServer, type Readiness } from './health-server.js';
import { createVitals } from './vitals.js';

/** Maximum number of open questions that are counted. */
const MAX_ASKS = 1_000;

export interface HealthOptions extends HealthAddress {
  readonly clock: Clock;
  readonly log: Log;
  /** Imports the library of the metrics. @defaultValue the installed `prom-client` */
  readonly importMetrics?: (() => Promise<PromClient>) | undefined;
}

/** The parts of a bot that must work for it to be ready, other than its connection. */
interface Needs {
  readonly tasks: Pick<TaskQueue, 'failure' | 'tasks' | 'asks'>;
  readonly storage: Pick<StorageConnection, 'get'> | undefined;
  readonly voice: Pick<OpenedVoice, 'missing'>;
  readonly services?: Pick<ServicesRun, 'created'> | undefined;
}

export type Health = Awaited<ReturnType<typeof startHealth>>;

/** Serves the health of a bot until `close`. @throws VirguleError `E_HEALTH_LISTEN`. */
export async function startHealth(options: HealthOptions) {
  const { clock, log, importMetrics = () => import('prom-client'), ...address } = options;
  let parts: Needs | undefined;
  let isCreating = false;
  const vitals = createVitals(clock);
  const metrics = await importMetrics().then(
    (prom) => createBotMetrics(vitals, prom, () => countAsks(parts?.tasks)),
    // `prom-client` is not installed.
    () => undefined,
  );
  const server = await startHealthServer({
    ...address,
    vitals: () => vitals.read(),
    readiness: () => readReadiness(parts, isCreating),
    metrics: metrics?.registry,
  });
  log.info({ url: server.url }, `serving health at ${server.url}/healthz`);
  const observers: BotObserver[] = [vitals.observer, ...(metrics ? [metrics.observer] : [])];
  return {
    url: server.url,
    observers,
    /** Called with the parts of the bot that must work for it to be ready. */
    needs(given: Needs): void {
      parts = given;
      isCreating = given.services !== undefined;
      // A rejection needs no handling here: it ends the bot.
      void given.services?.created.then(
        () => (isCreating = false),
        () => {},
      );
    },
    /** Called when the bot takes no more commands. */
    closing: () => vitals.closing(),
    close: server.close,
    [Symbol.asyncDispose]: server.close,
  };
}

/** Counts open questions. Resolves to `NaN` if they cannot be read. */
async function countAsks(tasks: Needs['tasks'] | undefined): Promise<number> {
  let count = 0;
  // Without tasks, the storage may not even be open.
  if (!tasks?.tasks.size) return count;
  try {
    for await (const _ of tasks.asks.open()) if (++count === MAX_ASKS) break;
    return count;
  } catch {
    return Number.NaN;
  }
}

/** Reads which parts of a bot are missing now. Never rejects. */
async function readReadiness(needs: Needs | undefined, isCreating: boolean): Promise<Readiness> {
  const [unstored, unheard] = await Promise.all([
    // Tasks read the storage regularly, so their failure shows an unreachable storage without a request.
    needs?.tasks.failure ?? needs?.storage?.get('readiness').then(() => undefined, errorText),
    needs?.voice.missing?.().catch(errorText),
  ]);
  const creating = isCreating ? 'the services are being created' : undefined;
  const reasons = [unstored, creating].filter((reason) => reason !== undefined);
  return { reasons, degraded: unheard ? [unheard] : [] };
}
