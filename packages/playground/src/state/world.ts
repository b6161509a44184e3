import type { SimBot, SimEvent, SimSnapshot, SimVoice } from '@virgule/core/simulator-api';

/** State of the page without messages and interactions, which change often. */
export interface World extends Omit<
  SimSnapshot,
  'v' | 'bot' | 'assumptions' | 'interactions' | 'voice' | 'profile'
> {
  /** False until the first snapshot. */
  readonly isReady: boolean;
  /** State of the voice channels, by channel id. */
  readonly voice: ReadonlyMap<string, SimVoice>;
  readonly profile: SimSnapshot['profile'] | null;
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

function fromSnapshot({ voice, ...snapshot }: SimSnapshot): World {
  const { v: _v, bot: _bot, assumptions: _assumptions, interactions: _runs, ...shown } = snapshot;
  return { ...shown, isReady: true, voice: new Map(voice.map((item) => [item.channelId, item])) };
}

function withBot(bots: readonly SimBot[], bot: SimBot): readonly SimBot[] {
  const at = bots.findIndex(({ botUserId }) => botUserId === bot.botUserId);
  return at === -1 ? [...bots, bot] : bots.with(at, bot);
}

/** Returns the world after an event; the same object if the event does not change the world. */
export function applyEvent(world: World, event: SimEvent): World {
  switch (event.type) {
    case 'snapshot':
      return fromSnapshot(event.snapshot);
    case 'bot':
      return { ...world, bots: withBot(world.bots, event.bot) };
    case 'voice':
      return { ...world, voice: new Map(world.voice).set(event.voice.channelId, event.voice) };
    case 'places':
      return { ...world, ...event.places };
    case 'commands':
    case 'clock':
    case 'problems': {
      const { type: _type, ...part } = event;
      return { ...world, ...part };
    }
    default:
      // Events about other state, and unknown events of a newer simulator.
      return world;
  }
}
