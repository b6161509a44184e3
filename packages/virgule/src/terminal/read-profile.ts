import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined, recordIn } from '@virgule/core/objects';
import { PROFILE_NAMES, profileNamed } from '@virgule/core/profiles';
import type { ProfileSettings } from '@virgule/core/protocol';
import { runtimeErrors } from '@virgule/runtime/errors';
import { invalidFlag } from './invalid-arguments.js';

/** File that `virgule probe` writes. */
export const PLATFORM_FILE = 'platform.json';

/**
 * Returns the profile named by a flag; without a flag, the measured one of a project, or the default one.
 *
 * @throws VirguleError `E_ARGUMENTS` for an unknown name, `E_SETTING` or `E_UNKNOWN_KEY` for an invalid file.
 */
export async function readProfile(name: string | undefined, root: string) {
  const profile = name === undefined ? undefined : profileNamed(name);
  if (profile !== undefined) return profile;
  if (name !== undefined) throw invalidFlag('profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
  // The simulator is not the platform whose facts were measured.
  return { ...(await readPlatformFile(root)), measured: undefined };
}

/**
 * Returns the content of `platform.json`; nothing without the file.
 *
 * @throws VirguleError `E_SETTING` or `E_UNKNOWN_KEY` for an invalid file.
 */
export async function readPlatformFile(root: string): Promise<ProfileSettings> {
  const path = join(root, PLATFORM_FILE);
  if (!existsSync(path)) return {};
  // Imported here: without the file, no code of the runtime is needed.
  const { readConfig } = await import('@virgule/runtime/project');
  const profile = orUndefined(() => recordIn(readFileSync(path, 'utf8')));
  if (!profile) {
    const advice = `Fix ${PLATFORM_FILE}, or write {} to ${PLATFORM_FILE} to start over.`;
    const invalid = { key: 'profile', want: 'an object in JSON', saw: 'other text', advice };
    throw runtimeErrors.E_SETTING({ file: PLATFORM_FILE, ...invalid });
  }
  const { config, problems } = readConfig({ profile }, { file: PLATFORM_FILE });
  if (problems[0]) throw problems[0];
  return { ...config.profile };
}
