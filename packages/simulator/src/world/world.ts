import type { Clock } from '@virgule/core/clock';
import type { Profile } from '@virgule/core/protocol';
import { applyChange } from './apply-change.js';
import type { Change } from './change.js';
import { deriveId, numberedIds } from './derive.js';
import type { WorldState } from './state.js';

/** The state of the platform. `emit` is the only way to change it. */
export type World = ReturnType<typeof createWorld>;

/** Named, since older versions of TypeScript do not know the type arguments that newer ones write for `Buffer`. */
interface Blobs extends Map<string, Buffer> {}

export interface WorldBasis {
  readonly seed: string;
  readonly clock: Clock;
  readonly profile: Profile;
}

export function createWorld({ seed, clock, profile }: WorldBasis, state: WorldState) {
  const listeners = new Set<(change: Change) => void>();
  const queue: Change[] = [];
  const ids = {
    message: numberedIds(seed, 'message'),
    interaction: numberedIds(seed, 'interaction'),
  };
  let isNotifying = false;

  return {
    seed,
    clock,
    profile,
    state,
    /** The bytes of uploads by object key, including attachments of messages. */
    blobs: new Map() as Blobs,
    /** Applies a change and notifies the listeners. */
    emit(change: Change): void {
      applyChange(state, change);
      queue.push(change);
      // A change that a listener emits must reach the other listeners after this change.
      if (isNotifying) return;
      isNotifying = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift())
          for (const listener of listeners) listener(next);
      } finally {
        isNotifying = false;
      }
    },
    /** Adds a listener that is called after each change. Returns a function that removes the listener. */
    subscribe(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Returns the id for the next record of a kind. The id is the same until a change is emitted. */
    nextId: (kind: string): string =>
      kind === 'message' || kind === 'interaction'
        ? ids[kind](state.sequence)
        : deriveId(seed, `${kind}:${state.sequence}`),
  };
}
