import type { Rest } from '@virgule/client/rest';
import type { Clock, Deadlines } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Profile } from '@virgule/core/protocol';
import type { Storage } from '../storage/storage.js';
import type { TaskHandles } from '../tasks/define-task.js';
import type { OpenedVoice } from '../voice/voice-setting.js';
import type { Activity } from './activity.js';
import type { CommandInfo } from './command-info.js';
import type { InteractionJournal } from './interaction-journal.js';
import type { Lifetime } from './lifetime.js';
import type { LoopGuard } from './loop-guard.js';
import type { Observation } from './observer.js';
import type { AttachmentCheck } from './raw-input/parse-raw-input.js';
import type { EnvValues, Services } from './register.js';
import type { ResolvedTexts, TextContext } from './texts.js';
import type { ConcurrencyStore } from './throttle/concurrency-store.js';
import type { CooldownStore } from './throttle/cooldown-store.js';
import type { Waits } from './waits/waits.js';

/** What is stopped with the bot. */
export interface Stoppable {
  readonly lifetime: Pick<Lifetime, 'isOver' | 'stop'>;
}

/** A run of a command, as it is stopped and reported. */
export interface OpenRun extends Stoppable {
  readonly command: { readonly name: string; readonly file: string };
  readonly event: { readonly interactionId: string };
}

/** Everything of a bot that its handlers and their runs use. There is one for each bot. */
export interface BotEnvironment {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The object that `services.ts` returned. Set when it is there: no handler runs before that. */
  services: Services;
  /** What handlers get as `env`. */
  readonly envValues: EnvValues;
  readonly storage: Storage;
  readonly tasks: TaskHandles;
  /** The audio of the bot. */
  readonly voice: OpenedVoice;
  readonly profile: Profile;
  readonly deadlines: Deadlines;
  /** Hosts from which attachments may be downloaded, in addition to those of the platform. */
  readonly attachmentHosts: readonly string[];
  /** Returns whether a string in a line names an attachment. */
  readonly isAttachment: AttachmentCheck;
  /** The waits of running commands. */
  readonly waits: Waits;
  /** All commands of the bot, as a help shows them. */
  readonly commands: () => readonly CommandInfo[];
  /** Where cooldowns and running commands are counted. */
  readonly throttle: { readonly cooldowns: CooldownStore; readonly concurrency: ConcurrencyStore };
  /** The messages that users get from the framework itself. */
  readonly texts: ResolvedTexts;
  /** Whether users are shown the cause of an error, and developers are warned of silences. */
  readonly development: boolean;
  /** Removes secrets from the causes that users are shown. */
  readonly redact: (text: string) => string;
  /** Counts handlers, and the calls that they left running. */
  readonly activity: Activity;
  /** The runs that wait for something: the others end before anything else happens. */
  readonly runs: Set<OpenRun>;
  /** The runs of event handlers that have not ended, or left something running. */
  readonly handlerRuns: Set<Stoppable>;
  /** Stops bots that answer each other; `undefined` if nothing does. */
  readonly loops: LoopGuard | undefined;
  /** Aborted at a shutdown, when handlers had their time. */
  readonly stopping: AbortSignal;
  /** Aborted when the bot has drained: nothing waits for another attempt then. */
  readonly ending: AbortSignal;
  /** Emits an `error` event. */
  readonly onError: (error: unknown, during: string) => void;
  /** Remembers open interactions for the next start; `undefined` if that is not needed. */
  readonly journal: InteractionJournal | undefined;
  /** The observers of the bot; `undefined` if it has none. */
  readonly observed: Observation | undefined;
}

/** Returns where a text for the user of an event is shown. */
export const textContext = (
  { services, envValues }: BotEnvironment,
  { serverId, channelId }: Pick<TextContext, 'serverId' | 'channelId'>,
): TextContext => ({ serverId, channelId, services, env: envValues });
