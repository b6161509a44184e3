import { applyChange } from './apply-change.js';
import { placements } from './bots.js';
import { buildWorld, type WorldSource } from './build-world.js';
import { restoreWorld } from './saved-world.js';
import type { World } from './world.js';

/**
 * Replaces the contents of a world by the contents of its seed, or of a saved world. The bots stay, with their commands
 * and connections. Returns false, and changes nothing, if the saved world is not compatible.
 */
export function replaceWorld(world: World, source: WorldSource, saved?: string): boolean {
  const next = buildWorld(source);
  if (saved !== undefined && !restoreWorld(next, saved)) return false;
  const { bots, problems, clock, editor, sequence } = world.state;
  for (const bot of bots.values()) {
    applyChange(next.state, { type: 'bot.changed', bot });
    for (const change of placements(next.state, bot)) applyChange(next.state, change);
  }
  world.blobs.clear();
  for (const [objectKey, bytes] of next.blobs) world.blobs.set(objectKey, bytes);
  // New records must not get the ids and positions of deleted or saved records.
  const last = Math.max(sequence, next.state.sequence) + 1;
  const state = { ...next.state, problems, clock, editor, sequence: last };
  world.emit({ type: 'world.replaced', state });
  return true;
}
