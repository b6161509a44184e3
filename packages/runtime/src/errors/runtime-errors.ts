import { bugError, defineErrors, userError } from '@virgule/core/errors';
import { listOf } from '@virgule/core/text';
import type { InputFailure } from './error-guards.js';

/** Where a variable was looked for. */
interface EnvFiles {
  readonly mode: string;
  /** The `.env` files that were read, as people read it. */
  readonly files: readonly string[];
}

const readFrom = (files: readonly string[]): string =>
  files.length === 0 ? 'There is no .env file.' : `Read: ${files.join(', ')}.`;

/** Every error code of the runtime. Codes never change once published. */
export const runtimeErrors = defineErrors({
  // Files that become routes.
  E_NO_COMMANDS_FOLDER: userError<{
    lookedFor: readonly string[];
    /** The way to the closest parent folder that has one, such as `..`. */
    parent?: string | undefined;
  }>({
    message: ({ lookedFor }) =>
      `There is no commands folder: no file below ${listOf(
        lookedFor.map((folder) => `${folder}/`),
        'or',
      )}.`,
    hint: ({ lookedFor, parent }) =>
      parent === undefined
        ? `Create ${lookedFor[0] ?? 'commands'}/hello.ts, or run this in the folder that holds your bot.`
        : `The bot is in ${parent}: run this there, or add \`--cwd ${parent}\`.`,
  }),
  E_FOLDER_CONFLICT: userError<{ used: string; ignored: string }>({
    message: ({ used, ignored }) =>
      `Both ${used}/ and ${ignored}/ hold files; only ${used}/ is read.`,
    hint: ({ used, ignored }) =>
      `Move the files of ${ignored}/ into ${used}/, or the other way round.`,
  }),
  E_COMMAND_CONFLICT: userError<{ name: string; files: readonly string[] }>({
    message: ({ name, files }) =>
      `${numberOf(files.length)} files define /${name}: ${listOf(files)}.`,
    hint: ({ files }) =>
      files.length === 2 && files[0]?.replace(/\.\w+$/, '') === files[1]?.replace(/\.\w+$/, '')
        ? 'Delete one; the usual cause is a compiled file next to its source.'
        : 'Delete one, or rename it.',
  }),
  E_ALIAS_CONFLICT: userError<{ file: string; name: string; other: string }>({
    message: ({ file, name, other }) =>
      `${file} has the alias ${name}, but /${name} is already defined by ${other}.`,
    hint: 'Remove the alias, or choose another one.',
  }),
  E_COMMAND_NAME: userError<{ file: string; name: string; why: string }>({
    message: ({ file, name, why }) =>
      name === '' ? `${file} ${why}.` : `${file} makes the command /${name}, which ${why}.`,
    hint: ({ name }) =>
      name === ''
        ? 'Name the file after its command, or move it into a folder.'
        : 'Rename the file or its folder: lower-case letters, digits, "-" and "_", starting with a letter or digit, at most 32 characters.',
  }),
  E_EVENT_UNKNOWN: userError<{
    file: string;
    name: string;
    meant?: string | undefined;
    known: readonly string[];
  }>({
    message: ({ file, name }) => `${file} is named after "${name}", which is not an event.`,
    hint: ({ meant, known }) =>
      meant === undefined
        ? `The events are ${known.join(', ')}. Name the file or its folder after one, such as events/message-create/greeting.ts; start a name with "_" to keep a file private.`
        : `Did you mean ${meant}? Start a name with "_" to keep a file private.`,
  }),
  /** Without `meant`, its name is right, and it is where it applies to nothing. */
  E_SPECIAL_FILE_NAME: userError<{ file: string; meant?: string | undefined }>({
    message: ({ file, meant }) =>
      meant === undefined
        ? `${file} applies to nothing: a special file is for its folder of commands or events.`
        : `${file} is not the name of a special file, so the other files of its folder are not loaded.`,
    hint: ({ meant }) =>
      meant === undefined
        ? 'Move it into the folder whose files it is for, such as commands/.'
        : `Did you mean ${meant}? Rename it; a private file needs a name that is less like it.`,
  }),
  E_CASE_COLLISION: userError<{ paths: readonly [string, string] }>({
    message: ({ paths }) => `${paths[0]} and ${paths[1]} differ only in upper and lower case.`,
    hint: 'Rename one: macOS and Windows treat them as the same path.',
  }),
  E_FILE_CONFLICT: userError<{ what: string; files: readonly string[] }>({
    message: ({ what, files }) =>
      `${numberOf(files.length)} files define ${what}: ${listOf(files)}.`,
    hint: ({ files }) => `Keep one of them; until then ${files[0] ?? 'the first'} is used.`,
  }),
  E_PROJECT_UNREADABLE: userError<{ path: string; reason: string }>({
    message: ({ path, reason }) => `${path} cannot be read: ${reason}.`,
    hint: 'Check that it exists and that this user may read it.',
  }),

  // Options of a command.
  E_OPTIONS_NOT_OBJECT: userError<{ file: string; saw: string; advice?: string | undefined }>({
    message: ({ file, saw }) => `The options of ${file} must be a zod object, saw ${saw}.`,
    hint: ({ advice }) =>
      advice ?? 'Write options: z.object({ name: z.string() }), with z from zod 4.',
  }),
  E_OPTION_TYPE: userError<{
    file: string;
    option: string;
    saw: string;
    advice: string;
  }>({
    message: ({ file, option, saw }) =>
      `Option "${option}" of ${file} is ${saw}, which no option type of the platform can carry.`,
    hint: ({ advice }) => advice,
  }),
  E_OPTION_NAME: userError<{ file: string; option: string; why: string }>({
    message: ({ file, option, why }) => `Option "${option}" of ${file} ${why}.`,
    hint: 'Use a unique name of letters, digits, "-" and "_" with at most 32 characters that is not a whole number.',
  }),
  E_OPTION_ORDER: userError<{
    file: string;
    option: string;
    after: string;
    rule: 'required' | 'rest';
    advice: string;
  }>({
    message: ({ file, option, after, rule }) =>
      rule === 'required'
        ? `Option "${option}" of ${file} is required but comes after "${after}", which is optional.`
        : `Option "${option}" of ${file} comes after "${after}", which takes the rest of the line.`,
    hint: ({ advice }) => advice,
  }),

  // Starting
  E_TOKEN_MISSING: userError<EnvFiles>({
    message: ({ files }) => `There is no bot token: BOT_TOKEN is not set. ${readFrom(files)}`,
    hint: ({ mode }) =>
      `Put BOT_TOKEN=… into .env or .env.${mode}, or set it for the process. \`virgule dev\` needs none: it runs on a simulator.`,
  }),
  E_BASE_URL_MISSING: userError<EnvFiles>({
    message: ({ files }) =>
      `The address of the platform is not known: BOT_BASE_URL is not set. ${readFrom(files)}`,
    hint: ({ mode }) =>
      `Put BOT_BASE_URL=https://… into .env or .env.${mode}, set it for the process, or set baseUrl in virgule.config.ts.`,
  }),
  E_GATEWAY_URL_MISSING: userError<EnvFiles>({
    message: ({ files }) =>
      `The address of the platform's gateway is not known: BOT_GATEWAY_URL is not set. ${readFrom(files)}`,
    hint: ({ mode }) =>
      `Put BOT_GATEWAY_URL=wss://… into .env or .env.${mode}, set it for the process, or set gatewayUrl in virgule.config.ts.`,
  }),
  E_ENV_UNREADABLE: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) => `${file} cannot be read: ${reason}.`,
    hint: 'Make it a file that this user may read, or remove it.',
  }),
  E_MODE_UNKNOWN: userError<{ mode: string; meant?: string | undefined }>({
    message: ({ mode }) =>
      `There is no mode "${mode}": no file .env.${mode}, and no target in the configuration.`,
    hint: ({ mode, meant }) =>
      `${meant === undefined ? '' : `Did you mean "${meant}"? `}Create .env.${mode}, or add targets.${mode} to virgule.config.ts.`,
  }),
  E_CONFIG_INVALID: userError<{
    file: string;
    /** Empty when it is about the file as a whole. */
    key: string;
    want: string;
    saw: string;
    advice?: string | undefined;
  }>({
    message: ({ file, key, want, saw }) =>
      key === ''
        ? `The default export of ${file} must be ${want}, saw ${saw}.`
        : `${key} in ${file} must be ${want}, saw ${saw}.`,
    hint: ({ key, want, advice }) =>
      advice ??
      (key === ''
        ? 'Write export default defineConfig({ … }), with defineConfig from virgule.'
        : `Set ${key} to ${want}, or omit it.`),
  }),
  E_ENV_INVALID: userError<{
    /** Empty when it is about several variables together. */
    name: string;
    isSet: boolean;
    /** What the variable is for. */
    about: string | undefined;
    faults: readonly string[];
    /** Whether it was meant to become a number or a boolean. */
    wantsOther: boolean;
    /** Whether a test set the whole environment. */
    isOfTest: boolean;
  }>({
    message: ({ name, isSet, about, faults }) => {
      const label = about === undefined ? name : `${name} (${about})`;
      if (name === '') return `The environment is invalid: ${faults.join('; ')}.`;
      return isSet
        ? `The environment variable ${label} is invalid: ${faults.join('; ')}.`
        : `The environment variable ${label} is not set.`;
    },
    hint: ({ name, isSet, wantsOther, isOfTest }) => {
      if (name === '') return 'Correct the variables for the process or in .env.';
      if (!isSet && isOfTest)
        return `Add ${name} to the env of this test, which replaces the process and .env.`;
      if (!isSet) return `Put ${name}=… into .env, or set it for the process.`;
      return wantsOther
        ? 'Variables are strings: convert it in the schema, with z.coerce.number() or z.stringbool().'
        : `Correct ${name} where it is set: for the process, or in .env. Its value is not shown.`;
    },
  }),
  E_SERVICES_INVALID: userError<{ file: string; want: string; saw: string }>({
    message: ({ file, want, saw }) => `${file} must ${want}, saw ${saw}.`,
    hint: 'Write export default defineServices(async () => ({ name: value })), with defineServices from virgule.',
  }),
  E_SERVICES_FAILED: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) => `The services of ${file} could not be created: ${reason}`,
    hint: ({ file }) =>
      `The bot does not run without them. Fix ${file}, or start what it connects to.`,
  }),
  E_LOG_LEVEL: userError<{ saw: string; known: readonly string[] }>({
    message: ({ saw }) => `LOG_LEVEL is "${saw}", which is not a log level.`,
    hint: ({ known }) => `Use one of ${known.join(', ')}.`,
  }),
  E_ROLE: userError<{ saw: string; known: readonly string[]; isScaled: boolean }>({
    message: ({ saw, isScaled }) =>
      isScaled
        ? `"${saw}" is not a role of a process.`
        : `The role "${saw}" needs the setting "scale", which the configuration does not have.`,
    hint: ({ known, isScaled }) =>
      isScaled
        ? `Use ${listOf(known, 'or')} for --role or BOT_ROLE.`
        : 'Install @virgule/redis, and add `scale: redis()` to virgule.config.ts; or omit --role and BOT_ROLE.',
  }),
  E_HEALTH_PORT: userError<{ from: string; saw: string }>({
    message: ({ from, saw }) => `${from} is "${saw}", which is not a port.`,
    hint: 'Use a number from 0 to 65535, or omit it to serve no health.',
  }),
  E_HEALTH_LISTEN: userError<{ host: string; port: number; reason: string }>({
    message: ({ host, port, reason }) => `Health cannot be served at ${host}:${port} (${reason}).`,
    hint: ({ reason }) =>
      reason === 'EADDRINUSE'
        ? 'Stop the process that listens there, or pass another --health-port.'
        : 'Pass a --health-host that is an address of this machine, and a port that this user may use.',
  }),
  E_BUILD_INCOMPLETE: bugError<{ file: string }>({
    message: ({ file }) => `The built bot has no module for ${file}.`,
  }),

  // Reading a project's files
  E_NO_HANDLER: userError<{
    file: string;
    want: string;
    /** The default export to write. */
    form: string;
    /** What the default export is. */
    is: 'class' | 'object' | 'other';
    /** The key that holds the handler in another framework. */
    instead?: string | undefined;
  }>({
    message: ({ file, want, is }) =>
      is === 'class'
        ? `The default export of ${file} is a class, which is no handler.`
        : is === 'object'
          ? `The default export of ${file} is an object without a function run.`
          : `${file} has no handler. It needs ${want}.`,
    hint: ({ file, form, is, instead }) =>
      is === 'other' && !/\/_[^/]+$/.test(file)
        ? 'Export one, or put an underscore before the file name if it is not meant to be one.'
        : instead === undefined
          ? `Write: export default ${form}`
          : `Rename ${instead} to run. The form is: export default ${form}`,
  }),
  E_UNKNOWN_KEY: userError<{
    file: string;
    key: string;
    meant?: string | undefined;
    known: readonly string[];
    /** What to do about this very key. */
    advice?: string | undefined;
    /** An export of the file, not a key of an object. */
    isExport?: boolean | undefined;
  }>({
    message: ({ file, key, isExport }) =>
      `${file} has an unknown ${isExport ? 'export' : 'key'} "${key}".`,
    hint: ({ meant, known, advice, isExport }) =>
      advice ??
      (meant
        ? `Did you mean "${meant}"? Rename or remove it.`
        : `Use one of ${known.join(', ')}${isExport ? ', and move other code to another file' : ''}.`),
  }),
  E_DESCRIPTION: userError<{ file: string; saw: unknown; max: number }>({
    message: ({ file, saw, max }) =>
      typeof saw === 'string' && saw.length > 0
        ? `The description of ${file} has ${saw.length} characters; ${max} are allowed.`
        : `${file} has no description.`,
    hint: ({ max }) => `Describe the command in 1 to ${max} characters: description: '…'.`,
  }),
  E_SETTING: userError<{
    file: string;
    key: string;
    want: string;
    saw: unknown;
    advice?: string | undefined;
  }>({
    message: ({ file, key, want, saw }) =>
      `${key} in ${file} must be ${want}, saw ${showValue(saw)}.`,
    hint: ({ key, want, advice }) => advice ?? `Set ${key} to ${want}.`,
  }),
  E_DESCRIPTION_CUT: userError<{ file: string; option: string; sent: string; max: number }>({
    message: ({ file, option, sent, max }) =>
      `The description of option "${option}" of ${file} does not fit into ${max} characters; users see "${sent}".`,
    hint: 'Shorten it: the range, the choices and the default are added at its end.',
  }),
  E_ZOD_IMPORT: userError<{ file: string }>({
    message: ({ file }) =>
      `${file} imports z by its name, which brings all locales of zod into a build: 8 MB of memory.`,
    hint: "Write: import * as z from 'zod'.",
  }),
  E_TIMEOUT_TOO_SHORT: userError<{ file: string; call: string; wait: string; timeout: string }>({
    message: ({ file, call, wait, timeout }) =>
      `${file} waits for ${wait} in ${call}, but its timeout of ${timeout} ends it first.`,
    hint: ({ wait }) => `Set timeout to more than '${wait}', or shorten the wait.`,
  }),
  E_DURATION_TOO_LONG: userError<{ file: string; key: string; saw: string; limit: string }>({
    message: ({ file, key, saw, limit }) =>
      `${key} in ${file} is ${saw}, but the platform waits only ${limit}.`,
    hint: ({ key, limit }) => `Set ${key} to less than ${limit}.`,
  }),
  E_NO_COMMANDS: userError<{ folder: string }>({
    message: ({ folder }) => `${folder}/ holds no command.`,
    hint: ({ folder }) =>
      `Create ${folder}/hello.ts. Names that start with "_" or "." are private, and tests are skipped.`,
  }),
  E_EVENT_MISMATCH: userError<{ file: string; fromFile: string; fromCode: string }>({
    message: ({ file, fromFile, fromCode }) =>
      `${file} listens to ${fromFile} by its name, and to ${fromCode} by its code.`,
    hint: ({ fromFile }) => `Rename the file, or write defineEvent('${fromFile}').`,
  }),
  E_MODULE_THREW: userError<{
    file: string;
    reason: string;
    /** Whether Node.js cannot import this type of file at all. */
    isUnreadable?: boolean | undefined;
  }>({
    message: ({ file, reason }) => `${file} could not be imported: ${reason}`,
    hint: ({ isUnreadable }) =>
      isUnreadable
        ? 'Rename it to .ts, .mts, .js, .mjs or .cjs.'
        : 'Fix the code that runs when the file is imported.',
  }),

  // Running commands
  E_INPUT: userError<InputFailure & { commandName: string }>({
    message: ({ commandName, message }) =>
      `A line for /${commandName} could not be read: ${message}`,
    hint: 'No action needed: the user was shown the problem.',
  }),
  E_ANSWER_TYPE: userError<{ commandName: string; saw: string }>({
    message: ({ commandName, saw }) =>
      saw === 'undefined'
        ? `/${commandName} answered without content; it must be a string.`
        : `/${commandName} answered with a content of type ${saw}; it must be a string.`,
    hint: ({ saw }) =>
      saw === 'undefined'
        ? "Return a string, or an object like { content: 'text' }. The platform has no embeds and no components."
        : "Return a string, or an object like { content: 'text' }.",
  }),
  E_CHUNK_TYPE: userError<{ saw: string }>({
    message: ({ saw }) => `append() received a chunk of type ${saw}; it must be a string.`,
    hint: 'Pass a source of strings: map the events of a model to their text.',
  }),
  E_CONTENT_LENGTH: userError<{ owner: string; length: number }>({
    message: ({ owner, length }) =>
      `${owner} answered with ${length} characters; 1 to 2000 are allowed.`,
    hint: ({ length }) =>
      length === 0
        ? 'Return null for silence.'
        : 'Shorten it, or add split: true to send it in several messages.',
  }),
  E_EDIT_WITH_FILES: userError<{ commandName?: string | undefined }>({
    message: ({ commandName }) =>
      commandName === undefined
        ? 'A message is edited with files; an edit carries none.'
        : `/${commandName} edits its answer with files; an edit carries none.`,
    hint: 'Send the files with reply(), as a new message.',
  }),
  E_INTERACTION_EXPIRED: userError<{
    commandName: string;
    interactionId: string;
    state: string;
    hasAnswer: boolean;
    /** The last failure of the answer before that, if there was one. */
    trouble?: string | undefined;
  }>({
    message: ({ commandName, state, hasAnswer, trouble }) =>
      state === 'answered'
        ? `The answer of /${commandName} can no longer be edited: it was deleted, or its time is over.`
        : hasAnswer
          ? `/${commandName} was answered, and its time for further messages is over.`
          : trouble === undefined
            ? `/${commandName} was not answered in time (${state}): the platform no longer takes an answer.`
            : `/${commandName} could not be answered before it expired: ${trouble}`,
    hint: ({ state, hasAnswer, trouble }) =>
      state === 'answered'
        ? 'Return nothing after you delete the answer, or write a new message with reply().'
        : hasAnswer
          ? 'Send them with here.send().'
          : trouble === undefined
            ? "Do not set defer to 'never' for slow commands: they are deferred automatically."
            : undefined,
  }),
  E_COMMAND_TIMEOUT: userError<
    { timeoutMs: number } & ({ commandName: string } | { event: string; file: string })
  >({
    message: ({ timeoutMs, ...handler }) =>
      `${'file' in handler ? handler.file : `/${handler.commandName}`} took longer than its timeout of ${timeoutMs} ms.`,
    hint: 'Raise its timeout, or pass `signal` to the slow call.',
  }),
  E_ANSWER_LOOP: userError<{ channelId: string; authorId: string }>({
    message: ({ channelId, authorId }) =>
      `Stopped answering ${authorId} in the channel ${channelId}: 10 answers in 10 s were each answered at once, as only a program does.`,
    hint: 'Ignore messages of this author, or set loopGuard: false in virgule.config.ts if the bots are meant to talk.',
  }),
  E_HANDLER_STOPPED: userError({
    message: () => 'The bot shut down before the handler ended.',
    hint: 'Raise `drain` in the settings, 10 s by default, or pass `signal` to the calls of the handler. Catch it in what a handler leaves running.',
  }),
  E_INTENT_MISSING: userError<{
    call: string;
    owner: string;
    file: string;
    intent: string;
  }>({
    message: ({ call, owner, file, intent }) =>
      `${call} of ${owner} needs the intent ${intent}, which ${file} does not declare.`,
    hint: ({ file, intent }) =>
      `Add intents: ['${intent}'] to ${file}, next to its other settings.`,
  }),
  E_TOO_MANY_WAITS: userError<{ call: string; owner: string; max: number }>({
    message: ({ call, owner, max }) =>
      `${owner} cannot wait in ${call}: ${max} waits are open already.`,
    hint: 'Shorten the waits, or limit the command with `concurrency`.',
  }),
  E_WAIT_CLOSED: userError<{ call: string; owner: string }>({
    message: ({ call, owner }) => `The bot is shutting down, so ${call} of ${owner} ended.`,
    hint: 'Catch it if something must be undone; users are asked to try again.',
  }),
  E_MESSAGE_NOT_FOUND: userError<{ channelId: string; isAmbiguous?: boolean }>({
    message: ({ channelId, isAmbiguous }) =>
      isAmbiguous
        ? `Another message with the same text was sent to channel ${channelId} later.`
        : `The message that was sent is not among the newest ones of channel ${channelId}.`,
    hint: ({ isAmbiguous }) =>
      isAmbiguous
        ? 'Call message() right after sending: the platform does not return what it created.'
        : 'It was deleted, or many others have been sent since. Call message() right after sending.',
  }),
  E_EMOJI: userError<{ saw: unknown }>({
    message: ({ saw }) => `A reaction is one emoji, saw ${showValue(saw)}.`,
    hint: "Pass one, such as '🎲', or { customEmojiId: '…' } with the id of a custom one.",
  }),
  E_DURATION: userError<{ saw: string; call?: string | undefined }>({
    message: ({ saw, call }) =>
      call === undefined
        ? `"${saw}" is not a duration.`
        : `\`within\` of ${call} is "${saw}", which is not a duration.`,
    hint: "Write a number with a unit: '250ms', '3s', '5m', '2h' or '1d'.",
  }),

  // Tasks
  E_TASK_UNKNOWN: userError<{
    name: string;
    meant?: string | undefined;
    known: readonly string[];
  }>({
    message: ({ name }) => `There is no task ${name}.`,
    hint: ({ name, meant, known }) =>
      meant === undefined
        ? `Create tasks/${name}.ts. The tasks are ${known.length === 0 ? 'none yet' : known.join(', ')}.`
        : `Did you mean ${meant}?`,
  }),
  E_TASK_PAYLOAD: userError<{ task: string; file: string; at: string; why: string }>({
    message: ({ task, at, why }) =>
      `The payload of the task ${task} is invalid${at === '' ? '' : ` at ${at}`}: ${why}.`,
    hint: ({ file }) =>
      `Compare it with the schema \`payload\` of ${file}; a run that was called before a change of it needs a default.`,
  }),
  E_TASK_TIME: userError<{ task: string; saw: string }>({
    message: ({ task, saw }) => `The task ${task} cannot run at ${saw}: that is not a time.`,
    hint: "Pass a valid Date to `at`, or a duration such as '2h' to `in`.",
  }),
  E_TASK_TIMEOUT: userError<{ task: string; timeoutMs: number }>({
    message: ({ task, timeoutMs }) =>
      `The task ${task} took longer than its timeout of ${timeoutMs} ms.`,
    hint: 'Raise its timeout, or pass `signal` to the slow call.',
  }),

  // Registering commands
  E_COMMANDS_UNREADABLE: userError<{
    name: string | undefined;
    field: string;
    reason: string;
  }>({
    message: ({ name, field, reason }) =>
      `${name === undefined ? 'A registered command' : `The registered command /${name}`} cannot be read: ${[field, reason].filter(Boolean).join(': ')}.`,
    hint: 'Check that the base URL is that of the platform, and report the response if it is.',
  }),
  E_SYNC_DELETES: userError<{ names: readonly string[] }>({
    message: ({ names }) =>
      `Registering would delete ${names.map((name) => `/${name}`).join(', ')}, which is not allowed.`,
    hint: 'Run `virgule deploy` to see the plan, and pass --allow-delete to allow it.',
  }),
  E_SYNC_EMPTY: userError<{ registered: number }>({
    message: ({ registered }) =>
      `There are no local commands, so registering would delete all ${registered} registered ones.`,
    hint: 'Check that this is the right folder. To delete all commands, run `virgule deploy --allow-empty`.',
  }),
  E_SYNC_STALE: userError({
    message: () =>
      'The registered commands have changed since the plan was made. Nothing was changed.',
    hint: 'Run `virgule deploy` again to see the new plan.',
  }),
  E_SYNC_NOT_APPLIED: userError<{
    /** The commands that read back differently. */
    names: readonly string[];
    /** What the platform answered, when it failed with a 5xx. */
    failure?: string | undefined;
    /** What is registered after that failure: what was before, or nothing is known. */
    state?: 'unchanged' | 'unknown' | undefined;
  }>({
    message: ({ names, failure = '', state }) => {
      if (state === 'unchanged') return `Nothing was changed: ${failure}`;
      if (state === 'unknown')
        return `${failure} Reading the commands back failed too, so it is unknown whether they were replaced.`;
      return `The commands were sent, but ${names.map((name) => `/${name}`).join(', ')} read back differently.`;
    },
    hint: ({ state }) => {
      if (state === 'unchanged')
        return 'The platform has a fault. Run `virgule deploy` again later.';
      return state === 'unknown'
        ? 'Run `virgule deploy --check` later: it shows whether anything is left to deploy.'
        : 'Someone else may have deployed at the same moment. Run `virgule deploy` again.';
    },
  }),

  // Storage.
  E_STORAGE_KEY: userError<{ key: unknown; maximum: number }>({
    message: ({ key }) => `${showValue(key)} cannot be a key of the storage.`,
    hint: ({ maximum }) =>
      `Use a string of 1 to ${maximum} characters, its namespaces included, without control characters.`,
  }),
  E_STORAGE_VALUE: userError<{ key: string; path: string; saw: string }>({
    message: ({ key, path, saw }) =>
      `The value of ${key} cannot be stored: ${path === '' ? 'it is' : `${path} is`} ${saw}.`,
    hint: 'Store JSON of up to 1 MiB: strings, numbers, true, false, null, lists and plain objects. Write a date as a string.',
  }),
  E_STORAGE_SCHEMA: userError<{ key: string; at: string; why: string }>({
    message: ({ key, at, why }) =>
      `The stored value of ${key} does not match its schema${at === '' ? '' : ` at ${at}`}: ${why}.`,
    hint: 'Accept the old form in the schema, for example with a default, or correct the entry with `virgule storage set`.',
  }),
  E_STORAGE_CONFLICT: userError<{ key: string; attempts: number }>({
    message: ({ key, attempts }) =>
      `${key} could not be updated: others changed it during all ${attempts} attempts.`,
    hint: 'Update it less often, or divide it into several keys.',
  }),
  E_STORAGE_FAILED: userError<{ name: string; reason: string }>({
    message: ({ name, reason }) => `The storage ${name} failed: ${reason}`,
    hint: 'Check that it exists and can be written, then try again. What was stored before is unchanged.',
  }),
  E_STORAGE_FULL: userError<Record<never, never>>({
    message: () => 'The storage is full. The last write was not made.',
    hint: 'Free disk space, or raise `maxmemory` of Redis. What was stored before is unchanged.',
  }),
  E_STORAGE_NEWER: userError<{ file: string; format: number; known: number }>({
    message: ({ file, format, known }) =>
      `${file} has format ${format}, written by a newer version of Virgule; this one knows up to ${known}.`,
    hint: 'Install the newer version again, or name another file in `storage`. The file was not changed.',
  }),
  E_STORAGE_FOREIGN: userError<{ file: string }>({
    message: ({ file }) => `${file} is an SQLite database, but not a storage of Virgule.`,
    hint: 'Name another file in `storage`. The file was not changed.',
  }),
  E_STORAGE_DRIVER: userError<{ node: string }>({
    message: ({ node }) =>
      `Node.js ${node} has no SQLite of its own, and the package libsql is not installed.`,
    hint: 'Run `npm install libsql`, next to a built bot `npm install --omit=dev --prefix dist`, or use Node.js 22.13 or newer.',
  }),

  // Commands that work with what a bot has stored.
  E_ARGUMENTS: userError<{
    command: string;
    /** What the command belongs to. */
    program?: string | undefined;
    want: string;
    saw: readonly string[];
  }>({
    message: ({ command, program = 'virgule', want, saw }) =>
      saw.length === 0
        ? `\`${program} ${command}\` needs ${want}.`
        : `\`${program} ${command}\` takes ${want}, saw ${saw.join(' ')}.`,
    hint: ({ command, program }) =>
      program === undefined
        ? `Run \`virgule ${command} --help\` for an example.`
        : `Run \`${program} --help\` for all of them.`,
  }),
  E_NOT_SCALED: userError({
    message: () => 'The bot runs as one process: its configuration has no setting "scale".',
    hint: 'Install @virgule/redis, and add `scale: redis()` to virgule.config.ts.',
  }),
  E_VOICE_MISSING: userError({
    message: () =>
      'The configuration has no setting "voice", so that the bot cannot use voice channels.',
    hint: 'Run `npm install @virgule/voice node-datachannel`, and add `voice: voice()` to virgule.config.ts.',
  }),
  E_STORAGE_IMPORT: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) => `${file} was not imported: ${reason}`,
    hint: 'Pass a file that `storage export` wrote: one object with key and value per line.',
  }),
});

/** A value that is longer as JSON is cut in messages. */
const MAX_SHOWN = 60;

/** Returns a value as an error shows it: short, and of any type that JavaScript may pass. */
export function showValue(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'number') return String(value);
  try {
    const text = JSON.stringify(value) ?? typeof value;
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  } catch {
    // It refers to itself, or holds a bigint.
    return typeof value;
  }
}

const numberOf = (count: number): string => (count === 2 ? 'Two' : String(count));
