import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { resolveProfile } from '@virgule/core/protocol';
import type { ResolvedConfig } from '../config/read-config.js';
import { readConnection } from '../process/read-env.js';
import type { ScaleContext, ScaledProcess } from '../scale/scale.js';
import { sqlite } from '../storage/sqlite-storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import type { StorageSetting } from '../storage/storage-driver.js';

/** Maximum number of attempts to read the application from the platform. */
const MAX_TRIES = 3;

/**
 * Connects to the server of the setting `scale` as the bot; resolves to `undefined` without this setting. The caller closes the
 * connection.
 */
export async function openScaled(
  config: ResolvedConfig,
  context: Pick<ScaleContext, 'env' | 'signal' | 'hide'>,
): Promise<ScaledProcess | undefined> {
  if (!config.scale) return undefined;
  const connection = readConnection(context.env, config);
  const rest = createRest({ ...connection, log: silentLog, maxTries: MAX_TRIES });
  try {
    const { applicationId } = await rest.users.me({ signal: context.signal });
    return await config.scale.open({
      ...context,
      applicationId,
      maxAgeMs: resolveProfile(config.profile).deferredWindowMs,
      clock: systemClock,
      log: silentLog,
      wait: false,
    });
  } finally {
    await rest.close();
  }
}

/** Returns the connection to the storage of a bot. `byDefault`: storage of a bot without the setting. */
export const connectStorage = (
  config: ResolvedConfig,
  openScale: () => Promise<ScaledProcess | undefined>,
  root: string,
  byDefault = config.scale ? scaledStorage(openScale) : sqlite(),
): StorageConnection =>
  new StorageConnection(config.storage ?? byDefault, { clock: systemClock, log: silentLog, root });

/** Returns the storage that the processes of a bot with `scale` share. */
function scaledStorage(openScale: () => Promise<ScaledProcess | undefined>): StorageSetting {
  return {
    name: 'the server of scale',
    async open(options) {
      const scaled = await openScale();
      // Another mode may lack the setting.
      if (!scaled) return sqlite().open(options);
      const driver = await scaled.stores.storage
        .open(options)
        .catch((error: unknown) => scaled.close().then(() => Promise.reject(error)));
      return { ...driver, close: () => driver.close().then(() => scaled.close()) };
    },
  };
}
