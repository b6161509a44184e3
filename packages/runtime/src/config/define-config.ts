import type { Intent, ProfileSettings } from '@virgule/core/protocol';
import type { z } from 'zod';
import type { BotObserver } from '../command/observer.js';
import type { FailedSetting } from '../observe/recorder.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import type { MessageCommands } from '../command/message-commands.js';
import type { Scale } from '../scale/scale.js';
import type { VoiceSetting } from '../voice/voice-setting.js';
import type { Duration } from '../text/duration.js';
import type { Texts } from '../command/texts.js';

/** A level of the log; `silent` writes nothing. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

/** The settings of a bot in `virgule.config.ts`. */
export interface Config<Env extends z.ZodObject = z.ZodObject> {
  /**
   * Schema of the environment variables that the bot needs. Checked before the bot starts; the values are
   * `ctx.env`. An empty variable counts as missing. The values are redacted in the log.
   *
   * @defaultValue none
   */
  readonly env?: Env | undefined;
  /**
   * Additional intents to request. The intents of commands and of the files below `events/` are always requested.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
  /** Separator of folders and file in the name of a command: `admin-ban` or `admin_ban`. @defaultValue `'-'` */
  readonly separator?: '-' | '_' | undefined;
  /**
   * Replacements for messages that users get from the framework itself: `silent`, the text of a deferred command
   * without an answer, `restarting`, `failed` and others. 1 to 2,000 characters each.
   *
   * @defaultValue `DEFAULT_TEXTS`, such as `{ silent: 'Done.' }`
   */
  readonly texts?: Partial<Texts> | undefined;
  /**
   * Additional hosts of attachments that users may send to the bot, such as `['cdn.example.com']`, with the port unless it
   * is the default port. The hosts of the platform are always allowed. The addresses of the hosts must be public.
   *
   * @defaultValue none
   */
  readonly attachments?: { readonly hosts?: readonly string[] | undefined } | undefined;
  /**
   * Form of the messages that run the commands with the setting `messages`: `{ prefix: '!', mention: true, ignore: [] }`.
   *
   * @defaultValue the prefix `!`, or a mention of the bot
   */
  readonly messages?: MessageCommands | undefined;
  /**
   * `true` if event handlers stop answering an author who reacts at once to 10 answers in 10 s, as only another bot does.
   *
   * @defaultValue `true`
   */
  readonly loopGuard?: boolean | undefined;
  /** Time that running handlers get to end when the bot stops. In development at most 10 seconds. @defaultValue `'10s'` */
  readonly drain?: Duration | undefined;
  /**
   * Time after which a blocked event loop, such as by an endless loop, ends the process of a built bot, so that its
   * supervisor restarts the bot; at least 1 second. `false`: the process is not ended. Not used in development and tests.
   *
   * @defaultValue `'30s'`
   */
  readonly watchdog?: Duration | false | undefined;
  /** Observers of the bot, for metrics and traces. @defaultValue none */
  readonly observers?: readonly BotObserver[] | undefined;
  /**
   * Records of commands and events that fail, for `virgule failed`: `{}`, or with `keep`, `for` and `text`.
   *
   * @defaultValue nothing is recorded
   */
  readonly failed?: FailedSetting | undefined;
  /**
   * Store of cooldowns: with `'storage'`, the `storage` of the bot, in which cooldowns survive a restart. The cooldowns
   * of a bot with `scale` apply to all its workers.
   *
   * @defaultValue the memory of the process
   */
  readonly cooldowns?: 'storage' | undefined;
  /**
   * Storage of the entries that handlers store: `sqlite({ file })`, `memory()`, or your implementation of `StorageSetting`.
   * Opened at the first use.
   *
   * @defaultValue `sqlite()`, which is the file `.virgule/storage.db`; in tests the memory
   */
  readonly storage?: StorageSetting | undefined;
  /**
   * Runs a built bot as several processes, such as `redis()` of `@virgule/redis`. Not used in development and tests, which
   * run one process.
   *
   * @defaultValue one process
   */
  readonly scale?: Scale | undefined;
  /**
   * Plays audio in voice channels, such as `voice()` of `@virgule/voice`. Requests the intent `SERVER_VOICE`.
   *
   * @defaultValue using `voice` of a handler fails with `E_VOICE_MISSING`
   */
  readonly voice?: VoiceSetting | undefined;
  /**
   * The log of a built bot: the lowest `level` that it writes. `LOG_LEVEL` of the environment takes precedence.
   *
   * @defaultValue `{ level: 'info' }`
   */
  readonly log?: { readonly level?: LogLevelName | undefined } | undefined;
  /**
   * Behaviors of the platform that its interface document does not specify, if they differ from the default, or the imported
   * `platform.json` of `virgule probe`.
   *
   * @defaultValue `DEFAULT_PROFILE`
   */
  readonly profile?: ProfileSettings | undefined;
  /**
   * `true` to read messages that were sent while the bot was disconnected, after it has reconnected, from the latest 100
   * channels in which the bot received messages before. The events have `recovered: true`. Needs a file for MESSAGE_CREATE,
   * or its intent. Not used in development.
   *
   * @defaultValue `false`
   */
  readonly backfill?: boolean | undefined;
  /**
   * `http://` or `https://` address of the platform. `BOT_BASE_URL` of the environment takes precedence.
   *
   * @defaultValue `BOT_BASE_URL`
   */
  readonly baseUrl?: string | undefined;
  /**
   * `ws://` or `wss://` address of the platform's gateway. `BOT_GATEWAY_URL` of the environment takes precedence.
   *
   * @defaultValue `BOT_GATEWAY_URL`
   */
  readonly gatewayUrl?: string | undefined;
  /**
   * Addresses and profiles of other platforms, by mode: with `--mode staging`, the settings of `targets.staging` replace
   * `baseUrl`, `gatewayUrl` and `profile`.
   *
   * @defaultValue none
   */
  readonly targets?:
    | Readonly<Record<string, Pick<Config, 'baseUrl' | 'gatewayUrl' | 'profile'>>>
    | undefined;
  /** Settings of `virgule build`. */
  readonly build?:
    | {
        /**
         * Names of packages that are not bundled. The build automatically leaves out other packages if needed. All
         * these packages are listed in `dist/package.json` and have to be installed where the bot runs.
         *
         * @defaultValue none
         */
        readonly external?: readonly string[] | undefined;
      }
    | undefined;
}

/**
 * Defines the settings of a bot: the default export of `virgule.config.ts`.
 *
 * @example
 * ```ts
 * export default defineConfig({
 *   env: z.object({ DATABASE_URL: z.url() }),
 *   separator: '_',
 * });
 * ```
 */
export function defineConfig<const Env extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  config: Config<Env>,
): Config<Env> {
  return config;
}

/** The levels of a log, from the most to the least severe; `silent` writes nothing. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
