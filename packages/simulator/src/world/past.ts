import type { SimPast } from '@virgule/core/simulator-api';
import { applyChange, copyOf } from './apply-change.js';
import type { Change } from './change.js';
import { notFound } from './refusal.js';
import type { World } from './world.js';

/** Minimum number of changes that are kept, unless the world is replaced often. */
const MIN_KEPT = 5_000;
/** Maximum number of changes that replaced the world: each holds all records of its time. */
const MAX_REPLACEMENTS = 3;

/** Earlier states of the world. The moment of a state is its number of changes (`sequence`). */
export type Past = ReturnType<typeof createPast>;

const isReplacement = ({ type }: Change): boolean => type === 'world.replaced';

export function createPast(world: World) {
  const { state, clock } = world;
  const oldest = copyOf(state);
  let oldestMs = clock.now();
  let last = state.sequence;
  /** The changes since the oldest state, and their times. */
  const changes: Change[] = [];
  const times: number[] = [];

  world.subscribe((change) => {
    last = change.type === 'world.replaced' ? change.state.sequence : last + 1;
    changes.push(change);
    times.push(clock.now());
    const isCrowded =
      isReplacement(change) && changes.filter(isReplacement).length > MAX_REPLACEMENTS;
    if (!isCrowded && changes.length < 2 * MIN_KEPT) return;
    // Copies of the state every 5,000 changes would take a tenth of the CPU time that a command costs here.
    const count = isCrowded ? changes.findIndex(isReplacement) + 1 : MIN_KEPT;
    oldestMs = times.splice(0, count).at(-1) ?? oldestMs;
    for (const old of changes.splice(0, count)) applyChange(oldest, old);
  });

  return {
    get range(): SimPast {
      return { first: oldest.sequence, last };
    },
    /**
     * Returns the world at a moment, with a paused clock. The result must not be changed.
     *
     * @throws Refusal if the moment is not kept.
     */
    at(moment: number): World {
      if (moment < oldest.sequence || moment > last) throw notFound('moment', String(moment));
      const then = copyOf(oldest);
      let atMs = oldestMs;
      for (const [index, change] of changes.entries()) {
        const next = change.type === 'world.replaced' ? change.state.sequence : then.sequence + 1;
        if (next > moment) break;
        applyChange(then, change);
        atMs = times[index] ?? atMs;
      }
      then.clock = { ...then.clock, pausedAtMs: atMs };
      return { ...world, state: then };
    },
  };
}
