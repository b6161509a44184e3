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
  /** Commands and events of the bot. `use` replaces the project later. */
  readonly project: Project;
  readonly profile?: ProfileSettings | undefined;
  /** `true` to show the causes of errors in the chat. @defaultValue `false` */
  readonly development?: boolean | undefined;
  /** Removes secrets from error causes in the chat. @defaultValue removes nothing */
  readonly redact?: ((text: string) => string) | undefined;
  /** Replaces messages that users get from the framework itself. */
  readonly texts?: Partial<Texts> | undefined;
  /** Additional hosts from which attachments may be downloaded; the hosts of the platform are always allowed. @defaultValue none */
  readonly attachmentHosts?: readonly string[] | undefined;
  /** `true` to stop answers to an author who reacts like a program. @defaultValue `true` */
  readonly loopGuard?: boolean | undefined;
  /** Store of cooldowns. @defaultValue the memory of this process */
  readonly cooldowns?: CooldownStore | undefined;
  /** Store that counts running commands. @defaultValue the memory of this process */
  readonly concurrency?: ConcurrencyStore | undefined;
  /** Storage that handlers get as `storage`; closed with the bot. @defaultValue `.virgule/storage.db` in the working directory */
  readonly storage?: StorageConnection | undefined;
  /** Queue of task runs in the same storage, if the services use the queue too. @defaultValue created with the bot */
  readonly tasks?: TaskQueue | undefined;
  /** Audio that handlers get as `voice`; closed with the bot. @defaultValue using `voice` fails with `E_VOICE_MISSING` */
  readonly voice?: OpenedVoice | undefined;
  /** Services that handlers get as `services`. Events wait until they are created; `close` disposes them. @defaultValue none */
  readonly services?: ServicesRun | undefined;
  /** Variables that handlers get as `env`. @defaultValue none */
  readonly env?: Readonly<Record<string, unknown>> | undefined;
  /** Time that running handlers get to end at `close`, in milliseconds. @defaultValue 10,000 */
  readonly drainMs?: number | undefined;
  /** Journal of open interactions, with the entries of earlier processes. @defaultValue interactions stay open after a kill */
  readonly interactionJournal?: InteractionJournal | undefined;
  /** Observers of the bot, for metrics and traces. @defaultValue none */
  readonly observers?: readonly BotObserver[] | undefined;
  /** Called with each new wait for users, in the async context of its handler. */
  readonly onWait?: ((wait: ObservedWait) => void) | undefined;
  /** Called when an error ended the connection permanently, or the token was refused; the bot closes itself. */
  readonly onClosed?: ((error: VirguleError) => void) | undefined;
}

/** A bot that is connected, or about to be. */
export type Bot = Readonly<Pick<RunningBot, keyof RunningBot>>;

export const createBot = (options: BotOptions): Bot => new RunningBot(options);
