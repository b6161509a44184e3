import type { TokenState } from '@virgule/client/gateway';
import { createRest, isUnauthorized } from '@virgule/client/rest';
import type { Log } from '@virgule/core/log';
import type { ConnectionSettings } from '@virgule/runtime/process';
import type { DevPlatform } from './dev-platform.js';

/** Low limit of attempts, so that the user learns soon that the platform is unreachable. */
const MAX_TRIES = 3;

/**
 * Opens the real platform for reading and for answers to its users. Registers no commands.
 *
 * @throws VirguleError `E_UNAUTHORIZED` when the platform refuses the token, `E_UNREACHABLE` when it does not answer.
 */
export async function openLivePlatform(
  connection: ConnectionSettings,
  log: Log,
  signal: AbortSignal,
): Promise<DevPlatform> {
  const { token, baseUrl } = connection;
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
    ...connection,
    live: true,
    report: () => {},
    defer: (id) => rest.interactions.defer(id),
    respond: (id, content) => rest.interactions.respond(id, { content }),
    checkToken,
    close: () => rest.close(),
  };
}
