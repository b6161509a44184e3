import { bugError, defineErrors, userError, userErrorByKind } from '@virgule/core/errors';
import { describeSeen } from '@virgule/core/objects';
import { didYouMean, listOf } from '@virgule/core/text';
import { formatDuration } from '../text/duration.js';
import type { InputFailure } from './error-guards.js';

/** The sources in which a variable was searched. */
interface EnvFiles {
  readonly mode: string;
  /** Names of the `.env` files that were read, with their ignored lines. */
  readonly files: readonly string[];
}

const readFrom = (files: readonly string[]): string =>
  files.length === 0 ? 'There is no .env file.' : `Read: ${files.join(', ')}.`;

const ADDRESS_NAMES = { baseUrl: 'BOT_BASE_URL', gatewayUrl: 'BOT_GATEWAY_URL' } as const;

/** Every error code of the runtime. Codes never change once published. */
export const runtimeErrors = defineErrors({
  // Group: Files and names
  /**
   * Two commands have the same name or alias.
   *
   * Two files define the same command. The path of a file determines the command's name, and each name can be used
   * once. `commands/play.ts` and `commands/play/index.ts` both define `/play`, and so do `commands/play.ts` and a
   * compiled `commands/play.js`.
   *
   * An alias of a command is the name of a command, or an alias of another command. The platform lists an alias as a
   * separate command, so each alias can be used once, and only if no command has this name.
   *
   * @example
   * Error [E_COMMAND_CONFLICT] Two files define /play: commands/play.ts and commands/play/index.ts.
   *   at commands/play/index.ts
   * Try:  Delete one, or rename it.
   *
   * Error [E_COMMAND_CONFLICT] commands/roll.ts has the alias r, but /r is already defined by commands/repeat.ts.
   *   at commands/roll.ts
   * Try:  Remove the alias, or choose another one.
   *
   * @fix
   * - Delete one of the files, rename it, or prefix its name with `_` to make it private.
   * - Remove the alias from one of the files, or choose another one.
   */
  E_COMMAND_CONFLICT: userErrorByKind<
    | { kind: 'command'; name: string; files: readonly string[] }
    | { kind: 'alias'; file: string; name: string; other: string }
  >({
    command: ({ name, files }) => [
      `${numberOf(files.length)} files define /${name}: ${listOf(files)}.`,
      files.length === 2 && files[0]?.replace(/\.\w+$/, '') === files[1]?.replace(/\.\w+$/, '')
        ? 'Delete one; the usual cause is a compiled file next to its source.'
        : 'Delete one, or rename it.',
    ],
    alias: ({ file, name, other }) => [
      `${file} has the alias ${name}, but /${name} is already defined by ${other}.`,
      'Remove the alias, or choose another one.',
    ],
  }),
  /**
   * The file name and `defineEvent` name different events.
   *
   * Both the name of the file, or of its folder, and the first argument of `defineEvent` name the event. They must match.
   *
   * @example
   * Error [E_EVENT_NAME] events/message-create.ts listens to MESSAGE_CREATE by its name, and to MESSAGE_UPDATE by its code.
   *   at events/message-create.ts
   * Try:  Rename the file, or write defineEvent('MESSAGE_CREATE').
   *
   * @fix
   * - Rename the file, or change the argument. [All events](../guide/events.md).
   */
  E_EVENT_NAME: userError<{ file: string; fromFile: string; fromCode: string }>(
    ({ file, fromFile, fromCode }) => [
      `${file} listens to ${fromFile} by its name, and to ${fromCode} by its code.`,
      `Rename the file, or write defineEvent('${fromFile}').`,
    ],
  ),
  /**
   * A folder or file of the bot exists but cannot be read.
   *
   * The operating system did not allow listing the folder, or reading the file. The message ends with its reason. `.env` files
   * are optional, but an unreadable file is an error, because its settings would otherwise be ignored silently.
   *
   * @example
   * Error [E_PROJECT_UNREADABLE] /srv/bot/commands cannot be read: EACCES: permission denied, scandir '/srv/bot/commands'.
   * Try:  Check that it exists and that this user may read it.
   *
   * @fix
   * - Check the path, and that the user who runs the bot may read it: `.env` may be a folder.
   */
  E_PROJECT_UNREADABLE: userError<{ path: string; reason: string }>(({ path, reason }) => [
    `${path} cannot be read: ${reason}.`,
    'Check that it exists and that this user may read it.',
  ]),
  /**
   * The mode of `--mode` has no settings.
   *
   * A mode selects the file `.env.<mode>` and the [target](../guide/configuration.md#modes-and-targets) of the same
   * name. With a misspelled mode, the bot would run on the wrong platform, so a mode without a file and without a
   * target is an error. The modes `development`, `production` and `test` always exist.
   *
   * @example
   * Error [E_MODE_UNKNOWN] There is no mode "stagin": no file .env.stagin, and no target in the configuration.
   * Try:  Did you mean "staging"? Create .env.stagin, or add targets.stagin to virgule.config.ts.
   *
   * @fix
   * - Correct the name.
   * - For a new mode, create its `.env` file or add a target to `virgule.config.ts`.
   */
  E_MODE_UNKNOWN: userError<{ mode: string; meant?: string | undefined }>(({ mode, meant }) => [
    `There is no mode "${mode}": no file .env.${mode}, and no target in the configuration.`,
    `${meant === undefined ? '' : `Did you mean "${meant}"? `}Create .env.${mode}, or add targets.${mode} to virgule.config.ts.`,
  ]),
  /**
   * `services.ts` does not define services, or does not return an object.
   *
   * The default export of `services.ts` is a function that returns a plain object. Each member is one service. A
   * single class instance, a list or `undefined` is an error, because Virgule could neither name nor dispose it.
   *
   * @example
   * Error [E_SERVICES_INVALID] services.ts must have a default export made by defineServices, saw undefined.
   *   at services.ts
   * Try:  Write export default defineServices(async () => ({ name: value })), with defineServices from virgule.
   *
   * @fix
   * - Export the function as the default export: `export default defineServices(async () => ({ db }))`.
   * - Wrap a single service in an object: `({ db })`, not `db`; create an instance of a class in the function.
   */
  E_SERVICES_INVALID: userError<{ file: string; want: string; saw: string }>(
    ({ file, want, saw }) => [
      `${file} must ${want}, saw ${saw}.`,
      'Write export default defineServices(async () => ({ name: value })), with defineServices from virgule.',
    ],
  ),
  /**
   * A file has no handler.
   *
   * Every file in `commands/` and `events/` needs a default export. Depending on the file, this is a command, an
   * event handler, a middleware or an error handler.
   *
   * @example
   * Error [E_NO_HANDLER] commands/play.ts has no handler. It needs a default export made by defineCommand, or a function.
   *   at commands/play.ts
   * Try:  Export a handler, or prefix the file name with an underscore if the file is only a helper.
   *
   * @fix
   * - Add `export default defineCommand({ … })`.
   * - The function of a command is called `run`: rename `execute`, `handler`, `messageRun` or `chatInputRun`.
   * - A class is not called. Export an object with `run`, or an instance of the class.
   * - If the file is only a helper, prefix its name with `_`, or move it out of the folder.
   */
  E_NO_HANDLER: userError<{
    file: string;
    want: string;
    /** Default export to write. */
    form: string;
    /** Kind of the default export. */
    is: 'class' | 'object' | 'other';
  }>(({ file, want, is, form }) => [
    is === 'class'
      ? `The default export of ${file} is a class, which is not a handler.`
      : is === 'object'
        ? `The default export of ${file} is an object without a function run.`
        : `${file} has no handler. It needs ${want}.`,
    is === 'other' && !/\/_[^/]+$/.test(file)
      ? 'Export a handler, or prefix the file name with an underscore if the file is only a helper.'
      : `Write: export default ${form}`,
  ]),
  /**
   * A key or an export is unknown.
   *
   * A command has a fixed set of keys, and its file has no other exports. `virgule.config.ts` also has a fixed set
   * of [settings](../guide/configuration.md#settings), as do the options of `confirm()` and of the other calls that
   * [wait](../guide/waiting.md), of the [storage](../guide/storage.md) and of [tests](../guide/testing.md). An unknown key is probably misspelled, and would otherwise be ignored silently.
   *
   * @example
   * Error [E_UNKNOWN_KEY] commands/play.ts has an unknown key "desciption".
   *   at commands/play.ts:5
   * Try:  Did you mean "description"? Rename or remove it.
   *
   * @fix
   * - Correct the name.
   * - Move other exports to a separate file.
   * - A key of another framework has another form here:
   *
   * | Other frameworks                                   | Virgule                                                                                  |
   * | -------------------------------------------------- | ---------------------------------------------------------------------------------------- |
   * | `name`                                             | The name of the file                                                                     |
   * | `data`                                             | `description` and `options`                                                              |
   * | `execute`, `handler`, `messageRun`, `chatInputRun` | `run`                                                                                    |
   * | `subcommands`                                      | [Files in a folder](../guide/commands.md)                                                |
   * | `preconditions`, `permissions`                     | `_middleware.ts`                                                                         |
   * | `cooldownDelay`                                    | `cooldown: '10s'`                                                                        |
   * | `category`                                         | `meta: { category: 'fun' }`                                                              |
   * | `token`                                            | `BOT_TOKEN` in `.env`: a token does not belong in code                                   |
   * | `components`                                       | The platform has none: [`confirm()` and `paginate()`](../guide/waiting.md) use reactions |
   * | `ephemeral`                                        | The platform has no answers that only one user sees                                      |
   */
  E_UNKNOWN_KEY: userError<{
    file: string;
    key: string;
    meant?: string | undefined;
    known: readonly string[];
    /** `true` for an export of the file instead of a key of an object. */
    isExport?: boolean | undefined;
  }>(({ file, key, meant, known, isExport }) => [
    `${file} has an unknown ${isExport ? 'export' : 'key'} "${key}".`,
    key === 'name' && known.includes('run')
      ? 'Remove it: the file name is the name.'
      : meant
        ? `Did you mean "${meant}"? Rename or remove it.`
        : isExport
          ? `Such a file may export only ${listOf(known)}. Move ${key} to another file, such as lib/${key.toLowerCase()}${file.slice(file.lastIndexOf('.'))}.`
          : `Use one of ${known.join(', ')}.`,
  ]),
  /**
   * A command has no description, or its description is too long.
   *
   * Users see the description when they choose a command. It must have 1 to 100 characters.
   *
   * @example
   * Error [E_DESCRIPTION] commands/play.ts has no description.
   *   at commands/play.ts
   * Try:  Describe the command in 1 to 100 characters: description: '…'.
   *
   * @fix
   * - Add one: `description: 'Play a track'`.
   */
  E_DESCRIPTION: userError<{ file: string; saw: unknown; max: number }>(({ file, saw, max }) => [
    typeof saw === 'string' && saw.length > 0
      ? `The description of ${file} has ${saw.length} characters; ${max} are allowed.`
      : `${file} has no description.`,
    `Describe the command in 1 to ${max} characters: description: '…'.`,
  ]),
  /**
   * A setting has an invalid value.
   *
   * The setting is one of `virgule.config.ts`, of a command, an event, a task or a middleware. Each invalid setting is reported
   * with its line. Durations include their unit to avoid ambiguity: `2000` is invalid, `'2s'` is valid. [Settings of
   * `virgule.config.ts`](../guide/configuration.md#settings), [settings of commands](../guide/commands.md#settings).
   *
   * @example
   * Error [E_SETTING] defer in commands/play.ts must be 'auto', 'now', 'never' or a duration like '2s', saw 2000.
   *   at commands/play.ts:9
   * Try:  Set defer to 'auto', 'now', 'never' or a duration like '2s'.
   *
   * Error [E_SETTING] drain in virgule.config.ts must be a duration like '10s', saw 10000.
   *   at virgule.config.ts:6:3
   *
   *   4 |   }),
   *   5 |   separator: '_',
   * > 6 |   drain: 10000,
   *     |   ^
   *   7 | });
   *
   * Try:  Set drain to a duration like '10s'.
   *
   * @fix
   * - Use one of the values that the message names, or remove the key to use the default.
   */
  E_SETTING: userError<{
    file: string;
    key: string;
    want: string;
    saw: string;
    advice?: string | undefined;
  }>(({ file, key, want, saw, advice }) => [
    `${key} in ${file} must be ${want}, saw ${saw}.`,
    advice ?? (want.startsWith('omitted') ? `Remove ${key}.` : `Set ${key} to ${want}.`),
  ]),
  /**
   * A duration of a command exceeds what the platform allows.
   *
   * This is a warning of `virgule check`; the bot runs. The platform waits a limited time for a first answer, and
   * after a defer a limited time for the answer that replaces the thinking state. With a longer `defer` the command
   * expires before it is deferred; with a longer `timeout` it ends when its answer can no longer be shown. Both
   * limits are assumptions of the profile: `answerWindowMs` and `deferredWindowMs`.
   *
   * @example
   * Warning [E_DURATION_TOO_LONG] defer in commands/report.ts is 10s, but the platform waits only 3s.
   *   at commands/report.ts:6:3
   * Try:  Set defer to less than 3s.
   *
   * @fix
   * - Set a shorter duration; `defer: 'auto'` and a `timeout` of 15 minutes are the defaults.
   * - If your platform waits longer, set `profile` in `virgule.config.ts`.
   * - [Settings of a command](../guide/commands.md#settings).
   */
  E_DURATION_TOO_LONG: userError<{ file: string; key: string; saw: string; limit: string }>(
    ({ file, key, saw, limit }) => [
      `${key} in ${file} is ${saw}, but the platform waits only ${limit}.`,
      `Set ${key} to less than ${limit}.`,
    ],
  ),
  /**
   * A file threw an error while it was imported.
   *
   * Code outside functions runs when the file is imported. It threw an error, which is at the end of the message.
   *
   * @example
   * Error [E_MODULE_THREW] commands/play.ts could not be imported: Error: Cannot find module './player.js'
   *   at commands/play.ts
   * Try:  Fix the code that runs when the file is imported.
   *
   * @fix
   * - Fix the code that runs on import.
   * - Move operations that can fail into the handler.
   */
  E_MODULE_THREW: userError<{
    file: string;
    reason: string;
    /** `true` if Node.js cannot import this type of file. */
    isUnreadable?: boolean | undefined;
  }>(({ file, reason, isUnreadable }) => [
    `${file} could not be imported: ${reason}`,
    isUnreadable
      ? 'Rename it to .ts, .mts, .js, .mjs or .cjs.'
      : 'Fix the code that runs when the file is imported.',
  ]),

  // Group: Options
  /**
   * The options of a command have a type that the platform does not support.
   *
   * `options` is not a zod object. The options of a command are one `z.object({ … })`. Its keys are the options, in
   * the order in which users type them.
   *
   * An option has a type that the platform does not support. The platform has nine option types: string, integer,
   * number, boolean, user, channel, role, mentionable and attachment. A schema must accept one of them. Lists,
   * objects, dates and functions are not supported.
   *
   * @example
   * Error [E_OPTION_TYPE] The options of commands/roll.ts must be a zod object, saw a plain object.
   *   at commands/roll.ts:6
   * Try:  Write options: z.object({ name: z.string() }), with z from zod 4.
   *
   * Error [E_OPTION_TYPE] Option "tracks" of commands/play.ts is a list, which no option type of the platform supports.
   *   at commands/play.ts:7
   * Try:  Use z.string(), and split it in the handler.
   *
   * @fix
   * - Write `options: z.object({ sides: z.int() })`.
   * - Schemas of zod 3 are not supported: install zod 4.
   * - If the command has no options, omit `options`.
   * - Accept a string and convert it: `z.string().transform((text) => text.split(","))`.
   * - [Supported schemas](../guide/options.md).
   */
  E_OPTION_TYPE: userErrorByKind<
    | { kind: 'options'; file: string; saw: string; advice?: string | undefined }
    | { kind: 'option'; file: string; option: string; saw: string; advice: string }
  >({
    options: ({ file, saw, advice }) => [
      `The options of ${file} must be a zod object, saw ${saw}.`,
      advice ?? 'Write options: z.object({ name: z.string() }), with z from zod 4.',
    ],
    option: ({ file, option, saw, advice }) => [
      `Option "${option}" of ${file} is ${saw}, which no option type of the platform supports.`,
      advice,
    ],
  }),
  /**
   * An option has an invalid name.
   *
   * Option names contain lower-case letters, digits, `-` and `_`, and have at most 32 characters. Integers are not
   * allowed: JavaScript moves integer keys to the front of an object, which would change the order in which users
   * type the values.
   *
   * A key in camel case, such as `startAt`, is registered as `start-at`. Two keys must not have the same name there.
   *
   * @example
   * Error [E_OPTION_NAME] Option "start at" of commands/play.ts has a name the platform refuses.
   *   at commands/play.ts:8
   * Try:  Use a unique name of letters, digits, "-" and "_" with at most 32 characters that is not a whole number.
   *
   * @fix
   * - Rename the key. Quote a key that contains `-`: `"start-at": z.int()`.
   */
  E_OPTION_NAME: userError<{ file: string; option: string; why: string }>(
    ({ file, option, why }) => [
      `Option "${option}" of ${file} ${why}.`,
      'Use a unique name of letters, digits, "-" and "_" with at most 32 characters that is not a whole number.',
    ],
  ),
  /**
   * The order of the options makes one of them unreachable.
   *
   * Users type the values in the order of the keys. A required option after an optional one could not be set without
   * the optional one, and no option can follow an option that takes the rest of the line. Virgule does not reorder
   * options, because that would change the meaning of what users type.
   *
   * As a warning of `virgule check`: an optional string is followed by other options. Any word is a string, so without
   * it, the word for the next option becomes its value. An optional number, choice, duration or id is skipped
   * instead.
   *
   * @example
   * Error [E_OPTION_ORDER] Option "url" of commands/play.ts is required but comes after "volume", which is optional.
   *   at commands/play.ts:8
   * Try:  Move "url" before "volume": users type values in the order of the keys.
   *
   * @fix
   * - Add `.meta({ named: true })` to the optional option, which users then only name: `--repeat daily`. It has no place in the
   *   order, and a text at the end keeps the rest of the line.
   * - Or move the required option before the optional one. Text then takes one word, or several in quotes.
   * - Move the option that takes the rest of the line to the end. If it is required, so are all options before it.
   */
  E_OPTION_ORDER: userError<{
    file: string;
    option: string;
    after: string;
    rule: 'required' | 'rest' | 'free-text';
    advice: string;
  }>(({ file, option, after, rule, advice }) => {
    const problem = {
      required: `is required but comes after "${after}", which is optional`,
      rest: `comes after "${after}", which takes the rest of the line`,
      'free-text': `is optional text: without it, the word for "${after}" becomes "${option}"`,
    }[rule];
    return [`Option "${option}" of ${file} ${problem}.`, advice];
  }),
  /**
   * The description of an option exceeds the platform's limit and is truncated.
   *
   * This is a warning of `virgule check`; the bot runs. The platform accepts descriptions of up to 100 characters.
   * Virgule appends the range, the choices and the default of an option to its description, because the platform has
   * no other field for them. If the result is too long, your own text is truncated.
   *
   * @example
   * Warning [E_DESCRIPTION_CUT] The description of option "sides" of commands/roll.ts does not fit into 100 characters; users see "The number of faces that each of the dice has, all of which are… (2-1000, default 6)".
   *   at commands/roll.ts:8:5
   * Try:  Shorten it: the range, the choices and the default are added at its end.
   *
   * @fix
   * - Shorten `.describe('…')` until it fits.
   * - [Limits of option types](../guide/options.md#limits-of-option-types).
   */
  E_DESCRIPTION_CUT: userError<{ file: string; option: string; sent: string; max: number }>(
    ({ file, option, sent, max }) => [
      `The description of option "${option}" of ${file} does not fit into ${max} characters; users see "${sent}".`,
      'Shorten it: the range, the choices and the default are added at its end.',
    ],
  ),

  // Group: Starting
  /**
   * The bot has no token for the platform.
   *
   * `virgule deploy`, `virgule start` and `dist/bot.mjs` need `BOT_TOKEN`, from the environment or a `.env` file. An
   * empty value counts as not set. The error lists the files that were read, and the lines in them that are neither
   * `NAME=value` nor a comment.
   *
   * @example
   * Error [E_TOKEN_MISSING] There is no bot token: BOT_TOKEN is not set. Read: .env (not line 1), .env.production.
   * Try:  Put BOT_TOKEN=… into .env or .env.production, or set it for the process. `virgule dev` needs none: it runs on a simulator.
   *
   * @fix
   * - Write each setting as `NAME=value` on a separate line; a comment begins with `#`.
   * - Copy `.env.example` to `.env` and fill it in. You get the token in the developer portal of the platform.
   * - To work without an account, use `virgule dev`.
   */
  E_TOKEN_MISSING: userError<EnvFiles>(({ files, mode }) => [
    `There is no bot token: BOT_TOKEN is not set. ${readFrom(files)}`,
    `Put BOT_TOKEN=… into .env or .env.${mode}, or set it for the process. \`virgule dev\` needs none: it runs on a simulator.`,
  ]),
  /**
   * An address of the platform is not set.
   *
   * `BOT_BASE_URL` is the URL to which the client appends `/api/bot/v1`, and `BOT_GATEWAY_URL` is the URL to which it appends
   * `/gateway/bot`.
   *
   * @example
   * Error [E_ADDRESS_MISSING] The address of the platform is not known: BOT_BASE_URL is not set. There is no .env file.
   * Try:  Put BOT_BASE_URL=https://… into .env or .env.production, set it for the process, or set baseUrl in virgule.config.ts.
   *
   * @fix
   * - Set it in the environment, in `.env`, or as `baseUrl` or `gatewayUrl` in
   *   [`virgule.config.ts`](../guide/configuration.md): `BOT_BASE_URL=https://chat.example.com`,
   *   `BOT_GATEWAY_URL=wss://chat.example.com`.
   */
  E_ADDRESS_MISSING: userError<EnvFiles & { setting: 'baseUrl' | 'gatewayUrl' }>(
    ({ files, setting, mode }) => [
      `The address of the platform is not known: ${ADDRESS_NAMES[setting]} is not set. ${readFrom(files)}`,
      `Put ${ADDRESS_NAMES[setting]}=${setting === 'baseUrl' ? 'https' : 'wss'}://… into .env or .env.${mode}, set it for the process, or set ${setting} in virgule.config.ts.`,
    ],
  ),
  /**
   * A required environment variable is missing or invalid.
   *
   * The `env` schema in `virgule.config.ts` declares the environment variables that the bot needs. They are
   * validated before the bot starts. All invalid variables are reported at once, each as one such error. Their
   * values are never shown. An empty variable counts as not set.
   *
   * `LOG_LEVEL` is not a valid log level. Lines of this level and of all more severe levels are
   * logged.
   *
   * @example
   * Error [E_ENV_INVALID] The environment variable SONGS_URL (Address of the song list) is not set.
   *   at virgule.config.ts:6:5
   *
   *   4 | export default defineConfig({
   *   5 |   env: z.object({
   * > 6 |     SONGS_URL: z.url().describe('Address of the song list'),
   *     |     ^
   *   7 |   }),
   *   8 | });
   *
   * Try:  Put SONGS_URL=… into .env, or set it for the process; in a test with env, add it there.
   *
   * Error [E_ENV_INVALID] LOG_LEVEL is "verbose", which is not a log level.
   * Try:  Use one of fatal, error, warn, info, debug, trace, silent.
   *
   * @fix
   * - Set the variable for the process, or in `.env`, `.env.local` or `.env.<mode>`.
   * - Environment variables are strings: use `z.coerce.number()` for numbers and `z.stringbool()` for booleans.
   * - If the bot can run without the variable, add `.default(…)` or `.optional()`.
   * - Use one of the levels in the hint. The default is `info`.
   */
  E_ENV_INVALID: userErrorByKind<
    | {
        kind: 'variable' /** Name of the variable; empty if the problem concerns several variables together. */;
        name: string;
        isSet: boolean;
        /** Purpose of the variable, from its description in the schema. */
        about: string | undefined;
        faults: readonly string[];
        /** `true` if the schema expects a number or a boolean. */
        wantsOther: boolean;
      }
    | { kind: 'log-level'; saw: string; known: readonly string[] }
  >({
    variable: ({ name, isSet, about, faults, wantsOther }) => {
      const label = about === undefined ? name : `${name} (${about})`;
      const what = faults.join('; ');
      if (name === '')
        return [
          `The environment is invalid: ${what}.`,
          'Correct the variables where they are set.',
        ];
      if (!isSet)
        return [
          `The environment variable ${label} is not set.`,
          `Put ${name}=… into .env, or set it for the process; in a test with env, add it there.`,
        ];
      return [
        `The environment variable ${label} is invalid: ${what}.`,
        wantsOther
          ? 'Variables are strings: convert it in the schema, with z.coerce.number() or z.stringbool().'
          : `Correct ${name} where it is set: a variable of the process replaces that of a .env file. Its value is not shown.`,
      ];
    },
    'log-level': ({ saw, known }) => [
      `LOG_LEVEL is "${saw}", which is not a log level.`,
      `Use one of ${known.join(', ')}.`,
    ],
  }),
  /**
   * The services of the bot could not be created, so the bot does not start.
   *
   * The function in `services.ts` threw an error or did not finish within 60 seconds. Virgule disposed everything
   * that was registered with `onDispose` until then. Secrets of the environment are redacted from the reason.
   *
   * @example
   * Error [E_SERVICES_FAILED] The services of services.ts could not be created: connect ECONNREFUSED 127.0.0.1:5432
   *   at services.ts:5:16
   * Try:  The bot does not run without its services. Fix services.ts, or start the server that it connects to.
   *
   * @fix
   * - Read the reason. Usual causes are an unreachable server and a wrong key.
   * - `EADDRINUSE`: `virgule dev` or another process uses the port. In a test, pass another port in `env`, with the other variables.
   * - In development, fix the cause and save the file or `.env` again: `dev` starts a new process.
   */
  E_SERVICES_FAILED: userError<{
    file: string;
    reason: string;
    advice?: string | undefined;
  }>(({ file, reason, advice }) => [
    `The services of ${file} could not be created: ${reason}`,
    advice ??
      (reason.includes('EADDRINUSE')
        ? `Another process, such as \`virgule dev\`, uses the port. In a test, pass another port, such as 0, in \`env\`.`
        : `The bot does not run without its services. Fix ${file}, or start the server that it connects to.`),
  ]),
  /**
   * The health server cannot listen on this address.
   *
   * The health port is not a valid port. `--health` or `BOT_HEALTH_PORT` is neither an integer from 0 to 65535 nor such a
   * port after a host, such as `0.0.0.0:9090` or `[::1]:9090`.
   * With 0 the bot chooses a free port and logs it.
   *
   * Virgule does not fall back to another port when the configured one is unavailable, so the bot did not start.
   * `EADDRINUSE`: another program uses the port. `EADDRNOTAVAIL`: the host is not an address of this machine.
   * `EACCES`: this user may not listen on the port.
   *
   * @example
   * Error [E_HEALTH_LISTEN] --health is "abc", which is not a port.
   * Try:  Use a port from 0 to 65535, or HOST:PORT such as [::1]:9090; omit it to disable the health server.
   *
   * Error [E_HEALTH_LISTEN] Health cannot be served at 127.0.0.1:9090 (EADDRINUSE).
   * Try:  Stop the process that listens there, or pass another port with --health.
   *
   * @fix
   * - Set a valid port, or omit the setting to disable the health server.
   * - Stop the other program, or choose another port.
   * - Use an address of this machine. The default is 127.0.0.1.
   */
  E_HEALTH_LISTEN: userErrorByKind<
    | { kind: 'port'; from: string; saw: string }
    | { kind: 'address'; host: string; port: number; reason: string }
  >({
    port: ({ from, saw }) => [
      `${from} is "${saw}", which is not a port.`,
      'Use a port from 0 to 65535, or HOST:PORT such as [::1]:9090; omit it to disable the health server.',
    ],
    address: ({ host, port, reason }) => [
      `Health cannot be served at ${host}:${port} (${reason}).`,
      reason === 'EADDRINUSE'
        ? 'Stop the process that listens there, or pass another port with --health.'
        : 'Pass --health HOST:PORT with an address of this machine and a port that this user may use.',
    ],
  }),
  /**
   * A file is missing in the built bot.
   *
   * A bot built by `virgule build` contains every file in its manifest. A missing file is a bug in Virgule, unless
   * someone edited `dist/`.
   *
   * @example
   * Error [E_BUILD_INCOMPLETE] The built bot has no module for commands/play.ts.
   * This is a bug in Virgule. Please report it with these lines:
   * VirguleError: The built bot has no module for commands/play.ts.
   *
   * @fix
   * - Build again.
   * - If the error persists, please report it with the printed lines.
   */
  E_BUILD_INCOMPLETE: bugError<{ file: string }>(({ file }) => [
    `The built bot has no module for ${file}.`,
  ]),

  // Group: Scaling
  /**
   * A process was started with a role that it cannot have.
   *
   * `--role` or `BOT_ROLE` selects the role of one of several processes: `gateway`, `worker` or `all`. Without the
   * setting `scale`, a bot runs as one process, which does everything.
   *
   * @example
   * Error [E_ROLE] The role "worker" needs the setting "scale", which the configuration does not have.
   * Try:  Install @virgule/redis, and add `scale: redis()` to virgule.config.ts; or omit --role and BOT_ROLE.
   *
   * @fix
   * - Correct the name of the role.
   * - Add `scale: redis()` to the configuration, and build again.
   */
  E_ROLE: userError<{ saw: string; known: readonly string[]; isScaled: boolean }>(
    ({ saw, isScaled, known }) => [
      isScaled
        ? `"${saw}" is not a role of a process.`
        : `The role "${saw}" needs the setting "scale", which the configuration does not have.`,
      isScaled
        ? `Use ${listOf(known, 'or')} for --role or BOT_ROLE.`
        : 'Install @virgule/redis, and add `scale: redis()` to virgule.config.ts; or omit --role and BOT_ROLE.',
    ],
  ),

  // Group: Loading files
  /**
   * An import of zod adds all of its locales to the build.
   *
   * This is a warning of `virgule check`, `dev` and `run`; the bot runs. With `import { z } from 'zod'` the bundler
   * cannot determine which parts of zod are used, so that the built bot loads the texts of its errors in about fifty
   * languages.
   *
   * @example
   * Warning [E_ZOD_IMPORT] commands/roll.ts imports z by name, which adds all locales of zod to a build: 8 MB of memory.
   *   at commands/roll.ts:2:1
   * Try:  Write: import * as z from 'zod'.
   *
   * @fix
   * - Write `import * as z from 'zod'`. Nothing else changes: `z.object`, `z.int` and the others are the same.
   */
  E_ZOD_IMPORT: userError<{ file: string }>(({ file }) => [
    `${file} imports z by name, which adds all locales of zod to a build: 8 MB of memory.`,
    "Write: import * as z from 'zod'.",
  ]),

  // Group: Running commands
  /**
   * A command waits longer than its timeout allows.
   *
   * This is a warning in the log, once for each command, when `confirm`, `waitForMessage`, `reactions` or `paginate`
   * begins to wait for at least the `timeout` of its command (15 minutes by default). The wait cannot time out: the
   * command ends before it. There is no warning for `clock.sleep`, because a reminder may sleep longer than its command
   * runs.
   *
   * @example
   * Warning [E_TIMEOUT_TOO_SHORT] commands/poll.ts waits for 30s in reactions(), but its timeout of 20s ends it first.
   * Try:  Set timeout to more than '30s', shorten the wait, or ask a question that is stored: tasks.….ask(…).
   *
   * @fix
   * - Set a longer `timeout` for the command.
   * - Wait for a shorter time.
   * - For hours and days, write [a task that waits](../guide/waiting.md#questions-that-survive-a-restart): it also survives
   *   restarts.
   * - [Settings of a command](../guide/commands.md#settings).
   */
  E_TIMEOUT_TOO_SHORT: userError<{ file: string; call: string; wait: string; timeout: string }>(
    ({ file, call, wait, timeout }) => [
      `${file} waits for ${wait} in ${call}, but its timeout of ${timeout} ends it first.`,
      `Set timeout to more than '${wait}', shorten the wait, or ask a question that is stored: tasks.….ask(…).`,
    ],
  ),
  /**
   * The user's input does not match the options of the command.
   *
   * A user typed an invalid value. The handler did not run. `_error.ts` receives this error first; by default
   * Virgule answers with the problem, the input and the usage.
   *
   * @example
   * Error [E_INPUT] A line for /roll could not be read: sides: expected a whole number from 2 to 1000, got "many". Usage: /roll [sides=6] [count=1]
   * Try:  No action needed: the user was shown the problem.
   *
   * @fix
   * - If the default answer is good enough, you do not need to do anything.
   * - To use your own message, check for `isInvalidInput(error)` in `_error.ts`, or set the text `inputFailure`.
   *   [Errors](../guide/errors.md#custom-error-messages).
   */
  E_INPUT: userError<InputFailure & { commandName: string }>(({ commandName, message }) => [
    `A line for /${commandName} could not be read: ${message}`,
    'No action needed: the user was shown the problem.',
  ]),
  /**
   * An answer has content that the platform does not accept.
   *
   * A handler returned an answer that is not a string. An answer is a string, or an object whose `content` is a
   * string. Virgule does not convert numbers and other values.
   *
   * A source of text contains a value that is not a string. `append` writes the chunks of a source as they arrive. The
   * stream of a language model often mixes text with other events.
   *
   * An answer is empty or too long. The platform accepts messages of 1 to 2,000 characters.
   *
   * An edit contains files. The answer already exists, so the call is an edit, and the platform does not accept files
   * in an edit.
   *
   * @example
   * Error [E_ANSWER_INVALID] /roll answered with a content of type number; it must be a string.
   * Try:  Return a string, or an object like { content: 'text' }, and pass a stream to append(). The platform has no embeds and no components.
   *
   * Error [E_ANSWER_INVALID] append() received a chunk of type object; it must be a string.
   * Try:  Pass a source of strings: map the events of a model to their text, and await a promise.
   *
   * Error [E_ANSWER_INVALID] /help answered with 2431 characters; 1 to 2000 are allowed.
   * Try:  Shorten it, or add split: true to send it in several messages.
   *
   * Error [E_ANSWER_INVALID] A message is edited with files; an edit cannot contain files.
   * Try:  Send the files with reply(), as a new message.
   *
   * @fix
   * - Return `String(value)`.
   * - Map the events to strings in a generator, and skip events without text.
   * - [Streaming](../guide/answers.md#streaming).
   * - Shorten the text, or split it into several messages with [`split: true`](../guide/answers.md#long-messages).
   * - Return `null` to send no answer.
   * - Send the files as a new message with `reply()`.
   * - Or send the files with the first answer.
   */
  E_ANSWER_INVALID: userErrorByKind<
    | { kind: 'type'; commandName: string; saw: string }
    | { kind: 'chunk'; saw: string }
    | { kind: 'length'; owner: string; length: number }
    | { kind: 'edit-with-files' }
    | { kind: 'no-pages'; owner: string }
  >({
    type: ({ commandName, saw }) => [
      `/${commandName} answered with ${saw}; it must be a string.`,
      "Return a string, or an object like { content: 'text' }, and pass a stream to append(). The platform has no embeds and no components.",
    ],
    chunk: ({ saw }) => [
      `append() received a chunk of type ${saw}; it must be a string.`,
      'Pass a source of strings: map the events of a model to their text, and await a promise.',
    ],
    length: ({ owner, length }) => [
      `${owner} answered with ${length} characters; 1 to 2000 are allowed.`,
      length === 0
        ? 'Return null for silence.'
        : 'Shorten it, or add split: true to send it in several messages.',
    ],
    'no-pages': ({ owner }) => [
      `${owner} passed no page to paginate().`,
      'Pass at least one, such as a text that says that there is nothing.',
    ],
    'edit-with-files': () => [
      'A message is edited with files; an edit cannot contain files.',
      'Send the files with reply(), as a new message.',
    ],
  }),
  /**
   * The interaction expired before the command answered.
   *
   * The platform expires an interaction that is not answered in time. Virgule defers automatically after 1.5 s. This
   * error occurs when automatic deferring was disabled, when the process was too busy to defer in time, or when a
   * deferred command was not answered for a very long time.
   *
   * The message states the reason if the platform did not accept the answer before:
   *
   * ```text
   * Error [E_INTERACTION_EXPIRED] /report could not be answered before it expired: POST /interactions/{interactionId}/response was answered 503: whether it took effect is unknown.
   * ```
   *
   * The bot retried the answer until then: see [when the platform
   * fails](../guide/lifecycle.md#platform-failures).
   *
   * An answer that was written and then deleted is not late, but there is nothing left to edit:
   *
   * ```text
   * Error [E_INTERACTION_EXPIRED] The answer of /purge can no longer be edited: it was deleted, or its time is over.
   * Try:  Return nothing after you delete the answer, or write a new message with reply().
   * ```
   *
   * A command that takes longer than the platform accepts its follow-ups can still write to the channel:
   *
   * ```text
   * Error [E_INTERACTION_EXPIRED] /report was answered, and its time for further messages is over.
   * Try:  Send them with here.send().
   * ```
   *
   * @example
   * Error [E_INTERACTION_EXPIRED] /report was not answered in time (expired): the platform no longer accepts an answer.
   * Try:  Do not set defer to 'never' for slow commands: they are deferred automatically.
   *
   * @fix
   * - Leave `defer` at `'auto'`, or set it to `'now'`.
   * - If the platform waits less than 3 s, set `answerWindowMs` in the `profile` of `virgule.config.ts`: commands
   *   are deferred after half of it.
   * - Look for code that blocks the event loop, such as long loops and synchronous file access.
   */
  E_INTERACTION_EXPIRED: userError<{
    commandName: string;
    interactionId: string;
    state: string;
    hasAnswer: boolean;
    /** Last failure of the answer before the expiry, if any. */
    trouble?: string | undefined;
  }>(({ commandName, state, hasAnswer, trouble }) => [
    state === 'answered'
      ? `The answer of /${commandName} can no longer be edited: it was deleted, or its time is over.`
      : hasAnswer
        ? `/${commandName} was answered, and its time for further messages is over.`
        : trouble === undefined
          ? `/${commandName} was not answered in time (${state}): the platform no longer accepts an answer.`
          : `/${commandName} could not be answered before it expired: ${trouble}`,
    state === 'answered'
      ? 'Return nothing after you delete the answer, or write a new message with reply().'
      : hasAnswer
        ? 'Send them with here.send().'
        : trouble === undefined
          ? "Do not set defer to 'never' for slow commands: they are deferred automatically."
          : undefined,
  ]),
  /**
   * A handler took longer than its timeout.
   *
   * After `timeout` (15 minutes by default) the user sees that the command took too long, and `signal` is aborted.
   * The handler of an event fails in the same way; [Events](../guide/events.md#timeouts) describes when its users see
   * a text.
   *
   * @example
   * Error [E_COMMAND_TIMEOUT] /report took longer than its timeout of 15m.
   * Try:  Raise its timeout, or pass `signal` to the slow call.
   *
   * @fix
   * - Increase `timeout`.
   * - Pass `signal` to slow operations, so that they are canceled too.
   */
  E_COMMAND_TIMEOUT: userError<
    { timeoutMs: number } & ({ commandName: string } | { event: string; file: string })
  >(({ timeoutMs, ...handler }) => [
    `${'file' in handler ? handler.file : `/${handler.commandName}`} took longer than its timeout of ${formatDuration(timeoutMs)}.`,
    'Raise its timeout, or pass `signal` to the slow call.',
  ]),
  /**
   * The bot and another author answer each other.
   *
   * The handler of an event was about to answer an author who reacted to each of the last 10 answers within a quarter
   * of a second. The message is not sent, and the handler ends without an error. Slower messages of the author are
   * answered.
   *
   * @example
   * Error [E_ANSWER_LOOP] Stopped answering 7c9e6679-7425-40de-944b-e07fc1f90ae7 in the channel 0b8f6a52-5d0a-4f1e-9a37-3a1d2c4e5f60: 10 answers in 10 s were each answered at once, as only a program does.
   * Try:  Ignore messages of this author, or set loopGuard: false in virgule.config.ts if the bots are meant to talk.
   *
   * @fix
   * - Return early if `data.authorId` is the id of the other bot.
   * - If the bots are meant to talk to each other, set `loopGuard: false` in `virgule.config.ts`.
   */
  E_ANSWER_LOOP: userError<{ channelId: string; authorId: string }>(({ channelId, authorId }) => [
    `Stopped answering ${authorId} in the channel ${channelId}: 10 answers in 10 s were each answered at once, as only a program does.`,
    'Ignore messages of this author, or set loopGuard: false in virgule.config.ts if the bots are meant to talk.',
  ]),
  /**
   * A command needs to know who ran it, and its author is unknown.
   *
   * The platform does not report who ran a slash command, and a command that a language model calls has no author. The
   * author of a message is known. The user gets the text `authorUnknown`, and the command does not run.
   *
   * As a warning of `virgule check`: no caller of the command has an author, or it is a tool, and a model never has one.
   *
   * @example
   * Error [E_AUTHOR_UNKNOWN] The author of /daily is unknown.
   * Try:  Send the command as a message: !daily
   *
   * Warning [E_AUTHOR_UNKNOWN] requireAuthor() of /daily needs an author, and a slash command has none.
   *   at commands/daily.ts:6:3
   * Try:  Set messages: 'only' in the command, so that users send it as a message.
   *
   * @fix
   * - Set `messages: 'only'` in the command, so that users send it [as a message](../guide/callers.md). With `true`, its
   *   slash command exists as well, and asks users to send the message.
   * - If your platform reports who ran a slash command, set `profile.commandUser`.
   */
  E_AUTHOR_UNKNOWN: userError<{
    owner: string;
    /** The command as a message, if messages run it. */
    usage?: string | undefined;
    /** Part of a command that needs the author, in a warning. */
    part?: string;
    /** `true` if only a language model has no author. */
    isTool?: boolean;
  }>(({ owner, usage, part, isTool }) => [
    part === undefined
      ? `The author of ${owner} is unknown.`
      : `${part} of ${owner} needs an author, and ${isTool ? 'a language model' : 'a slash command'} has none.`,
    isTool
      ? 'Remove tool: the command refuses every model.'
      : usage === undefined
        ? "Set messages: 'only' in the command, so that users send it as a message."
        : `Send the command as a message: ${usage}`,
  ]),
  /**
   * A handler or a limit needs a server, and the server of the channel is unknown.
   *
   * A message event may not name its server. For a command, Virgule then searches for the channel among the channels of all
   * servers of the bot. If the channel is not among them, as a private conversation, or if they cannot be read, which the log
   * shows, `serverId` is empty. Without this error, all such channels would share their data.
   *
   * @example
   * Error [E_SERVER_UNKNOWN] storage.forServer() needs a server, and the server is unknown.
   * Try:  Return early if serverId is empty or missing.
   *
   * @fix
   * - Return early if `serverId` is empty, or if the `serverId` of an event is missing.
   * - Check that the bot may list its servers and their channels.
   */
  E_SERVER_UNKNOWN: userError<{ owner: string }>(({ owner }) => [
    `${owner} needs a server, and the server is unknown.`,
    'Return early if serverId is empty or missing.',
  ]),
  /**
   * The bot shut down while a handler was running.
   *
   * On shutdown, running handlers have 10 s to finish. Then `signal` is aborted with this error, and users are asked
   * to try again. With `overlap: 'abort'`, a newer event aborts the `signal` of an event handler too.
   *
   * @example
   * Error [E_HANDLER_STOPPED] The bot shut down before the handler ended.
   * Try:  Raise `drain` in the settings, 10 s by default, or pass `signal` to the calls of the handler. Catch the error in work that a handler leaves running.
   *
   * @fix
   * - If the handler can safely run again, you do not need to do anything.
   * - If it has to clean up, listen to `signal`.
   * - Work that a handler leaves running, such as a sleeping reminder, ends with this error too. A running bot ignores
   *   the error if no code catches it; a test reports the error: add `.catch(() => {})`.
   */
  E_HANDLER_STOPPED: userError<{ by?: 'caller' | 'event' }>(({ by }) => [
    by === 'caller'
      ? 'The caller of the command ended before the command did.'
      : by === 'event'
        ? 'A newer event aborted the run of the handler.'
        : 'The bot shut down before the handler ended.',
    'Raise `drain` in the settings, 10 s by default, or pass `signal` to the calls of the handler. Catch the error in work that a handler leaves running.',
  ]),
  /**
   * A command was called in a way that is not possible.
   *
   * `call()` runs a command of the bot, imported or by its name, in the channel of its handler. A task, and an event
   * without a channel, have to name a channel. A call is possible until the handler has ended, and calls nest at most
   * four deep. `tools()` returns only commands that have the setting `tool`. [Models](../guide/models.md).
   *
   * The answer of a called command goes to its caller. It is not a message, so no user can react to it: `confirm()`,
   * `paginate()` and `message()` fail there.
   *
   * Refusals of the command itself, such as invalid options or a cooldown, are not errors: they are in the result of
   * the call.
   *
   * @example
   * Error [E_CALL] /wether is not a command of this bot.
   * Try:  Did you mean weather?
   *
   * @fix
   * - Pass the default export of a file in `commands/`, or its name.
   * - In a task, add the channel: `call(report, {}, { at: { channelId } })`.
   * - Wait for the calls before the handler returns: `await call(…)`.
   * - Ask the users with `here.send()`, or before the call.
   */
  E_CALL: userErrorByKind<
    | { kind: 'unknown'; saw: string; known: readonly string[] }
    | { kind: 'channel' | 'late' | 'message' | 'tool' | 'approval'; command: string }
    | { kind: 'depth'; command: string; around: readonly string[] }
  >({
    unknown: ({ saw, known }) => {
      const meant = didYouMean(saw.replace(/^\/+/, ''), known);
      const hint = `Call an imported command, or one of ${known.join(', ')}.`;
      return [`${saw} is not a command of this bot.`, meant ? `Did you mean ${meant}?` : hint];
    },
    channel: ({ command }) => [
      `/${command} was called without the id of a channel.`,
      'Name the channel: call(command, options, { at: { channelId } }).',
    ],
    late: ({ command }) => [
      `/${command} was called, or answered, after its caller had ended.`,
      'Wait for the call before the handler returns: await call(…).',
    ],
    message: ({ command }) => [
      `The answer of /${command}, which was called, is not a message.`,
      'Send a message with here.send(), or ask the users before the call.',
    ],
    depth: ({ command, around }) => [
      `/${command} was called inside ${around.length} commands: /${around.join(', /')}.`,
      'Move the common code into a function that these commands import.',
    ],
    tool: ({ command }) => [
      `/${command} is not a tool for models.`,
      "Add tool: 'reads' or tool: 'writes' to the command.",
    ],
    approval: ({ command }) => [
      `/${command} has changed since a user was asked to approve its call, or the approval is more than a day old.`,
      'Let the model call the command again.',
    ],
  }),
  /**
   * A command waits for events that the bot does not receive.
   *
   * The bot subscribes only to the events that its files need. A command that waits must declare the intent:
   * `MESSAGE_REACTIONS` for `confirm`, `reactions` and `paginate`, `SERVER_MESSAGES` for `waitForMessage`. Without
   * the intent the wait would always time out, so it fails immediately.
   *
   * @example
   * Error [E_INTENT_MISSING] confirm() of /delete needs the intent MESSAGE_REACTIONS, which commands/delete.ts does not declare.
   * Try:  Add intents: ['MESSAGE_REACTIONS'] to commands/delete.ts, next to its other settings.
   *
   * @fix
   * - Add the line that the message names. [Waiting](../guide/waiting.md) has an example.
   * - If a middleware waits, declare the intent in every command that it wraps.
   */
  E_INTENT_MISSING: userError<{ call: string; owner: string; file: string; intent: string }>(
    ({ call, owner, file, intent }) => [
      `${call} of ${owner} needs the intent ${intent}, which ${file} does not declare.`,
      `Add intents: ['${intent}'] to ${file}, next to its other settings.`,
    ],
  ),
  /**
   * Too many commands are already waiting.
   *
   * At most 10,000 waits of a bot can be open at a time, so that they cannot exhaust its memory.
   *
   * @example
   * Error [E_TOO_MANY_WAITS] /quiz cannot wait in waitForMessage(): 10000 waits are open already.
   * Try:  Shorten the waits, or limit the command with `concurrency`.
   *
   * @fix
   * - Wait for a shorter time: `within: '30s'`.
   * - Collect the input of several users in one command, instead of waiting once per user.
   */
  E_TOO_MANY_WAITS: userError<{ call: string; owner: string; max: number }>(
    ({ call, owner, max }) => [
      `${owner} cannot wait in ${call}: ${max} waits are open already.`,
      'Shorten the waits, or limit the command with `concurrency`.',
    ],
  ),
  /**
   * The bot is shutting down while a command or an event handler waits.
   *
   * On shutdown every wait ends immediately, and the users of commands see that the bot is restarting. An event
   * handler ends without a message, and its error files are not called.
   *
   * @example
   * Error [E_WAIT_CLOSED] The bot is shutting down, so confirm() of /delete ended.
   * Try:  Catch the error if something must be undone; users are asked to try again.
   *
   * @fix
   * - Most commands do not need to handle this error.
   * - Catch it if the command has to undo something.
   * - To change the message that users see, use [`_error.ts`](../guide/commands.md#files-are-routes).
   */
  E_WAIT_CLOSED: userError<{ call: string; owner: string }>(({ call, owner }) => [
    `The bot is shutting down, so ${call} of ${owner} ended.`,
    'Catch the error if something must be undone; users are asked to try again.',
  ]),
  /**
   * A message that the bot sent could not be found.
   *
   * The Bot Interface does not specify what the platform returns for a sent message. If the response does not
   * contain the message, `message()`, `react()` and `delete()` search for the text of the message among the newest
   * messages of the channel. The message was not there. If the bot has sent the same text again, the search finds the newer
   * message.
   *
   * @example
   * Error [E_MESSAGE_NOT_FOUND] The sent message is not among the newest messages of channel 5f0c2f6e-8f7c-4d68-9c39-0e3f8f9d4a11.
   * Try:  The message was deleted, or many others were sent later. Call message() right after sending.
   *
   * @fix
   * - Call these methods right after sending.
   */
  E_MESSAGE_NOT_FOUND: userError<{ channelId: string }>(({ channelId }) => [
    `The sent message is not among the newest messages of channel ${channelId}.`,
    'The message was deleted, or many others were sent later. Call message() right after sending.',
  ]),
  /**
   * A string is not a valid duration.
   *
   * A duration is a number and a unit: `ms`, `s`, `m`, `h` or `d`.
   *
   * @example
   * Error [E_DURATION] "3 seconds" is not a duration.
   * Try:  Write a number with a unit: '250ms', '3s', '5m', '2h' or '1d'.
   *
   * @fix
   * - Write `'3s'`.
   */
  E_DURATION: userError<{ saw: string; call?: string | undefined }>(({ saw, call }) => [
    call === undefined
      ? `"${saw}" is not a duration.`
      : `\`within\` of ${call} is "${saw}", which is not a duration.`,
    "Write a number with a unit: '250ms', '3s', '5m', '2h' or '1d'.",
  ]),

  // Group: Tasks
  /**
   * A task was called with an unknown name, or an invalid payload or time.
   *
   * The name is unknown. `tasks.remnd` was called, and there is no file `tasks/remnd.ts`. The name of a task is the
   * name of its file, in lower case with `-` between words and folders.
   *
   * The payload does not match the schema of the task. The payload is checked when the task is called, and again when
   * it runs: the schema may have changed in between. A payload is JSON of up to 1 MiB; a `Date` or a function is
   * refused. A task without a schema has no payload.
   *
   * The time is invalid. The `Date` is invalid, for example because its string could not be parsed, or the duration
   * leads beyond the last date of JavaScript.
   *
   * @example
   * Error [E_TASK_CALL] There is no task remnd.
   * Try:  Did you mean remind?
   *
   * Error [E_TASK_CALL] The payload of the task remind is invalid at text: Invalid input: expected string, received undefined.
   * Try:  Compare the payload with the schema in tasks/remind.ts. New fields need a default for runs that are stored already.
   *
   * Error [E_TASK_CALL] A call of the task digest is invalid: "0 25 * * *" is not a cron expression with a future time, such as '0 9 * * 1-5'.
   * Try:  Write in('2h', payload), at(date, payload), every('1h', payload, { key }), cron('0 9 * * 1-5', payload, { timeZone }) or ask(question, payload, { within: '3d' }).
   *
   * Error [E_TASK_CALL] The task deploy waits for an answer.
   * Try:  Ask its question: ask(await reply('Sure?'), payload, { within: '3d' }).
   *
   * Error [E_TASK_CALL] The message 123e4567-e89b-42d3-a456-426614174000 has a question already, which is open or is being answered.
   * Try:  Ask with another message.
   *
   * @fix
   * - Write the name of the file: `tasks/clean-up.ts` is `tasks['clean-up']`.
   * - Create the file with `virgule new task NAME`.
   * - Add the task to the interface `Tasks`, so that TypeScript reports a wrong name: [tasks](../guide/tasks.md).
   * - Pass a payload that the schema of the task accepts.
   * - If runs were called with an older form, accept that form in the schema, for example with a default. Refused runs
   *   are kept for a week: `virgule task list`.
   * - Write a date as a string.
   * - Check the string from which the `Date` was created.
   * - Use `in` with a duration, such as the value of an `option.duration()`.
   */
  E_TASK_CALL: userErrorByKind<
    | { kind: 'name'; name: string; meant?: string | undefined; known: readonly string[] }
    | { kind: 'payload'; task: string; file: string; at: string; why: string }
    | { kind: 'option'; task: string; want: string; saw: string }
    | { kind: 'waits'; task: string; isAsk: boolean }
    | { kind: 'asked'; task: string; messageId: string | undefined }
  >({
    name: ({ name, meant, known }) => [
      `There is no task ${name}.`,
      meant === undefined
        ? `Create tasks/${name}.ts. Available: ${known.join(', ') || 'none'}.`
        : `Did you mean ${meant}?`,
    ],
    payload: ({ task, at, why, file }) => [
      `The payload of the task ${task} is invalid${at === '' ? '' : ` at ${at}`}: ${why}.`,
      `Compare the payload with the schema in ${file}. New fields need a default for runs that are stored already.`,
    ],
    option: ({ task, want, saw }) => [
      `A call of the task ${task} is invalid: ${saw} is not ${want}.`,
      "Write in('2h', payload), at(date, payload), every('1h', payload, { key }), cron('0 9 * * 1-5', payload, { timeZone }) or ask(question, payload, { within: '3d' }).",
    ],
    waits: ({ task, isAsk }) => [
      `The task ${task} waits for ${isAsk ? 'no' : 'an'} answer.`,
      isAsk
        ? "Write waits: 'confirm' in its file, or call it with in() or at()."
        : "Ask its question: ask(await reply('Sure?'), payload, { within: '3d' }).",
    ],
    asked: ({ messageId }) => [
      `The message ${messageId} has a question already, which is open or is being answered.`,
      'Ask with another message.',
    ],
  }),
  /**
   * A run of a task took longer than its timeout.
   *
   * After `timeout` (15 minutes by default) `signal` is aborted, and the run has failed. A failed run is retried up to
   * `retries` times. A handler that ignores the signal continues to run in parallel.
   *
   * @example
   * Error [E_TASK_TIMEOUT] The task digest took longer than its timeout of 15m.
   * Try:  Raise its timeout, or pass `signal` to the slow call.
   *
   * @fix
   * - Increase `timeout`.
   * - Pass `signal` to slow operations, so that they are canceled too.
   * - Divide the work: a task can call itself for the rest.
   */
  E_TASK_TIMEOUT: userError<{ task: string; timeoutMs: number }>(({ task, timeoutMs }) => [
    `The task ${task} took longer than its timeout of ${formatDuration(timeoutMs)}.`,
    'Raise its timeout, or pass `signal` to the slow call.',
  ]),

  // Group: Registering commands
  /**
   * The list of registered commands cannot be read.
   *
   * The response of `GET /commands` contains a command without a name, or an option without a name or a type. The
   * response cannot be compared with the local commands, so nothing was changed. Missing descriptions and dates are not
   * a problem.
   *
   * A start with the default check logs this as a warning, and the bot runs.
   *
   * @example
   * Error [E_COMMANDS_UNREADABLE] The registered command /ban cannot be read: options.0.type: Invalid input: expected string, received undefined.
   * Try:  Check the base URL of the platform. If the URL is correct, report the response.
   *
   * @fix
   * - Check `BOT_BASE_URL`.
   * - If the URL is correct, the platform returns a response that this version does not know: report the response.
   */
  E_COMMANDS_UNREADABLE: userError<{ name: string | undefined; field: string; reason: string }>(
    ({ name, field, reason }) => [
      `${name === undefined ? 'A registered command' : `The registered command /${name}`} cannot be read: ${[field, reason].filter(Boolean).join(': ')}.`,
      'Check the base URL of the platform. If the URL is correct, report the response.',
    ],
  ),
  /**
   * Registering would delete commands, and the deletion was not allowed.
   *
   * Registering replaces the whole set of commands on the platform. A registered command without a local file would
   * disappear from every server.
   *
   * @example
   * Error [E_SYNC_DELETES] Registering would delete /old, which is not allowed.
   * Try:  Run `virgule deploy` to see the plan, and pass --allow-delete to allow it.
   *
   * @fix
   * - Run `virgule deploy` and review the plan.
   * - Confirm the deletions there: type their number, or pass `--yes --allow-delete`.
   */
  E_SYNC_DELETES: userError<{ names: readonly string[] }>(({ names }) => [
    `Registering would delete ${names.map((name) => `/${name}`).join(', ')}, which is not allowed.`,
    'Run `virgule deploy` to see the plan, and pass --allow-delete to allow it.',
  ]),
  /**
   * Registering would delete every command.
   *
   * There are no local commands. Usually this means that the command ran in the wrong folder.
   *
   * @example
   * Error [E_SYNC_EMPTY] There are no local commands, so registering would delete all 5 registered ones.
   * Try:  Check that this is the right folder. To delete all commands, run `virgule deploy --allow-empty`.
   *
   * @fix
   * - Check that you are in the folder of the bot.
   */
  E_SYNC_EMPTY: userError<{ registered: number }>(({ registered }) => [
    `There are no local commands, so registering would delete all ${registered} registered ones.`,
    'Check that this is the right folder. To delete all commands, run `virgule deploy --allow-empty`.',
  ]),
  /**
   * The registered commands changed after the plan was made.
   *
   * Virgule reads the registered set again right before replacing it. The set no longer matched the plan, and differed
   * from the set to register, so nothing was sent.
   *
   * @example
   * Error [E_SYNC_STALE] The registered commands have changed since the plan was made. Nothing was changed.
   * Try:  Run `virgule deploy` again to see the new plan.
   *
   * @fix
   * - Run `virgule deploy` again.
   */
  E_SYNC_STALE: userError(() => [
    'The registered commands have changed since the plan was made. Nothing was changed.',
    'Run `virgule deploy` again to see the new plan.',
  ]),
  /**
   * The registered commands differ from the sent commands.
   *
   * After registering, Virgule reads the registered set again and compares it. A difference means that someone else
   * deployed at the same moment, or that the platform changed the commands. A bot that registers its commands with
   * `--sync` logs this and starts.
   *
   * After a 5xx response, the message states whether the registered set is unchanged or unknown. If the set was
   * replaced despite that status, the deploy succeeds.
   *
   * @example
   * Error [E_SYNC_NOT_APPLIED] The commands were sent, but /roll read back differently.
   * Try:  Someone else may have deployed at the same moment, or the platform changed them. Run `virgule deploy` again: the plan
   *       shows what differs.
   *
   * @fix
   * - Run `virgule deploy` again and review the plan.
   * - After a 5xx: `virgule deploy --check` shows whether anything is left to deploy; deploy again once the platform
   *   answers.
   */
  E_SYNC_NOT_APPLIED: userError<{
    /** Names of commands that differ when read back. */
    names: readonly string[];
    /** Message of the failure. */
    failure?: string | undefined;
    /** State of the registered set after the failure. */
    state?: 'unchanged' | 'unknown' | undefined;
  }>(({ names, failure = '', state }) => {
    if (state === 'unchanged')
      return [
        `Nothing was changed: ${failure}`,
        'The platform has a fault. Run `virgule deploy` again later.',
      ];
    return state === 'unknown'
      ? [
          `${failure} The commands could not be read back, so it is unknown whether they were replaced.`,
          'Run `virgule deploy --check` later: it shows whether anything is left to deploy.',
        ]
      : [
          `The commands were sent, but ${names.map((name) => `/${name}`).join(', ')} read back differently.`,
          'Someone else may have deployed at the same moment, or the platform changed them. Run `virgule deploy` again: the plan shows what differs.',
        ];
  }),

  // Group: Storage
  /**
   * A key or a value cannot be stored.
   *
   * The key is invalid. Keys are strings of 1 to 512 characters, including the names of namespaces. Control characters,
   * such as line breaks, and lone surrogates are refused, because not every database can store them.
   *
   * The value is invalid. Values are stored as JSON. JSON would silently change or drop a part of the value, such as a
   * `Date`, a `Map`, `NaN` or a function; or the value has more than 1 MiB of JSON. Nothing was written.
   *
   * @example
   * Error [E_STORAGE_VALUE] 7 cannot be a key of the storage.
   * Try:  Use a string of 1 to 512 characters, its namespaces included, without control characters.
   *
   * Error [E_STORAGE_VALUE] The value of poll cannot be stored: at is a Date.
   * Try:  Store JSON of up to 1 MiB: strings, numbers, true, false, null, lists and plain objects. Write a date as a string.
   *
   * @fix
   * - Convert the key to a string: `String(id)`.
   * - Shorten the key, or store the long part in the value.
   * - Convert the part that the message names: `date.toISOString()`, `[...map]`.
   * - Divide a large value into several keys. Files belong on the disk or in an object store.
   */
  E_STORAGE_VALUE: userErrorByKind<
    | { kind: 'key'; key: unknown; maximum: number }
    | { kind: 'value'; key: string; path: string; saw: string }
  >({
    key: ({ key, maximum }) => [
      `${describeSeen(key)} cannot be a key of the storage.`,
      `Use a string of 1 to ${maximum} characters, its namespaces included, without control characters.`,
    ],
    value: ({ key, path, saw }) => [
      `The value of ${key} cannot be stored: ${path === '' ? 'it is' : `${path} is`} ${saw}.`,
      'Store JSON of up to 1 MiB: strings, numbers, true, false, null, lists and plain objects. Write a date as a string.',
    ],
  }),
  /**
   * A stored value does not match the schema of the call that reads it.
   *
   * The entry was written in a different shape: by an older version of the bot, by another program, or without the
   * schema.
   *
   * @example
   * Error [E_STORAGE_SCHEMA] The stored value of poll does not match its schema at votes: Invalid input: expected number, received string.
   * Try:  Accept the old form in the schema, for example with a default, convert it with `upgrade`, or correct the entry with `virgule storage set`.
   *
   * @fix
   * - Let the schema accept both shapes: `.default(…)` for a new field, `z.union([…]).transform(…)` for a changed
   *   field.
   * - Correct or delete the entry: [`virgule storage`](../reference/command-line.md#virgule-storage).
   */
  E_STORAGE_SCHEMA: userError<{
    key: string;
    at: string;
    why: string;
    isNew: boolean;
  }>(({ key, at, why, isNew }) => [
    `The ${isNew ? 'new' : 'stored'} value of ${key} does not match its schema${at === '' ? '' : ` at ${at}`}: ${why}.`,
    isNew
      ? 'Nothing was written. Pass values that the schema accepts.'
      : 'Accept the old form in the schema, for example with a default, convert it with `upgrade`, or correct the entry with `virgule storage set`.',
  ]),
  /**
   * Other code changed an entry during every attempt to update it.
   *
   * `update` reads a value, changes the value, and writes the result only if the entry did not change in between. For
   * 10 seconds other code was faster at each attempt. The entry has the value that the other code wrote.
   *
   * @example
   * Error [E_STORAGE_CONFLICT] count could not be updated: other code changed it during all 214 attempts.
   * Try:  Update it less often, or divide it into several keys.
   *
   * @fix
   * - Do slow work before `update`, not in its function.
   * - Divide a shared entry, such as a counter, into one entry for each server.
   */
  E_STORAGE_CONFLICT: userError<{ key: string; attempts: number }>(({ key, attempts }) => [
    `${key} could not be updated: other code changed it during all ${attempts} attempts.`,
    'Update it less often, or divide it into several keys.',
  ]),
  /**
   * The storage cannot be opened, read or written.
   *
   * The database of the storage reported an error. The message contains the reason. If the database could not be
   * opened, the next use tries to open it again.
   *
   * @example
   * Error [E_STORAGE_FAILED] The storage .virgule/storage.db failed: EACCES: permission denied
   * Try:  Check that it exists and can be written, then try again. What was stored before is unchanged.
   *
   * @fix
   * - Make the folder and the file writable for the account of the bot.
   * - `the process runs as user 998, and the file belongs to user 0`: root copied the file. Run `sudo chown 998` for
   *   the file and the `-wal` and `-shm` files next to it.
   * - `database is locked`: another process wrote for more than two seconds. Several bots should not share a file on
   *   a network drive.
   */
  E_STORAGE_FAILED: userError<{ name: string; reason: string }>(({ name, reason }) => [
    `The storage ${name} failed: ${reason}`,
    'Check that it exists and can be written, then try again. What was stored before is unchanged.',
  ]),
  /**
   * The storage has no space left.
   *
   * SQLite could not write because the disk is full; or Redis has reached its memory limit, or could not write its file.
   * Reading still works, except at a start on a full disk, where SQLite cannot open its file.
   *
   * @example
   * Error [E_STORAGE_FULL] The storage is full. The last write was not made.
   * Try:  Free disk space, or raise `maxmemory` of Redis. What was stored before is unchanged.
   *
   * @fix
   * - Free disk space, or raise `maxmemory` of Redis.
   * - Set a `ttl` for entries that are not needed for long.
   */
  E_STORAGE_FULL: userError<Record<never, never>>(() => [
    'The storage is full. The last write was not made.',
    'Free disk space, or raise `maxmemory` of Redis. What was stored before is unchanged.',
  ]),
  /**
   * The file is not a storage that this version of Virgule can read.
   *
   * The storage file was written by a newer version of Virgule. A newer version can store entries in a form that this
   * version does not know. The file was not changed.
   *
   * The file is a database of another program or of your own code. The storage needs a separate file.
   *
   * @example
   * Error [E_STORAGE_FILE] .virgule/storage.db has format 2, written by a newer version of Virgule; this version reads formats up to 1.
   * Try:  Install the newer version again, or name another file in `storage`. The file was not changed.
   *
   * Error [E_STORAGE_FILE] data/app.db is an SQLite database, but not a storage of Virgule.
   * Try:  Name another file in `storage`. The file was not changed.
   *
   * @fix
   * - Install the newer version again.
   * - Restore a copy of the file from before the update.
   * - Name another file: `storage: sqlite({ file: 'data/storage.db' })`.
   */
  E_STORAGE_FILE: userErrorByKind<
    | { kind: 'newer'; file: string; format: number; known: number }
    | { kind: 'foreign'; file: string }
  >({
    newer: ({ file, format, known }) => [
      `${file} has format ${format}, written by a newer version of Virgule; this version reads formats up to ${known}.`,
      'Install the newer version again, or name another file in `storage`. The file was not changed.',
    ],
    foreign: ({ file }) => [
      `${file} is an SQLite database, but not a storage of Virgule.`,
      'Name another file in `storage`. The file was not changed.',
    ],
  }),
  /**
   * SQLite is not available.
   *
   * Node.js 22.13 and newer have SQLite built in. On older versions, the storage uses the package `libsql`, which
   * only bots that use the storage need. A built bot that has tasks or a `storage` exits with 78; `virgule dev` and
   * `virgule check` warn.
   *
   * @example
   * Error [E_STORAGE_DRIVER] Node.js 20.19.0 does not include SQLite, and the package libsql is not installed.
   * Try:  Run `npm install libsql`, or use Node.js 22.13 or newer.
   *
   * @fix
   * - Run `npm install libsql` in the folder of the bot, or use Node.js 22.13 or newer.
   * - A built bot needs the package as well: `dist/package.json` lists `libsql`, and
   *   `npm install --omit=dev --prefix dist` installs it there.
   */
  E_STORAGE_DRIVER: userError<{ node: string }>(({ node }) => [
    `Node.js ${node} does not include SQLite, and the package libsql is not installed.`,
    'Run `npm install libsql`, or use Node.js 22.13 or newer.',
  ]),

  // Group: Command line
  /**
   * The command line is invalid.
   *
   * A `virgule` command received too few or too many arguments. Without quotes, the shell splits a line with spaces
   * into several arguments.
   *
   * `virgule` has no such command. The first argument after `virgule` is the command. To run a command of your bot,
   * use `virgule run "/line"`.
   *
   * A `virgule` command or a built bot has no such flag. Unknown flags are errors, because a misspelled flag would
   * otherwise be ignored silently. Arguments for the code of a built bot follow `--`.
   *
   * A flag has an invalid value. The message says which values the flag accepts.
   *
   * Two flags cannot be combined. One of the flags has no effect with the other. For example, `--live` runs without
   * a simulator, so its port, host, page and chat cannot be configured.
   *
   * @example
   * Error [E_ARGUMENTS] `virgule run` takes one line in quotes, such as "/hello", saw /roll 20.
   * Try:  Run `virgule run --help` for an example.
   *
   * Error [E_ARGUMENTS] `virgule new` takes a kind and a name, such as `command admin/ban`, saw evnt message-create.
   * Try:  Did you mean `virgule new event`?
   *
   * Error [E_ARGUMENTS] There is no command "deplyo".
   * Try:  Did you mean `virgule deploy`?
   *
   * Error [E_ARGUMENTS] `virgule simulator` has no --prot.
   * Try:  Did you mean --port?
   *
   * Error [E_ARGUMENTS] --port takes a port from 0 to 65535, saw "http".
   * Try:  Write --port followed by a port from 0 to 65535.
   *
   * Error [E_ARGUMENTS] `virgule dev` does not take --live and --fresh together.
   * Try:  Leave out one of --live and --fresh.
   *
   * @fix
   * - Quote the line: `virgule run "/roll 20"`.
   * - [All commands](../reference/command-line.md).
   * - Correct the flag; `--help` lists all flags.
   * - Correct the value.
   * - Remove one of the flags.
   */
  E_ARGUMENTS: userErrorByKind<
    | {
        kind: 'words';
        command: string;
        /** Program that the command belongs to. @defaultValue `virgule` */
        program?: string | undefined;
        want: string;
        saw: readonly string[];
        /** First words that the command accepts, for a suggestion. */
        known?: readonly string[];
      }
    | { kind: 'command'; program?: string | undefined; saw: string; meant?: string | undefined }
    | {
        kind: 'flag';
        flag: string;
        /** Command line that received the flag, such as `virgule dev`. */
        program: string;
        meant?: string | undefined;
      }
    | { kind: 'value'; flag: string; want: string; saw: string }
    | { kind: 'conflict'; command: string; flags: readonly string[] }
    | { kind: 'preview'; saw: string }
  >({
    words: ({ command, program, want, saw, known = [] }) => {
      const [first = ''] = saw;
      const meant = known.includes(first) ? undefined : didYouMean(first, known);
      const line = `${program ?? 'virgule'} ${command}`;
      return [
        saw.length === 0
          ? `\`${line}\` needs ${want}.`
          : `\`${line}\` takes ${want}, saw ${saw.join(' ')}.`,
        meant
          ? `Did you mean \`${line} ${meant}\`?`
          : program === undefined
            ? `Run \`${line} --help\` for an example.`
            : `Run \`${program} --help\` to list all commands.`,
      ];
    },
    command: ({ program = 'virgule', saw, meant }) => [
      `There is no command "${saw}".`,
      meant
        ? `Did you mean \`${program} ${meant}\`?`
        : `Run \`${program} --help\` to list all commands.`,
    ],
    flag: ({ flag, program, meant }) => [
      `\`${program}\` has no ${flag}.`,
      meant ? `Did you mean ${meant}?` : `Run \`${program} --help\` to list its flags.`,
    ],
    value: ({ flag, want, saw }) => [
      `${flag} takes ${want}, saw "${saw}".`,
      `Write ${flag} followed by ${want}.`,
    ],
    preview: ({ saw }) => [
      `--preview is for a simulator, and the address of the platform is ${saw}.`,
      'Run `virgule start --preview`, which starts a simulator, or leave out --preview.',
    ],
    conflict: ({ command, flags }) => [
      `\`virgule ${command}\` does not take ${listOf(flags)} together.`,
      `Leave out one of ${listOf(flags)}.`,
    ],
  }),
  /**
   * A file cannot be imported into the storage.
   *
   * `virgule storage import` reads a file that `virgule storage export` wrote. The file cannot be read, or a line is
   * not an object with `key` and `value`. Nothing was written.
   *
   * @example
   * Error [E_STORAGE_IMPORT] storage.jsonl was not imported: line 3: Unexpected end of JSON input
   * Try:  Pass a file that `storage export` wrote: one object with key and value per line.
   *
   * @fix
   * - Correct the line that the message names, or export again.
   */
  E_STORAGE_IMPORT: userError<{ file: string; reason: string }>(({ file, reason }) => [
    `${file} was not imported: ${reason}`,
    'Pass a file that `storage export` wrote: one object with key and value per line.',
  ]),

  // Group: Voice
  /**
   * A handler used `voice`, which the configuration does not set up.
   *
   * Playing audio needs `@virgule/voice` and a package that sends audio. They are not part of `virgule`, so that
   * bots without voice do not install them.
   *
   * @example
   * Error [E_VOICE_MISSING] The configuration has no setting "voice", so the bot cannot use voice channels.
   * Try:  Run `npm install @virgule/voice node-datachannel`, and add `voice: voice()` to virgule.config.ts.
   *
   * @fix
   * - Install the packages: `npm install @virgule/voice node-datachannel`.
   * - Add the setting to `virgule.config.ts`:
   *
   * ```ts
   * import { voice } from '@virgule/voice';
   * import { defineConfig } from 'virgule';
   *
   * export default defineConfig({ voice: voice() });
   * ```
   *
   * - See [Voice](../guide/voice.md).
   */
  E_VOICE_MISSING: userError(() => [
    'The configuration has no setting "voice", so the bot cannot use voice channels.',
    'Run `npm install @virgule/voice node-datachannel`, and add `voice: voice()` to virgule.config.ts.',
  ]),
});

export const numberOf = (count: number): string => (count === 2 ? 'Two' : String(count));
