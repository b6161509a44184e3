import { isVirguleError, VirguleError } from '@virgule/core/errors';
import { importSqlite, type Manifest, type ResolvedConfig } from '@virgule/runtime/project';

/**
 * Returns what keeps the tasks of a bot from running here: without a setting, they are stored with SQLite, which
 * Node.js 20 does not have. The bot itself notices that at its first use.
 */
export async function missingSqlite(
  { tasks: [task] }: Pick<Manifest, 'tasks'>,
  { storage, scale }: Pick<ResolvedConfig, 'storage' | 'scale'>,
  open: () => Promise<unknown> = importSqlite,
): Promise<VirguleError[]> {
  if (!task || storage || scale) return [];
  try {
    await open();
    return [];
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    const { code, kind, message, hint, details, cause } = error;
    const location = { file: task.file };
    return [new VirguleError({ code, kind, message, hint, details, cause, location })];
  }
}
