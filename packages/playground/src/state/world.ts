import type {
  SimBot,
  SimChannel,
  SimClockState,
  SimCommand,
  SimEmoji,
  SimEvent,
  SimInteraction,
  SimProblem,
  SimRole,
  SimServer,
  SimSnapshot,
  SimUser,
  SimVoice,
} from '@virgule/core/simulator-api';
import type { Profile } from '@virgule/core/protocol';

/** Everything that the page knows, except messages. */
export interface World {
  /** False until the first snapshot. */
  readonly isReady: boolean;
  readonly servers: readonly SimServer[];
  readonly channels: readonly SimChannel[];
  readonly users: readonly SimUser[];
  readonly roles: readonly SimRole[];
  readonly emojis: readonly SimEmoji[];
  /** The first one is that of `virgule dev`. */
  readonly bots: readonly SimBot[];
  readonly commands: readonly SimCommand[];
  readonly interactions: ReadonlyMap<string, SimInteraction>;
  /** By the id of the voice channel. */
  readonly voice: ReadonlyMap<string, SimVoice>;
  readonly problems: readonly SimProblem[];
  readonly clock: SimClockState;
  /** Address that opens a file in the editor, with `{file}`, `{line}` and `{column}`. */
  readonly editor: string | null;
  readonly profile: Profile | null;
}

export const EMPTY_WORLD: World = {
  isReady: false,
  servers: [],
  channels: [],
  users: [],
  roles: [],
  emojis: [],
  bots: [],
  commands: [],
  interactions: new Map(),
  voice: new Map(),
  problems: [],
  clock: { offsetMs: 0, pausedAtMs: null },
  editor: null,
  profile: null,
};

/** Maximum number of interactions; the snapshot of the simulator contains 200. */
const MAX_INTERACTIONS = 400;

function fromSnapshot(snapshot: SimSnapshot): World {
  return {
    isReady: true,
    servers: snapshot.servers,
    channels: snapshot.channels,
    users: snapshot.users,
    roles: snapshot.roles,
    emojis: snapshot.emojis,
    bots: snapshot.bots,
    commands: snapshot.commands,
    interactions: new Map(snapshot.interactions.map((item) => [item.id, item])),
    voice: new Map(snapshot.voice.map((item) => [item.channelId, item])),
    problems: snapshot.problems,
    clock: snapshot.clock,
    editor: snapshot.editor,
    profile: snapshot.profile,
  };
}

function withInteraction(world: World, interaction: SimInteraction): World {
  const interactions = new Map(world.interactions);
  interactions.set(interaction.id, interaction);
  for (const id of interactions.keys()) {
    if (interactions.size <= MAX_INTERACTIONS) break;
    interactions.delete(id);
  }
  return { ...world, interactions };
}

function withBot(bots: readonly SimBot[], bot: SimBot): readonly SimBot[] {
  const isKnown = bots.some(({ botUserId }) => botUserId === bot.botUserId);
  if (!isKnown) return [...bots, bot];
  return bots.map((each) => (each.botUserId === bot.botUserId ? bot : each));
}

/** Returns the world after a frame; the same world if the frame does not change it. */
export function applyEvent(world: World, event: SimEvent): World {
  switch (event.type) {
    case 'snapshot':
      return fromSnapshot(event.snapshot);
    case 'interaction':
      return withInteraction(world, event.interaction);
    case 'commands':
      return { ...world, commands: event.commands };
    case 'bot':
      return { ...world, bots: withBot(world.bots, event.bot) };
    case 'voice':
      return {
        ...world,
        voice: new Map(world.voice).set(event.voice.channelId, event.voice),
      };
    case 'places':
      return { ...world, ...event.places };
    case 'clock':
      return { ...world, clock: event.clock };
    case 'problems':
      return { ...world, problems: event.problems };
    case 'message':
    case 'typing':
      return world;
    default:
      // A newer simulator may send unknown frames.
      return world;
  }
}
