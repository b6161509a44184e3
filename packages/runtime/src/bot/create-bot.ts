import type { GatewayPort } from '../command/gateway-port.js';
import type { Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import type { VirguleError } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { ProfileSettings } from '@virgule/core/protocol';
import type { ConcurrencyStore } from '../command/throttle/concurrency-store.js';
import type { CooldownStore } from '../command/throttle/cooldown-store.js';
import type { Texts } from '../command/texts.js';
import type { InteractionJournal } from '../command/interaction-journal.js';
import type { Project } from '../load/project.js';
import type { ServicesRun } from '../services/create-services.js';
import type { BotObserver } from '../command/observer.js';
import type { StorageConnection } from '../storage/storage.js';
import type { TaskQueue } from '../tasks/task-queue.js';
import type { ObservedWait } from '../command/waits/waits.js';
import type { OpenedVoice } from '../voice/voice-setting.js';
import { RunningBot } from './running-bot.js';

export interface BotOptions {
  readonly rest: Rest;
  readonly gateway: GatewayPort;
  readonly log: Log;
  readonly clock: Clock;
  readonly random: () => number;
  /** What the bot answers to at first; `use` replaces it. */
  readonly project: Project;
  readonly profile?: ProfileSettings | undefined;
  /** Whether the causes of errors are shown in chat. @defaultValue `false` */
  readonly development?: boolean | undefined;
  /** Removes secrets from the causes of errors that are shown in chat. @defaultValue leaves them as they are */
  readonly redact?: ((text: string) => string) | undefined;
  /** Replaces messages that users get from the framework itself. */
  readonly texts?: Partial<Texts> | undefined;
  /** Hosts from which attachments may be downloaded, in addition to those of the platform. @defaultValue none */
  readonly attachmentHosts?: readonly string[] | undefined;
  /** Whether answers to an author who reacts like a program are stopped. @defaultValue `true` */
  readonly loopGuard?: boolean | undefined;
  /** Where cooldowns are kept. @defaultValue the memory of this process */
  readonly cooldowns?: CooldownStore | undefined;
  /** Where running commands are counted. @defaultValue the memory of this process */
  readonly concurrency?: ConcurrencyStore | undefined;
  /** What handlers get as `storage`; closed with the bot. @defaultValue `.virgule/storage.db` in the working directory */
  readonly storage?: StorageConnection | undefined;
  /** The runs of its tasks, if its services share them; they are in the same storage. @defaultValue created with the bot */
  readonly tasks?: TaskQueue | undefined;
  /** What plays audio; closed with the bot. @defaultValue using it fails with `E_VOICE_MISSING` */
  readonly voice?: OpenedVoice | undefined;
  /** What handlers get as `services`; events wait until they are created, and `close` disposes them. @defaultValue none */
  readonly services?: ServicesRun | undefined;
  /** What handlers get as `env`. @defaultValue nothing */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  /** How long running handlers get at `close`, in milliseconds. @defaultValue 10,000 */
  readonly drainMs?: number | undefined;
  /** Remembers open interactions, and what an earlier process left of them. @defaultValue a kill leaves them as they are */
  readonly interactionJournal?: InteractionJournal | undefined;
  /** Observe the bot, for metrics and traces. @defaultValue none */
  readonly observers?: readonly BotObserver[] | undefined;
  /** Called with each wait for users that begins, in the async context of its handler. */
  readonly onWait?: ((wait: ObservedWait) => void) | undefined;
  /** Called when an error ended the connection permanently, or the token was refused; the bot closes itself. */
  readonly onClosed?: ((error: VirguleError) => void) | undefined;
}

/** A bot that is connected, or about to be. */
export type Bot = Readonly<Pick<RunningBot, keyof RunningBot>>;

export const createBot = (options: BotOptions): Bot => new RunningBot(options);
