import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { PROFILE_NAMES, profileNamed } from '@virgule/core/profiles';
import type { ProfileSettings } from '@virgule/core/protocol';
import type { SimFaults } from '@virgule/core/simulator-api';
import { simulatorErrors } from '@virgule/simulator';
import { invalidFlag } from './invalid-arguments.js';
import type { Io } from './io.js';

/** Returns the profile named by a flag; `undefined` without a flag. @throws VirguleError `E_ARGUMENTS`. */
export function readProfile(name: string | undefined): ProfileSettings | undefined {
  if (name === undefined) return undefined;
  const profile = profileNamed(name);
  if (profile !== undefined) return profile;
  throw invalidFlag('profile', `one of ${PROFILE_NAMES.join(', ')}`, name);
}

/** Reads a file of faults. The simulator checks the content. @throws VirguleError `E_SIM_FAULTS`. */
export async function readFaultsFile(file: string, { cwd }: Io): Promise<SimFaults> {
  try {
    return JSON.parse(await readFile(resolve(cwd, file), 'utf8')) as SimFaults;
  } catch (error) {
    throw simulatorErrors.E_SIM_FAULTS(
      { kind: 'file', file, reason: errorText(error) },
      { cause: error },
    );
  }
}
