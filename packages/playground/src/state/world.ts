import type {
  SimBot,
  SimChannel,
  SimClockState,
  SimCommand,
  SimEmoji,
  SimEvent,
  SimProblem,
  SimRole,
  SimServer,
  SimSnapshot,
  SimUser,
  SimVoice,
} from '@virgule/core/simulator-api';
import type { Profile } from '@virgule/core/protocol';

/** What the page knows, except messages and interactions: those change often, and every row depends on the rest. */
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
  voice: new Map(),
  problems: [],
  clock: { offsetMs: 0, pausedAtMs: null },
  editor: null,
  profile: null,
};

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
    voice: new Map(snapshot.voice.map((item) => [item.channelId, item])),
    problems: snapshot.problems,
    clock: snapshot.clock,
    editor: snapshot.editor,
    profile: snapshot.profile,
  };
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
    case 'interaction':
    case 'message':
    case 'typing':
      return world;
    default:
      // A newer simulator may send unknown frames.
      return world;
  }
}
