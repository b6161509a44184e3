import { errorText } from '@virgule/core/errors';
import type { StorageConnection } from '../storage/storage.js';
import type { TaskQueue } from '../tasks/task-queue.js';
import type { OpenedVoice } from '../voice/voice-setting.js';

/** What a bot declares and does not have now, besides its connection: one line each. */
export interface Readiness {
  /** What it is not ready without. */
  readonly reasons: readonly string[];
  /** What it works without, in part. */
  readonly degraded: readonly string[];
}

export interface ReadinessParts {
  readonly tasks: Pick<TaskQueue, 'failure'>;
  /** The storage, if the bot declares one. */
  readonly storage: Pick<StorageConnection, 'run'> | undefined;
  readonly voice: Pick<OpenedVoice, 'missing'>;
}

/** Reads what a bot declares and does not have now. Never rejects. */
export async function readReadiness({ tasks, storage, voice }: ReadinessParts): Promise<Readiness> {
  const [unstored, unheard] = await Promise.all([
    // Tasks read the storage all the time.
    tasks.failure ?? storage?.run((driver) => driver.get('readiness')).then(() => {}, errorText),
    voice.missing?.().catch(errorText),
  ]);
  const lines = (line: string | undefined | void): readonly string[] => (line ? [line] : []);
  return { reasons: lines(unstored), degraded: lines(unheard) };
}
