import { computed, signal } from '@preact/signals';
import type { SimFaultPreset, SimFaults, SimFaultState } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { readJson } from '../net/request-error.js';

/** Creates the rules by which the simulator misbehaves. */
export function createFaultsView(api: Pick<SimApi, 'ask'>) {
  /** `null` until they were read. */
  const state = signal<SimFaultState | null>(null);
  /** The rules as JSON, while they are edited; `null` otherwise. */
  const draft = signal<string | null>(null);
  const names = computed(() => new Set(state.value?.rules.map(({ name }) => name)));

  const isOn = ({ rules }: SimFaultPreset): boolean =>
    rules.every(({ name }) => names.value.has(name));

  async function set(faults: SimFaults): Promise<void> {
    state.value = await api.ask('faults', faults);
    draft.value = null;
  }

  /** Returns the rules that are set, without their counts. */
  const currentRules = () => (state.peek()?.rules ?? []).map(({ hits: _hits, ...rule }) => rule);

  return {
    state,
    /** Number of rules that are set. */
    count: computed(() => state.value?.rules.length ?? 0),
    draft,
    isOn,
    async read() {
      state.value = await api.ask('faults');
    },
    /** Adds the rules of a preset, or removes them. */
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
