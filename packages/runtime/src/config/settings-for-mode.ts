import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { didYouMean } from '@virgule/core/text';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { ResolvedConfig } from './read-config.js';

/** Modes that need neither a file nor a target. */
const USUAL_MODES: readonly string[] = ['development', 'production', 'test'];
const MODE_NAME = /^[\w-]+$/;

/**
 * Returns the settings for a mode: the settings of the target of that mode replace the others.
 *
 * @throws VirguleError `E_MODE_UNKNOWN` when a mode has neither a target nor a file `.env.<mode>` in the folder: with
 *   a misspelled name, the bot would run on the wrong platform.
 */
export function settingsForMode<C extends Pick<ResolvedConfig, 'targets'>>(
  config: C,
  { mode, root }: { readonly mode: string; readonly root: string },
): C {
  const targets = config.targets ?? {};
  const target = Object.hasOwn(targets, mode) ? targets[mode] : undefined;
  const isKnown =
    target !== undefined ||
    USUAL_MODES.includes(mode) ||
    (MODE_NAME.test(mode) && existsSync(join(root, `.env.${mode}`)));
  if (!isKnown) {
    const meant = didYouMean(mode, [...Object.keys(targets), ...USUAL_MODES]);
    throw runtimeErrors.E_MODE_UNKNOWN({ mode, meant });
  }
  return { ...config, ...target };
}
