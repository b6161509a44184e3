import { computed, signal } from '@preact/signals';
import type { SimFaultPreset, SimFaults, SimFaultState } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { readJson } from '../net/request-error.js';

/** Creates the view of the rules for faults of the simulator. */
export function createFaultsView(api: Pick<SimApi, 'ask'>) {
  /** `null` until the rules were read. */
  const state = signal<SimFaultState | null>(null);
  const isOn = ({ rules }: SimFaultPreset): boolean =>
    rules.every(({ name }) => state.value?.rules.some((rule) => rule.name === name));

  const set = async (faults: SimFaults): Promise<void> =>
    void (state.value = await api.ask('faults', faults));

  /** Returns the current seed and rules, without their counts. */
  const current = (): SimFaults => ({
    seed: state.value?.seed,
    rules: (state.value?.rules ?? []).map(({ hits: _hits, ...rule }) => rule),
  });

  return {
    state,
    /** Number of current rules. */
    count: computed(() => state.value?.rules.length ?? 0),
    current,
    isOn,
    async read() {
      state.value = await api.ask('faults');
    },
    /** Adds or removes the rules of a preset. */
    async toggle(preset: SimFaultPreset) {
      const { seed, rules } = current();
      const others = rules.filter(({ name }) => !preset.rules.some((rule) => rule.name === name));
      await set({ seed, rules: isOn(preset) ? others : [...others, ...preset.rules] });
    },
    clear: () => set({ rules: [] }),
    /** Sets rules that a user wrote as JSON. */
    async apply(text: string) {
      await set(readJson(text, 'The rules are not JSON.') as SimFaults);
    },
  };
}
