import type { Clock } from '@virgule/core/clock';
import type { Profile } from '@virgule/core/protocol';
import { applyChange } from './apply-change.js';
import type { Change } from './change.js';
import { deriveId } from './derive.js';
import type { WorldState } from './state.js';

type ChangeListener = (change: Change) => void;

/** The platform's state, with the one way to change it. */
export interface World {
  readonly seed: string;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly state: WorldState;
  /** The bytes of uploads by object key, those that messages carry included. */
  readonly blobs: Map<string, Buffer>;
  /** Applies a change and tells the listeners. Every change of the world goes through here. */
  emit(change: Change): void;
  /** Hears every change, right after it was applied. Returns how to stop. */
  subscribe(listener: ChangeListener): () => void;
  /** The id for the next new thing of a kind. It stays the same until a change is emitted. */
  nextId(kind: string): string;
}

export interface WorldOptions {
  readonly seed: string;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly state: WorldState;
}

export function createWorld({ seed, clock, profile, state }: WorldOptions): World {
  const listeners = new Set<ChangeListener>();
  const queue: Change[] = [];
  let isTelling = false;

  return {
    seed,
    clock,
    profile,
    state,
    blobs: new Map(),
    emit(change) {
      applyChange(state, change);
      queue.push(change);
      // A listener that causes a change itself must not make the others hear it before this one.
      if (isTelling) return;
      isTelling = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          for (const listener of listeners) listener(next);
        }
      } finally {
        isTelling = false;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextId: (kind) => deriveId(seed, `${kind}:${state.sequence}`),
  };
}
