import type { TokenState } from '@virgule/client/gateway';
import { createRest, isUnauthorized } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import { readConnection, type ConnectionSettings } from '@virgule/runtime/process';
import { settingsForMode } from '@virgule/runtime/project';
import { loadSettings, type LoadSettingsOptions } from '../../project/load-settings.js';
import type { DevPlatform } from './dev-platform.js';

/** A short limit: the user has to learn soon that the platform cannot be reached. */
const MAX_TRIES = 3;

export interface LivePlatformOptions extends ConnectionSettings {
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Returns how to reach the platform, as the environment and the settings of the project say.
 *
 * @throws ProjectProblems if the settings are invalid, VirguleError if they do not say it.
 */
export async function readLiveConnection(
  options: LoadSettingsOptions & { readonly mode: string },
): Promise<ConnectionSettings> {
  const { root, env, mode } = options;
  const settings = settingsForMode(await loadSettings(options), { mode, root });
  return readConnection(env, settings, { root, mode });
}

/**
 * Opens the real platform. It is read, and answered where its users ask; nothing is registered with it from
 * here.
 *
 * @throws VirguleError `E_UNAUTHORIZED` when it refuses the token, `E_UNREACHABLE` when it does not answer.
 */
export async function openLivePlatform(options: LivePlatformOptions): Promise<DevPlatform> {
  const { token, baseUrl, gatewayUrl, log, signal } = options;
  const rest = createRest({ token, baseUrl, log, maxTries: MAX_TRIES });
  try {
    await rest.users.me({ signal });
  } catch (error) {
    await rest.close();
    throw error;
  }

  async function checkToken(): Promise<TokenState> {
    try {
      await rest.users.me();
      return 'valid';
    } catch (error) {
      return isUnauthorized(error) ? 'refused' : 'unknown';
    }
  }

  return {
    token,
    baseUrl,
    gatewayUrl,
    live: true,
    report: () => {},
    defer: (id) => rest.interactions.defer(id),
    respond: (id, content) => rest.interactions.respond(id, { content }),
    checkToken,
    close: () => rest.close(),
  };
}
