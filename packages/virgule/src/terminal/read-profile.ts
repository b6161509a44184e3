import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined, recordIn } from '@virgule/core/objects';
import { PROFILE_NAMES, profileNamed } from '@virgule/core/profiles';
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
  const text = orUndefined(() => readFileSync(join(root, PLATFORM_FILE), 'utf8'));
  if (text === undefined) return {};
  // Imported here: without the file, no code of the runtime is needed.
  const { readConfig } = await import('@virgule/runtime/project');
  const given = { profile: recordIn(text) ?? 'no JSON object' };
  const { config, problems } = readConfig(given, { file: PLATFORM_FILE });
  const [problem] = problems;
  if (problem) throw problem;
  // The simulator is not the platform whose facts were measured.
  return { ...config.profile, measured: undefined };
}
