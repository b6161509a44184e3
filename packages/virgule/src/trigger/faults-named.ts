import type { SimFaults, SimFaultState } from '@virgule/core/simulator-api';
import { runtimeErrors } from '@virgule/runtime/project';

/**
 * Returns the rules of the presets with these names.
 *
 * @throws VirguleError `E_ARGUMENTS`.
 */
export function faultsNamed(names: readonly string[], { presets, seed }: SimFaultState): SimFaults {
  const rules = names.flatMap((name) => {
    const preset = presets.find((each) => each.name === name);
    if (preset !== undefined) return preset.rules;
    const known = presets.map((each) => `"${each.name}"`).join(', ');
    throw runtimeErrors.E_ARGUMENTS({ command: 'sim fault', want: `one of ${known}`, saw: names });
  });
  return { seed, rules };
}
