import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { resolveProfile } from '@virgule/core/protocol';
import type { ResolvedConfig } from '../config/read-config.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { readConnection } from '../process/read-env.js';
import type { ScaleContext, ScaledProcess } from '../scale/scale.js';
import type { StorageSetting } from '../storage/storage-driver.js';

/** How often the platform is asked for the application. */
const MAX_TRIES = 3;

/**
 * Connects to the server of the setting `scale`, in the name of the bot. The caller closes it.
 *
 * @throws VirguleError `E_NOT_SCALED` if the bot has no such setting, and what connecting throws.
 */
export async function openScaled(
  config: ResolvedConfig,
  context: Pick<ScaleContext, 'env' | 'signal' | 'hide'>,
): Promise<ScaledProcess> {
  if (!config.scale) throw runtimeErrors.E_NOT_SCALED({});
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

/** Returns the storage that the processes of a bot with `scale` share. */
export function scaledStorage(openScale: () => Promise<ScaledProcess>): StorageSetting {
  return {
    name: 'the server of scale',
    async open(options) {
      const scaled = await openScale();
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
