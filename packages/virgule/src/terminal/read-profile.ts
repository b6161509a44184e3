import { PROFILE_NAMES, profileNamed } from '@virgule/core/profiles';
import type { ProfileSettings } from '@virgule/core/protocol';
import { invalidFlag } from './invalid-arguments.js';

/** Returns the profile named by a flag; `undefined` without a flag. @throws VirguleError `E_ARGUMENTS`. */
export function readProfile(name: string | undefined): ProfileSettings | undefined {
  if (name === undefined) return undefined;
  const profile = profileNamed(name);
  if (profile !== undefined) return profile;
  throw invalidFlag('profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
}
