import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { sqlite, StorageConnection } from '@virgule/runtime';
import { listProjectFiles, scan } from '@virgule/runtime/project';
import { loadSettings } from '../project/load-settings.js';
import type { Io } from './io.js';
import { scaledStorage } from './open-scale.js';
import { readableIoEnv } from './read-io-env.js';

/** Opens the storage that the settings of the folder's bot name. */
export async function openStorage(io: Io): Promise<StorageConnection> {
  const root = io.cwd;
  const { problems } = scan(await listProjectFiles(root));
  const missing = problems.find(({ code }) => code === 'E_NO_COMMANDS_FOLDER');
  if (missing) throw missing;
  const env = readableIoEnv(io, 'development');
  const config = await loadSettings({ root, env, redact: io.redact });
  const byDefault = config.scale ? scaledStorage(io) : sqlite();
  return new StorageConnection(config.storage ?? byDefault, {
    clock: systemClock,
    log: silentLog,
    root,
  });
}
