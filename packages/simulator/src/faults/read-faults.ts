import { faultsSchema, type SimFaults } from '@virgule/core/simulator-api';
import { fieldName } from '../server/validate.js';
import { simulatorErrors } from '../simulator/simulator-errors.js';

/**
 * Checks faults, as they come from a file, a request or a test.
 *
 * @throws VirguleError `E_SIM_FAULTS`.
 */
export function readFaults(value: unknown): SimFaults {
  const { success, data, error } = faultsSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = fieldName(issue?.path ?? []);
  throw simulatorErrors.E_SIM_FAULTS({
    kind: 'rule',
    field,
    reason: issue?.message ?? 'is invalid',
  });
}
