import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import type { ScaledProcess, StorageSetting } from '@virgule/runtime';
import { readConnection } from '@virgule/runtime/process';
import { settingsForMode } from '@virgule/runtime/project';
import { loadSettings } from '../project/load-settings.js';
import { cliErrors } from './cli-errors.js';
import type { Io } from './io.js';
import { readIoEnv } from './read-io-env.js';

/** How often the platform is asked for the application. */
const MAX_TRIES = 3;

/**
 * Connects to the server of the setting `scale`, in the name of the bot. The caller closes it.
 *
 * @throws VirguleError `E_NOT_SCALED` if the bot has no such setting, and what connecting throws.
 */
export async function openScale(io: Io, mode: string): Promise<ScaledProcess> {
  const env = readIoEnv(io, mode);
  const settings = await loadSettings({ root: io.cwd, env, redact: io.redact });
  const config = settingsForMode(settings, { mode, root: io.cwd });
  if (!config.scale) throw cliErrors.E_NOT_SCALED({});
  const connection = readConnection(env, config);
  const rest = createRest({ ...connection, log: silentLog, maxTries: MAX_TRIES });
  try {
    const { applicationId } = await rest.users.me({ signal: io.interrupt });
    return await config.scale.open({
      env,
      applicationId,
      clock: systemClock,
      log: silentLog,
      wait: false,
      signal: io.interrupt,
      hide: (texts) => io.redact.hide(texts),
    });
  } finally {
    await rest.close();
  }
}

/** Returns the storage that the processes of a bot with `scale` share. */
export function scaledStorage(io: Io): StorageSetting {
  return {
    name: 'the server of scale',
    async open(options) {
      const scaled = await openScale(io, 'production');
      try {
        const driver = await scaled.stores.storage.open(options);
        return {
          ...driver,
          async close() {
            await driver.close();
            await scaled.close();
          },
        };
      } catch (error) {
        await scaled.close();
        throw error;
      }
    },
  };
}
