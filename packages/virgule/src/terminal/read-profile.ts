import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined, recordIn } from '@virgule/core/objects';
import { PROFILE_NAMES, profileNamed } from '@virgule/core/profiles';
import type { ProfileSettings } from '@virgule/core/protocol';
import { invalidFlag } from './invalid-arguments.js';

/** File that `virgule probe` writes. */
export const PLATFORM_FILE = 'platform.json';

/**
 * Returns the profile named by a flag; without a flag, the measured one of a project, or the default one.
 *
 * @throws VirguleError `E_ARGUMENTS`.
 */
export function readProfile(name: string | undefined, root: string): ProfileSettings {
  if (name === undefined) {
    const text = orUndefined(() => readFileSync(join(root, PLATFORM_FILE), 'utf8')) ?? '';
    // The simulator is not the platform whose facts were measured.
    return { ...recordIn(text), measured: undefined };
  }
  const profile = profileNamed(name);
  if (profile !== undefined) return profile;
  throw invalidFlag('profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
}
