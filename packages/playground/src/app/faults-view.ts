import { computed, signal } from '@preact/signals';
import type { SimFaultPreset, SimFaults, SimFaultState } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { readJson } from '../net/request-error.js';

/** Creates the view of the rules for faults of the simulator. */
export function createFaultsView(api: Pick<SimApi, 'ask'>) {
  /** `null` until the rules were read. */
  const state = signal<SimFaultState | null>(null);
  /** The edited rules as JSON; `null` outside editing. */
  const draft = signal<string | null>(null);
  const names = computed(() => new Set(state.value?.rules.map(({ name }) => name)));

  const isOn = ({ rules }: SimFaultPreset): boolean =>
    rules.every(({ name }) => names.value.has(name));

  async function set(faults: SimFaults): Promise<void> {
    state.value = await api.ask('faults', faults);
    draft.value = null;
  }

  /** Returns the current rules, without their counts. */
  const currentRules = () => (state.peek()?.rules ?? []).map(({ hits: _hits, ...rule }) => rule);

  return {
    state,
    /** Number of current rules. */
    count: computed(() => state.value?.rules.length ?? 0),
    draft,
    isOn,
    async read() {
      state.value = await api.ask('faults');
    },
    /** Adds or removes the rules of a preset. */
    async toggle(preset: SimFaultPreset) {
      const own = new Set(preset.rules.map(({ name }) => name));
      const others = currentRules().filter(({ name }) => !own.has(name));
      const seed = state.peek()?.seed;
      await set({ seed, rules: isOn(preset) ? others : [...others, ...preset.rules] });
    },
    clear: () => set({ rules: [] }),
    edit() {
      draft.value = JSON.stringify({ seed: state.peek()?.seed, rules: currentRules() }, null, 2);
    },
    /** Sets the rules of the draft. */
    apply: async () => set(readJson(draft.peek() ?? '', 'The rules are not JSON.') as SimFaults),
  };
}
