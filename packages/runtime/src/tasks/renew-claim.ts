import type { Timer } from '@virgule/core/clock';
import type { BotEnvironment } from '../command/environment.js';
import type { StoredRun } from './stored-run.js';
import { LEASE_MS, type TaskStore } from './task-store.js';

/**
 * Keeps the claim of a run until the returned function is called or another process has the run.
 *
 * @param runOf - returns the run as it is stored now.
 */
export function renewClaim(
  { clock, log }: Pick<BotEnvironment, 'clock' | 'log'>,
  store: TaskStore,
  runOf: () => StoredRun,
): () => void {
  let timer: Timer | undefined;
  let isOver = false;
  const renewLater = (): void => {
    timer = clock.setTimeout(() => void renew(), LEASE_MS / 3, { isRoutine: true });
  };
  const renew = async (): Promise<void> => {
    const run = runOf();
    const isOwn = await store.renew(run).catch(() => true);
    if (isOver) return;
    if (isOwn) renewLater();
    else
      log.warn({ run: run.id }, 'another process has begun a run that is still in progress here');
  };
  renewLater();
  return () => {
    isOver = true;
    timer?.cancel();
  };
}
