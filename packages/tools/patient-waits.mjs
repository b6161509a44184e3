// Setup file of all tests. By default, `vi.waitFor` gives up after a second, which a busy machine takes for anything.
import { vi } from 'vitest';

const TIMEOUT_MS = 60_000;

// Files of tests share it.
if (!('isPatient' in vi.waitFor)) {
  const { waitFor } = vi;
  const patient = (check, options) => {
    const given = typeof options === 'number' ? { timeout: options } : options;
    return waitFor(check, { timeout: TIMEOUT_MS, ...given });
  };
  vi.waitFor = Object.assign(patient, { isPatient: true });
}
