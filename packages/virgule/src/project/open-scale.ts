import { type ScaledProcess, openScaled, settingsForMode } from '@virgule/runtime/project';
import { loadSettings } from './load-settings.js';
import type { Io } from '../terminal/io.js';
import { readIoEnv } from '../terminal/read-io-env.js';

/**
 * Connects to the server of the setting `scale`, in the name of the bot. The caller closes it.
 *
 * @throws VirguleError `E_NOT_SCALED` if the bot has no such setting, and what connecting throws.
 */
export async function openScale(io: Io, mode: string): Promise<ScaledProcess> {
  const env = readIoEnv(io, mode);
  const settings = await loadSettings({ root: io.cwd, env, redact: io.redact });
  return openScaled(settingsForMode(settings, { mode, root: io.cwd }), {
    env,
    signal: io.interrupt,
    hide: (texts) => io.redact.hide(texts),
  });
}
