import type { Rest } from '@virgule/client/rest';
import type { Clock, Deadlines } from '@virgule/core/clock';
import type { Log } from '@virgule/core/log';
import type { Profile } from '@virgule/core/protocol';
import type { UserRef } from '../options/references.js';
import type { Storage } from '../storage/storage.js';
import type { TaskHandles } from '../tasks/define-task.js';
import type { OpenedVoice } from '../voice/voice-setting.js';
import type { Activity } from './activity.js';
import type { MessageCommands } from './message-commands.js';
import type { CommandInfo } from './command-info.js';
import type { Calls } from './context/call.js';
import type { BotEvent } from './gateway-port.js';
import type { InteractionJournal } from './interaction-journal.js';
import type { Lifetime } from './lifetime.js';
import type { LoopGuard } from './loop-guard.js';
import type { Observation } from './observer.js';
import type { OwnTexts } from './own-texts.js';
import type { AttachmentCheck } from './raw-input/parse-raw-input.js';
import type { EnvValues, Services } from './register.js';
import type { ResolvedTexts } from './texts.js';
import type { ConcurrencyStore } from './throttle/concurrency-store.js';
import type { CooldownStore } from './throttle/cooldown-store.js';
import type { Waits } from './waits/waits.js';

/** An object that stops with the bot. */
export interface Stoppable {
  readonly lifetime: Pick<Lifetime, 'isOver' | 'stop'>;
}

/** The members of a command run that are needed to stop and report the run. */
export interface OpenRun extends Stoppable {
  readonly command: { readonly name: string; readonly file: string };
}

/** All parts of a bot that its handlers and their runs use. Each bot has one environment. */
export interface BotEnvironment {
  readonly rest: Rest;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** The bot itself; with an empty id before the first READY, when only handlers of framework events run. */
  me: UserRef;
  /** Beginnings of a message that mentions the bot, in the assumed form or by a name; none before the first READY. */
  mentions: readonly string[];
  /** The object that `services.ts` returned. No handler runs before it is set. */
  services: Services;
  /** Environment variables that handlers get as `env`. */
  readonly envValues: EnvValues;
  readonly storage: Storage;
  readonly tasks: TaskHandles;
  readonly voice: OpenedVoice;
  readonly profile: Profile;
  readonly deadlines: Deadlines;
  /** Resolves to the id of the server of a channel, for an event without it; empty if it cannot be known. */
  readonly serverOf: (channelId: string) => Promise<string>;
  /** Form of the messages that run commands. */
  readonly messages: Required<MessageCommands>;
  /** Additional hosts from which attachments may be downloaded. The hosts of the platform are always allowed. */
  readonly attachmentHosts: readonly string[];
  /** Returns whether a typed string names an attachment. */
  readonly isAttachment: AttachmentCheck;
  readonly waits: Waits;
  readonly commands: () => readonly CommandInfo[];
  /** Runs commands for code and for language models. */
  readonly calls: Calls;
  /** Stores that count cooldowns and running commands. */
  readonly throttle: { readonly cooldowns: CooldownStore; readonly concurrency: ConcurrencyStore };
  readonly texts: ResolvedTexts;
  /** `true` if users see the cause of an error, and commands without an answer are logged as warnings. */
  readonly development: boolean;
  /** Removes secrets from error causes that users see. */
  readonly redact: (text: string) => string;
  /** Counter of running handlers and of calls in flight. */
  readonly activity: Activity;
  /** Runs that wait for something. All other runs end without waiting. */
  readonly runs: Set<OpenRun>;
  /** Runs of event handlers that have not ended, or whose calls are still in flight. */
  readonly handlerRuns: Set<Stoppable>;
  /** Latest texts that the bot has sent. Shows that a message whose author is unknown is its own. */
  readonly ownTexts: OwnTexts;
  /** Guard against bots that answer each other; `undefined` if the guard is off. */
  readonly loops: LoopGuard | undefined;
  /** Signal that is aborted at a shutdown, after the time for handlers to end. */
  readonly stopping: AbortSignal;
  /** Signal that is aborted after the bot has drained. No call waits for another attempt after that. */
  readonly ending: AbortSignal;
  readonly onError: (error: unknown, during: string) => void;
  /** Journal of open interactions for the next start; `undefined` if no journal is kept. */
  readonly journal: InteractionJournal | undefined;
  /** `true` if tasks ask questions: the journal has each answer until its command ends, which may ask about it. */
  asksQuestions: boolean;
  /** Observers of the bot; `undefined` if there are none. */
  readonly observed: Observation | undefined;
  /** Records runs that fail; `undefined` without the setting `failed`. */
  readonly recorder: RunRecorder | undefined;
  /** Keeps an event that a wait took in the record of its run; `undefined` for a run that is not recorded. */
  readonly consumed?: (event: string, data: unknown) => void;
  /** Ends the recording of the run; `undefined` for a run that is not recorded. */
  readonly endRecord?: () => void;
}

/** A run to record. */
export interface RecordedWork extends Pick<BotEvent, 't' | 'd' | 'receivedAtMs'> {
  readonly kind: 'command' | 'event';
  readonly name: string;
  /** Payloads of the events that the run replaces. */
  readonly skipped?: readonly unknown[] | undefined;
  /** Handler with its schemas and its code, whose words are not private. */
  readonly handler: object;
}

/** Records runs that fail. */
export interface RunRecorder {
  /** Adds an event to the open records of its channel. */
  received(event: BotEvent, env: BotEnvironment): void;
  /** Records an uncaught exception, for the newest open run of a command or an event file. */
  crashed(error: unknown, name: string, env: BotEnvironment): void;
  /** Returns the environment for a run, which records values that the run reads until `endRecord`. */
  open(env: BotEnvironment, work: RecordedWork): BotEnvironment;
}
