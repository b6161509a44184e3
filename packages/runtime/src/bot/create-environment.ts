import { createDeadlines } from '@virgule/core/clock';
import { resolveProfile } from '@virgule/core/protocol';
import { Activity } from '../command/activity.js';
import type { BotEnvironment } from '../command/environment.js';
import { createLoopGuard } from '../command/loop-guard.js';
import { resolveMessageCommands, type MessageCommands } from '../command/message-commands.js';
import { observe } from '../command/observer.js';
import { OwnTexts } from '../command/own-texts.js';
import { createServerLookup } from '../command/server-lookup.js';
import { resolveTexts } from '../command/texts.js';
import {
  createMemoryConcurrency,
  type ConcurrencyStore,
} from '../command/throttle/concurrency-store.js';
import { createMemoryCooldowns, type CooldownStore } from '../command/throttle/cooldown-store.js';
import { Waits, type ObservedWait } from '../command/waits/waits.js';
import { isId, userRef } from '../options/references.js';
import { MISSING_VOICE, type OpenedVoice } from '../voice/voice-setting.js';
import type { GatewayPort } from '../command/gateway-port.js';
import type { VirguleError } from '@virgule/core/errors';
import type { Project } from '../load/project.js';
import type { ResolvedConfig } from '../config/read-config.js';
import type { ServicesRun } from '../services/create-services.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import type { TaskQueue } from '../tasks/task-queue.js';

export interface BotOptions
  extends
    Pick<BotEnvironment, 'rest' | 'log' | 'clock' | 'random'>,
    Pick<ResolvedConfig, 'attachments' | 'drainMs' | 'failed' | 'loopGuard'>,
    Pick<ResolvedConfig, 'observers' | 'profile' | 'texts'> {
  readonly gateway: GatewayPort;
  /** Commands and events of the bot. `use` replaces the project later. */
  readonly project: Project;
  /** `true` to show the causes of errors in the chat. @defaultValue `false` */
  readonly development?: boolean | undefined;
  /** Removes secrets from error causes in the chat. @defaultValue removes nothing */
  readonly redact?: ((text: string) => string) | undefined;
  /** Form of the messages that run commands. @defaultValue the prefix `!`, or a mention */
  readonly messageCommands?: MessageCommands | undefined;
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
  /** Journal of open interactions, with the entries of earlier processes. @defaultValue interactions stay open after a kill */
  readonly interactionJournal?: BotEnvironment['journal'];
  /** Called with each new wait for users, in the async context of its handler. */
  readonly onWait?: ((wait: ObservedWait) => void) | undefined;
  /** Called when an error ended the connection permanently, or the token was refused; the bot closes itself. */
  readonly onClosed?: ((error: VirguleError) => void) | undefined;
}

/** Creates the environment of a bot from its options, without its services. */
export function createEnvironment(
  options: BotOptions,
  own: Pick<
    BotEnvironment,
    'storage' | 'tasks' | 'commands' | 'calls' | 'stopping' | 'ending' | 'onError' | 'recorder'
  >,
): BotEnvironment {
  const { rest, gateway, clock, random, log, observers, attachments } = options;
  const attachmentHosts = attachments?.hosts ?? [];
  const profile = resolveProfile(options.profile);
  const deadlines = createDeadlines(clock);
  const env: BotEnvironment = {
    ...own,
    rest,
    clock,
    random,
    log,
    me: userRef(''),
    mentions: [],
    services: {},
    envValues: options.env ?? {},
    voice: options.voice ?? MISSING_VOICE,
    profile,
    deadlines,
    serverOf: createServerLookup(options),
    messages: resolveMessageCommands(options.messageCommands),
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
    throttle: {
      cooldowns: options.cooldowns ?? createMemoryCooldowns(clock),
      concurrency: options.concurrency ?? createMemoryConcurrency(),
    },
    texts: resolveTexts(options.texts, log, () => ({ services: env.services, env: env.envValues })),
    development: options.development ?? false,
    redact: options.redact ?? ((text) => text),
    activity: new Activity(),
    runs: new Set(),
    journal: options.interactionJournal,
    asksQuestions: false,
    handlerRuns: new Set(),
    ownTexts: new OwnTexts(),
    loops: options.loopGuard === false ? undefined : createLoopGuard(clock, log),
    observed: observers?.length ? observe(observers, log, clock) : undefined,
  };
  return env;
}
