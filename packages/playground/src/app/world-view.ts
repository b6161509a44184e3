import { signal, type ReadonlySignal } from '@preact/signals';
import type { ClockMove, SimApi } from '../net/sim-api.js';

/** What is done to the world as a whole: its clock and its snapshots. */
export interface WorldView {
  /** Names of the snapshots; `null` until they were read. */
  readonly snapshots: ReadonlySignal<readonly string[] | null>;
  read(): Promise<void>;
  save(name: string): Promise<void>;
  restore(name: string): Promise<void>;
  forget(name: string): Promise<void>;
  reset(): Promise<void>;
  moveClock(move: ClockMove): Promise<void>;
}

export function createWorldView(
  api: Pick<
    SimApi,
    | 'readSnapshots'
    | 'saveSnapshot'
    | 'restoreSnapshot'
    | 'deleteSnapshot'
    | 'resetWorld'
    | 'moveClock'
  >,
): WorldView {
  const snapshots = signal<readonly string[] | null>(null);
  return {
    snapshots,
    async read() {
      snapshots.value = await api.readSnapshots();
    },
    async save(name) {
      snapshots.value = await api.saveSnapshot(name);
    },
    restore: (name) => api.restoreSnapshot(name),
    async forget(name) {
      snapshots.value = await api.deleteSnapshot(name);
    },
    reset: () => api.resetWorld(),
    moveClock: (move) => api.moveClock(move),
  };
}
