import { errorText } from '@virgule/core/errors';
import { notFound, Refusal } from '../world/refusal.js';
import { replaceWorld, saveWorld } from '../world/saved-world.js';
import type { World, WorldBasis } from '../world/world.js';

/** Storage of worlds or conversations, by name. */
export interface SnapshotStore {
  /** Returns the names, in any order. */
  names(): readonly string[];
  /** Returns the text with a name; `undefined` for an unknown name. */
  read(name: string): string | undefined;
  write(name: string, text: string): void;
  remove(name: string): void;
}

/** Maximum number of snapshots: each holds the whole chat. */
const MAX_SNAPSHOTS = 100;

/** Saves and restores the world by name, or restores the world of the seed. */
export type Snapshots = ReturnType<typeof createSnapshots>;

export function createSnapshots(
  world: World,
  source: WorldBasis,
  store: SnapshotStore = createMemoryStore(),
) {
  const names = (): readonly string[] => [...store.names()].toSorted();
  return {
    names,
    save(name: string): void {
      if (names().length >= MAX_SNAPSHOTS && !names().includes(name))
        throw new Refusal(507, 'sim_storage_full', `There are ${MAX_SNAPSHOTS} snapshots.`);
      writeTo(store, 'snapshot', name, saveWorld(world));
    },
    restore(name: string): void {
      const saved = store.read(name);
      if (saved === undefined) throw notFound('snapshot', name);
      if (replaceWorld(world, source, saved)) return;
      const message = `The snapshot ${name} belongs to another simulator.`;
      throw new Refusal(409, 'sim_snapshot_foreign', message);
    },
    remove(name: string): void {
      if (!names().includes(name)) throw notFound('snapshot', name);
      store.remove(name);
    },
    reset: () => void replaceWorld(world, source),
  };
}

/** Stores a text. @throws Refusal, 507, if the text cannot be written. */
export function writeTo(store: SnapshotStore, what: string, name: string, text: string): void {
  try {
    store.write(name, text);
  } catch (error) {
    const reason = `The ${what} ${name} cannot be written: ${errorText(error)}`;
    throw new Refusal(507, 'sim_storage_failed', reason);
  }
}

export function createMemoryStore(): SnapshotStore {
  const texts = new Map<string, string>();
  return {
    names: () => [...texts.keys()],
    read: (name) => texts.get(name),
    write: (name, text) => void texts.set(name, text),
    remove: (name) => void texts.delete(name),
  };
}
