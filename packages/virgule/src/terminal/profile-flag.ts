import { runtimeErrors } from '@virgule/runtime/project';
import { PROFILE_NAMES, profileNamed, type ProfileSettings } from '@virgule/core/protocol';

/** The flag of the commands that start a simulator. */
export const PROFILE_FLAG = {
  profile: {
    type: 'string',
    value: 'NAME',
    about: `Assume this of the platform: ${PROFILE_NAMES.join(', ')}`,
  },
} as const;

/**
 * Returns the profile that a flag names; `undefined` without one.
 *
 * @throws VirguleError `E_ARGUMENTS`.
 */
export function readProfile(name: string | undefined): ProfileSettings | undefined {
  if (name === undefined) return undefined;
  const profile = profileNamed(name);
  if (profile !== undefined) return profile;
  throw runtimeErrors.E_ARGUMENTS({
    kind: 'value',
    flag: '--profile',
    want: `one of ${PROFILE_NAMES.join(', ')}`,
    saw: name,
  });
}
