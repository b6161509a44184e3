import type { Clock } from '@virgule/core/clock';
import type { Profile } from '@virgule/core/protocol';
import { applyChange } from './apply-change.js';
import type { Change } from './change.js';
import { deriveId, numberedIds } from './derive.js';
import type { WorldState } from './state.js';

type ChangeListener = (change: Change) => void;

/** The state of the platform. `emit` is the only way to change it. */
export interface World {
  readonly seed: string;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly state: WorldState;
  /** The bytes of uploads by object key, including attachments of messages. */
  readonly blobs: Map<string, Buffer>;
  /** Applies a change and notifies the listeners. */
  emit(change: Change): void;
  /** Adds a listener that is called after each change. Returns a function that removes the listener. */
  subscribe(listener: ChangeListener): () => void;
  /** Returns the id for the next record of a kind. The id is the same until a change is emitted. */
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
    blobs: new Map(),
    emit(change) {
      applyChange(state, change);
      queue.push(change);
      // A change that a listener emits must reach the other listeners after this change.
      if (isNotifying) return;
      isNotifying = true;
      try {
        for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
          for (const listener of listeners) listener(next);
        }
      } finally {
        isNotifying = false;
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextId: (kind) =>
      kind === 'message' || kind === 'interaction'
        ? ids[kind](state.sequence)
        : deriveId(seed, `${kind}:${state.sequence}`),
  };
}
