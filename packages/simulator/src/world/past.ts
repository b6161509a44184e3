import type { SimPast } from '@virgule/core/simulator-api';
import { applyChange } from './apply-change.js';
import type { Change } from './change.js';
import { notFound } from './refusal.js';
import type { WorldState } from './state.js';
import type { World } from './world.js';

/** Number of changes that are kept at least. */
const MIN_KEPT = 5_000;
/** Maximum number of copies of the state, each of which keeps the records of its time. */
const MAX_STRETCHES = 4;

/** Successive changes, and the state before them. A stretch ends where everything is replaced. */
interface Stretch {
  readonly state: WorldState;
  startMs: number;
  readonly changes: { readonly change: Change; readonly atMs: number }[];
}

/** The world as it was. A moment is its number of changes by then (`sequence`). */
export interface Past {
  readonly range: SimPast;
  /**
   * Returns the world of a moment, with a paused clock. It must not be changed.
   *
   * @throws Refusal when the moment is not kept.
   */
  at(moment: number): World;
}

export function createPast(world: World): Past {
  const { state, clock } = world;
  let stretches: Stretch[] = [];
  let shown: { readonly moment: number; readonly world: World } | undefined;

  const lastOf = (stretch: Stretch): number => stretch.state.sequence + stretch.changes.length;

  function begin(): Stretch {
    const stretch = { state: copyOf(state), startMs: clock.now(), changes: [] };
    const older = stretches.filter((_, index) => {
      const later = stretches.slice(index + 1);
      const kept = later.reduce((sum, { changes }) => sum + changes.length, 0);
      return kept < MIN_KEPT && later.length < MAX_STRETCHES - 1;
    });
    stretches = [...older, stretch];
    return stretch;
  }

  let current = begin();
  world.subscribe((change) => {
    if (change.type === 'world.replaced') current = begin();
    else current.changes.push({ change, atMs: clock.now() });
    if (current.changes.length >= 2 * MIN_KEPT) forgetOldest();
  });

  // Copying the state every 5,000 changes instead takes a tenth of the CPU time that a command costs here.
  function forgetOldest(): void {
    stretches = [current];
    for (const { change, atMs } of current.changes.splice(0, MIN_KEPT)) {
      applyChange(current.state, change);
      current.startMs = atMs;
    }
  }

  return {
    get range() {
      return { first: stretches[0]?.state.sequence ?? 0, last: lastOf(current) };
    },
    at(moment) {
      if (shown?.moment === moment) return shown.world;
      const stretch = stretches.findLast(({ state: { sequence } }) => sequence <= moment);
      if (stretch === undefined || moment > lastOf(current))
        throw notFound('moment', String(moment));
      const then = copyOf(stretch.state);
      const changes = stretch.changes.slice(0, moment - stretch.state.sequence);
      for (const { change } of changes) applyChange(then, change);
      then.clock = { ...then.clock, pausedAtMs: changes.at(-1)?.atMs ?? stretch.startMs };
      shown = { moment, world: { ...world, state: then } };
      return shown.world;
    },
  };
}

/** Copies the lists of a state. Records are never modified. */
function copyOf(state: WorldState): WorldState {
  return {
    ...state,
    bots: new Map(state.bots),
    servers: new Map(state.servers),
    channels: new Map(state.channels),
    users: new Map(state.users),
    roles: new Map(state.roles),
    emojis: new Map(state.emojis),
    messages: new Map(state.messages),
    histories: new Map([...state.histories].map(([id, messages]) => [id, [...messages]])),
    attachmentMessages: new Map(state.attachmentMessages),
    uploads: new Map(state.uploads),
    voice: new Map(state.voice),
    interactions: new Map(state.interactions),
  };
}
