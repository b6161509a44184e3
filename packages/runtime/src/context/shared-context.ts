import type { Rest } from '@virgule/client/rest';
import type { TaskHandles } from '../define/define-task.js';
import type { EnvValues, Services } from '../define/register.js';
import type { Storage } from '../storage/storage.js';
import type { BotVoice } from '../voice/voice-setting.js';
import type { ChannelHandle } from './channel-handle.js';
import type { ContextClock } from './context-clock.js';
import type { ContextLog } from './context-log.js';

/** What all code of a bot gets, its services included. Every member can be destructured. */
export interface BotContext {
  /** The environment, checked and converted by the config's `env` schema; typed by `Register`. */
  readonly env: EnvValues;
  /** What the bot remembers beyond a restart. */
  readonly storage: Storage;
  /** The tasks of the bot, to call them; typed by `Tasks`. */
  readonly tasks: TaskHandles;
  /** Plays audio in voice channels, with the setting `voice` of the configuration. */
  readonly voice: BotVoice;
  /** The complete REST interface. */
  readonly rest: Rest;
  readonly log: ContextLog;
  readonly clock: ContextClock;
  /** A number from 0 up to, not including, 1. Tests can fix it. */
  readonly random: () => number;
}

/** Returns a channel by its id. */
export interface ChannelOf {
  (channelId: string): ChannelHandle;
  /** That of this function, never of a channel. Typed so that a guard cannot be written with it. */
  readonly name: {
    readonly 'Only ids of channels are known: compare channelId. rest.servers.channels(serverId) reads names.': never;
  };
}

/** What every handler gets. */
export interface HandlerContext extends BotContext {
  /** A channel, by id. */
  readonly channel: ChannelOf;
  /** The object that `services.ts` returned; typed by `Register`. */
  readonly services: Services;
}
