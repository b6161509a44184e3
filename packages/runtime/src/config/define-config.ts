import type { Intent, ProfileSettings } from '@virgule/core/protocol';
import type { z } from 'zod';
import type { BotObserver } from '../command/observer.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import type { Scale } from '../scale/scale.js';
import type { VoiceSetting } from '../voice/voice-setting.js';
import type { Duration } from '../text/duration.js';
import type { Texts } from '../command/texts.js';

/** A level of the log, from the most to the least severe; `silent` writes nothing. */
export type LogLevelName = (typeof LOG_LEVELS)[number];

/** The settings of a bot, as `virgule.config.ts` holds them. */
export interface Config<Env extends z.ZodObject = z.ZodObject> {
  /**
   * The environment variables the bot needs. Checked before it starts; the values are `ctx.env`. An
   * empty variable counts as one that is not set. Their values are redacted in the log.
   *
   * @defaultValue none
   */
  readonly env?: Env | undefined;
  /**
   * Intents to request in addition to those that commands and the files below `events/` need.
   *
   * @defaultValue none
   */
  readonly intents?: readonly Intent[] | undefined;
  /**
   * Separates the folders and the file in the name of a command: `admin-ban` or `admin_ban`.
   *
   * @defaultValue `'-'`
   */
  readonly separator?: '-' | '_' | undefined;
  /**
   * Replaces messages that users get from the framework itself: `silent`, the text of a deferred command
   * without an answer, `restarting`, `failed` and others. 1 to 2,000 characters each.
   *
   * @defaultValue `DEFAULT_TEXTS`, such as `{ silent: 'Done.' }`
   */
  readonly texts?: Partial<Texts> | undefined;
  /**
   * Hosts of attachments that users may send to the bot, in addition to those of the platform: `['cdn.example.com']`, with
   * the port unless it is the default one. Their addresses must be public.
   *
   * @defaultValue none
   */
  readonly attachments?: { readonly hosts?: readonly string[] | undefined } | undefined;
  /**
   * Whether event handlers stop answering an author who reacts to 10 answers in 10 s at once, as only another bot does.
   *
   * @defaultValue `true`
   */
  readonly loopGuard?: boolean | undefined;
  /**
   * How long running handlers get when the bot stops. In development at most 10 seconds.
   *
   * @defaultValue `'10s'`
   */
  readonly drain?: Duration | undefined;
  /**
   * How long the code of a built bot may block its event loop, such as by an endless loop, until the process is ended,
   * so that its supervisor restarts it; at least 1 second. `false`: it is not ended. Not in development and tests.
   *
   * @defaultValue `'30s'`
   */
  readonly watchdog?: Duration | false | undefined;
  /**
   * Observe the bot, for metrics and traces.
   *
   * @defaultValue none
   */
  readonly observers?: readonly BotObserver[] | undefined;
  /**
   * Where cooldowns are kept: `'storage'` is the `storage` of the bot, where they survive a restart. Those of a bot with
   * `scale` hold for all its workers.
   *
   * @defaultValue the memory of the process
   */
  readonly cooldowns?: 'storage' | undefined;
  /**
   * Where `storage` of handlers stores its entries: `sqlite({ file })`, `memory()`, or an object of your own. Opened at the
   * first use.
   *
   * @defaultValue `sqlite()`, which is the file `.virgule/storage.db`; in tests the memory
   */
  readonly storage?: StorageSetting | undefined;
  /**
   * Runs a built bot as several processes, such as `redis()` of `@virgule/redis`. Not in development and tests, where
   * one process is all.
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
   * The log of a built bot: the lowest `level` that it writes. `LOG_LEVEL` of the environment takes
   * precedence.
   *
   * @defaultValue `{ level: 'info' }`
   */
  readonly log?: { readonly level?: LogLevelName | undefined } | undefined;
  /**
   * How the platform behaves where its interface document does not say, if that differs from the
   * default.
   */
  readonly profile?: ProfileSettings | undefined;
  /**
   * Whether messages that were sent while the bot was disconnected are read afterwards, from the channels in which it
   * received messages before (the latest 100). They are events with `recovered: true`. Needs a file for
   * MESSAGE_CREATE, or its intent. Not in development.
   *
   * @defaultValue `false`
   */
  readonly backfill?: boolean | undefined;
  /**
   * `http://` or `https://` address of the platform. `BOT_BASE_URL` of the environment wins.
   *
   * @defaultValue `BOT_BASE_URL`
   */
  readonly baseUrl?: string | undefined;
  /**
   * `ws://` or `wss://` address of the platform's gateway. `BOT_GATEWAY_URL` of the environment wins.
   *
   * @defaultValue `BOT_GATEWAY_URL`
   */
  readonly gatewayUrl?: string | undefined;
  /**
   * The addresses and the profile of other platforms, by mode: with `--mode staging`, those of `targets.staging`
   * replace the ones above.
   *
   * @defaultValue none
   */
  readonly targets?:
    | Readonly<Record<string, Pick<Config, 'baseUrl' | 'gatewayUrl' | 'profile'>>>
    | undefined;
  /** How `virgule build` bundles the bot. */
  readonly build?:
    | {
        /**
         * Names of packages that are not bundled, in addition to those that the build leaves out by itself. They are
         * listed in `dist/package.json` and have to be installed where the bot runs.
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
 * const config = defineConfig({
 *   env: z.object({ DATABASE_URL: z.url() }),
 *   separator: '_',
 * });
 * export default config;
 * ```
 */
export function defineConfig<const Env extends z.ZodObject = z.ZodObject<Record<never, never>>>(
  config: Config<Env>,
): Config<Env> {
  return config;
}

/** The levels of a log, from the most to the least severe; `silent` writes nothing. */
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
