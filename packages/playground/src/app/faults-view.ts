import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { SimFaultPreset, SimFaults, SimFaultState } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import { RequestError } from '../net/request-error.js';

/** The rules by which the simulator misbehaves. */
export interface FaultsView {
  /** `null` until they were read. */
  readonly state: ReadonlySignal<SimFaultState | null>;
  /** How many rules are set. */
  readonly count: ReadonlySignal<number>;
  /** The rules as JSON, while they are edited; `null` otherwise. */
  readonly draft: Signal<string | null>;
  isOn(preset: SimFaultPreset): boolean;
  read(): Promise<void>;
  /** Adds the rules of a preset, or removes them. */
  toggle(preset: SimFaultPreset): Promise<void>;
  clear(): Promise<void>;
  edit(): void;
  /** Sets the rules of the draft. */
  apply(): Promise<void>;
  /** Closes the connection of the bot at once. */
  dropSocket(): Promise<void>;
}

export function createFaultsView(
  api: Pick<SimApi, 'readFaults' | 'setFaults' | 'dropGateway'>,
): FaultsView {
  const state = signal<SimFaultState | null>(null);
  const draft = signal<string | null>(null);
  const names = computed(() => new Set(state.value?.rules.map(({ name }) => name)));

  const isOn = ({ rules }: SimFaultPreset): boolean =>
    rules.every(({ name }) => names.value.has(name));

  async function set(faults: SimFaults): Promise<void> {
    state.value = await api.setFaults(faults);
    draft.value = null;
  }

  /** Returns the rules that are set, without their counts. */
  const currentRules = () => (state.peek()?.rules ?? []).map(({ hits: _hits, ...rule }) => rule);

  return {
    state,
    count: computed(() => state.value?.rules.length ?? 0),
    draft,
    isOn,
    async read() {
      state.value = await api.readFaults();
    },
    async toggle(preset) {
      const own = new Set(preset.rules.map(({ name }) => name));
      const others = currentRules().filter(({ name }) => !own.has(name));
      const seed = state.peek()?.seed;
      await set({ seed, rules: isOn(preset) ? others : [...others, ...preset.rules] });
    },
    clear: () => set({ rules: [] }),
    edit() {
      draft.value = JSON.stringify({ seed: state.peek()?.seed, rules: currentRules() }, null, 2);
    },
    apply: async () => set(readDraft(draft.peek() ?? '')),
    dropSocket: () => api.dropGateway(),
  };
}

function readDraft(text: string): SimFaults {
  try {
    // The simulator checks what it contains.
    return JSON.parse(text) as SimFaults;
  } catch {
    throw new RequestError('The rules are not JSON.', 'faults', null);
  }
}
