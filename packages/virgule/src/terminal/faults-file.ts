import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import type { SimFaults } from '@virgule/core/simulator-api';
import { simulatorErrors } from '@virgule/simulator';
import type { Io } from './io.js';

export const FAULTS_FLAG = {
  faults: { type: 'string', value: 'FILE', about: 'Start with the faults of a file' },
} as const;

/**
 * Reads a file of faults. The simulator checks what it contains.
 *
 * @throws VirguleError `E_SIM_FAULTS`.
 */
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
