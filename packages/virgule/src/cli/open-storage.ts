import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { sqlite, StorageConnection } from '@virgule/runtime';
import { DEVELOPMENT_FILE } from '@virgule/runtime/process';
import { listProjectFiles, scan } from '@virgule/runtime/project';
import { loadSettings } from '../project/load-settings.js';
import type { Io } from './io.js';
import { scaledStorage } from './open-scale.js';
import { readableIoEnv } from './read-io-env.js';

/** For commands that read or change what the bot has stored. */
export const DEV_FLAG = {
  dev: { type: 'boolean', about: 'Of `virgule dev`, instead of production' },
} as const;

/** Opens the storage that the settings of the folder's bot name. */
export async function openStorage(
  io: Io,
  { dev = false }: { readonly dev?: boolean },
): Promise<StorageConnection> {
  const root = io.cwd;
  const { problems } = scan(await listProjectFiles(root));
  const missing = problems.find(({ code }) => code === 'E_NO_COMMANDS_FOLDER');
  if (missing) throw missing;
  const env = readableIoEnv(io, 'development');
  const config = await loadSettings({ root, env, redact: io.redact });
  const inProduction = config.scale ? scaledStorage(io) : sqlite();
  const byDefault = dev ? sqlite({ file: DEVELOPMENT_FILE }) : inProduction;
  return new StorageConnection(config.storage ?? byDefault, {
    clock: systemClock,
    log: silentLog,
    root,
  });
}
