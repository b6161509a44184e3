import { onAbort } from '@virgule/core/abort';
import type { BotEnvironment } from '../command/environment.js';
import type { StoredRun } from './stored-run.js';
import { LEASE_MS, type TaskStore } from './task-store.js';

/**
 * Keeps the claim of a run until `signal` is aborted or another process has the run. Never rejects.
 *
 * @param runOf - returns the run as it is stored now.
 */
export async function renewClaim(
  { clock, log }: Pick<BotEnvironment, 'clock' | 'log'>,
  store: TaskStore,
  runOf: () => StoredRun,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    // A timer of the clock does not keep the process alive; a sleep would.
    await new Promise<void>((resolve) => {
      const timer = clock.setTimeout(resolve, LEASE_MS / 3, { isRoutine: true });
      onAbort(signal, () => {
        timer.cancel();
        resolve();
      });
    });
    if (signal.aborted) return;
    const run = runOf();
    const isOwn = await store.renew(run).catch(() => true);
    if (isOwn || signal.aborted) continue;
    log.warn({ run: run.id }, 'another process has begun a run that is still in progress here');
    return;
  }
}
