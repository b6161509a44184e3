import type {
  SimBot,
  SimChannel,
  SimEvent,
  SimInteraction,
  SimProblem,
  SimServer,
  SimSnapshot,
  SimUser,
  SimVoice,
} from '@virgule/core/simulator-api';
import type { Command, Profile } from '@virgule/core/protocol';

/** An interaction as this page saw it pass. */
export interface SeenInteraction extends SimInteraction {
  /** Whether it was seen deferred; tells which of the two windows it missed when it expires. */
  readonly wasDeferred: boolean;
}

/** Everything the page knows, messages excepted. */
export interface World {
  /** False until the first snapshot. */
  readonly isReady: boolean;
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly bot: SimBot | null;
  readonly commands: readonly Command[];
  readonly interactions: ReadonlyMap<string, SeenInteraction>;
  /** By the id of the voice channel. */
  readonly voice: ReadonlyMap<string, SimVoice>;
  readonly problems: readonly SimProblem[];
  readonly profile: Profile | null;
}

export const EMPTY_WORLD: World = {
  isReady: false,
  servers: [],
  channels: [],
  users: [],
  bot: null,
  commands: [],
  interactions: new Map(),
  voice: new Map(),
  problems: [],
  profile: null,
};

/** The most interactions that are kept; the simulator's snapshot carries 200. */
const INTERACTIONS_MAX = 400;

function seen(world: World, interaction: SimInteraction): SeenInteraction {
  const wasDeferred =
    interaction.state === 'deferred' ||
    world.interactions.get(interaction.id)?.wasDeferred === true;
  return { ...interaction, wasDeferred };
}

function fromSnapshot(world: World, snapshot: SimSnapshot): World {
  return {
    isReady: true,
    servers: snapshot.servers,
    channels: snapshot.channels,
    users: snapshot.users,
    bot: snapshot.bot,
    commands: snapshot.commands,
    interactions: new Map(snapshot.interactions.map((item) => [item.id, seen(world, item)])),
    voice: new Map(snapshot.voice.map((item) => [item.channelId, item])),
    problems: snapshot.problems,
    profile: snapshot.profile,
  };
}

function withInteraction(world: World, interaction: SimInteraction): World {
  const interactions = new Map(world.interactions);
  interactions.set(interaction.id, seen(world, interaction));
  for (const id of interactions.keys()) {
    if (interactions.size <= INTERACTIONS_MAX) break;
    interactions.delete(id);
  }
  return { ...world, interactions };
}

/** The world after one frame. Frames that change nothing here return the same world. */
export function applyEvent(world: World, event: SimEvent): World {
  switch (event.type) {
    case 'snapshot':
      return fromSnapshot(world, event.snapshot);
    case 'interaction':
      return withInteraction(world, event.interaction);
    case 'commands':
      return { ...world, commands: event.commands };
    case 'bot':
      return { ...world, bot: event.bot };
    case 'voice':
      return {
        ...world,
        voice: new Map(world.voice).set(event.voice.channelId, event.voice),
      };
    case 'problems':
      return { ...world, problems: event.problems };
    case 'message':
    case 'typing':
      return world;
    default:
      // A newer simulator may send frames this page does not know.
      return world;
  }
}
