import { applyChange } from './apply-change.js';
import { placements } from './bots.js';
import { buildWorld, type WorldSource } from './build-world.js';
import { restoreWorld } from './saved-world.js';
import type { World } from './world.js';

/**
 * Replaces everything in a world by that of its seed, or of a saved world. The bots stay, with their commands and
 * connections. Returns false, and changes nothing, if the saved world is not compatible.
 */
export function replaceWorld(world: World, source: WorldSource, saved?: string): boolean {
  const next = buildWorld(source);
  if (saved !== undefined && !restoreWorld(next, saved)) return false;
  const { state } = world;
  refill(state.servers, next.state.servers);
  refill(state.channels, next.state.channels);
  refill(state.users, next.state.users);
  refill(state.roles, next.state.roles);
  refill(state.emojis, next.state.emojis);
  refill(state.messages, next.state.messages);
  refill(state.histories, next.state.histories);
  refill(state.attachmentMessages, next.state.attachmentMessages);
  refill(state.uploads, next.state.uploads);
  refill(state.voice, next.state.voice);
  refill(state.interactions, next.state.interactions);
  refill(world.blobs, next.blobs);
  // The bots that were added stay.
  for (const bot of state.bots.values())
    for (const change of placements(state, bot)) applyChange(state, change);
  // New records must not get the ids and positions of those that are gone, or of those that were saved.
  state.sequence = Math.max(state.sequence, next.state.sequence);
  world.emit({ type: 'world.replaced' });
  return true;
}

function refill<Key, Value>(target: Map<Key, Value>, source: ReadonlyMap<Key, Value>): void {
  target.clear();
  for (const [key, value] of source) target.set(key, value);
}
