import { changeError, isVirguleError, type VirguleError } from '@virgule/core/errors';
import type { ResolvedConfig } from '../config/read-config.js';
import type { Manifest } from '../scan/scan.js';
import { sqlite } from './sqlite-storage.js';

/**
 * Returns a problem if the storage of a bot cannot be used here: the configured storage, or SQLite, the default storage of
 * tasks and stored cooldowns. Node.js 20 does not have SQLite.
 */
export async function missingStorage(
  { tasks: [task] }: Pick<Manifest, 'tasks'>,
  { storage, scale, cooldowns }: Pick<ResolvedConfig, 'storage' | 'scale' | 'cooldowns'>,
  fallback = sqlite(),
): Promise<VirguleError[]> {
  const needsFallback = !scale && (task !== undefined || cooldowns === 'storage');
  const setting = storage ?? (needsFallback ? fallback : undefined);
  try {
    await setting?.check?.();
    return [];
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    const location = storage || !task ? undefined : { file: task.file };
    return [changeError(error, { location })];
  }
}
