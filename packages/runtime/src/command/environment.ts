import type { Rest } from '@virgule/client/rest';
import { createDeadlines, type Clock, type Deadlines } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import { resolveProfile, type Profile } from '@virgule/core/protocol';
import type { CommandInfo } from './context/command-info.js';
import type { TaskHandles } from '../tasks/define-task.js';
import type { EnvValues, Services } from './register.js';
import { resolveTexts, type ResolvedTexts, type TextContext } from './texts.js';
import type { InteractionJournal } from './answer/open-interactions.js';
import { isId } from '../options/references.js';
import type { AttachmentCheck } from './raw-input/convert-typed.js';
import type { Storage } from '../storage/storage.js';
import { Waits } from './waits/waits.js';
import { Activity } from './activity.js';
import type { CommandRun } from './run/command-run.js';
import type { HandlerRun } from '../events/handler-run.js';
import { LoopGuard } from './loop-guard.js';
import type { BotOptions } from '../bot/create-bot.js';
import { observe, type Observation } from './observation.js';
import { MISSING_VOICE, type OpenedVoice } from '../voice/voice-setting.js';
import type { ThrottleStores } from './throttle/throttle.js';

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
  readonly throttle: ThrottleStores;
  /** The messages that users get from the framework itself. */
  readonly texts: ResolvedTexts;
  /** Whether users are shown the cause of an error, and developers are warned of silences. */
  readonly development: boolean;
  /** Removes secrets from the causes that users are shown. */
  readonly redact: (text: string) => string;
  /** Counts handlers, and the calls that they left running. */
  readonly activity: Activity;
  /** The runs that wait for something: the others end before anything else happens. */
  readonly runs: Set<CommandRun>;
  /** The runs of event handlers that have not ended, or left something running. */
  readonly handlerRuns: Set<HandlerRun>;
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

/** What the bot itself adds to its options. */
type OwnParts = Pick<
  BotEnvironment,
  'storage' | 'tasks' | 'throttle' | 'commands' | 'stopping' | 'ending' | 'onError'
>;

/** Creates the environment of a bot from its options, without its services. */
export function createEnvironment(options: BotOptions, own: OwnParts): BotEnvironment {
  const { rest, gateway, clock, random, log, observers, attachmentHosts = [] } = options;
  const profile = resolveProfile(options.profile);
  const deadlines = createDeadlines(clock);
  return {
    ...own,
    rest,
    clock,
    random,
    log,
    services: {},
    envValues: options.env ?? {},
    voice: options.voice ?? MISSING_VOICE,
    profile,
    deadlines,
    attachmentHosts,
    isAttachment: (typed) =>
      profile.attachmentInput === 'id'
        ? isId(typed)
        : rest.attachments.isFileUrl(typed, attachmentHosts),
    waits: new Waits({
      clock,
      deadlines,
      log,
      watch: (channelId, sinceMs) => gateway.watch?.(channelId, sinceMs),
      onOpen: options.onWait,
    }),
    texts: resolveTexts(options.texts, log),
    development: options.development ?? false,
    redact: options.redact ?? ((text) => text),
    activity: new Activity(),
    runs: new Set(),
    journal: options.interactionJournal,
    handlerRuns: new Set(),
    loops: options.loopGuard === false ? undefined : new LoopGuard({ clock, log }),
    observed: observers?.length ? observe(observers, log) : undefined,
  };
}

/** Returns where a text for the user of an event is shown. */
export const textContext = (
  { services, envValues }: BotEnvironment,
  { serverId, channelId }: Pick<TextContext, 'serverId' | 'channelId'>,
): TextContext => ({ serverId, channelId, services, env: envValues });
