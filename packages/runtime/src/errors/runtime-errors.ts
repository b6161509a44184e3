import { defineErrors } from '@virgule/core/errors';

/** Every error code of the runtime. Codes never change once published. */
export const runtimeErrors = defineErrors({
  // Files that become routes.
  E_NO_COMMANDS_FOLDER: {
    kind: 'user',
    message: ({ lookedFor }: { lookedFor: readonly string[] }) =>
      `There is no commands folder: no file below ${lookedFor.map((folder) => `${folder}/`).join(' or ')}.`,
    hint: ({ lookedFor }: { lookedFor: readonly string[] }) =>
      `Create ${lookedFor[0] ?? 'commands'}/hello.ts, or run this in the folder that holds your bot.`,
  },
  E_FOLDER_CONFLICT: {
    kind: 'user',
    message: ({ used, ignored }: { used: string; ignored: string }) =>
      `Both ${used}/ and ${ignored}/ hold files; only ${used}/ is read.`,
    hint: ({ used, ignored }) =>
      `Move the files of ${ignored}/ into ${used}/, or the other way round.`,
  },
  E_COMMAND_CONFLICT: {
    kind: 'user',
    message: ({ name, files }: { name: string; files: readonly string[] }) =>
      `${countOf(files.length)} files define /${name}: ${listOf(files)}.`,
    hint: ({ files }: { files: readonly string[] }) =>
      files.length === 2 && files[0]?.replace(/\.\w+$/, '') === files[1]?.replace(/\.\w+$/, '')
        ? 'Delete one; a compiled file beside its source is the usual cause.'
        : 'Delete one, or rename it.',
  },
  E_COMMAND_NAME: {
    kind: 'user',
    message: ({ file, name, why }: { file: string; name: string; why: string }) =>
      name === '' ? `${file} ${why}.` : `${file} makes the command /${name}, which ${why}.`,
    hint: ({ name }) =>
      name === ''
        ? 'Give the file a name of its own, or move it into a folder.'
        : 'Rename the file or its folder: lower-case letters, digits, "-" and "_", starting with a letter or digit, at most 32 characters.',
  },
  E_EVENT_UNKNOWN: {
    kind: 'user',
    message: ({
      file,
      name,
    }: {
      file: string;
      name: string;
      meant?: string | undefined;
      known: readonly string[];
    }) => `${file} is named after "${name}", which is not an event.`,
    hint: ({ meant, known }: { meant?: string | undefined; known: readonly string[] }) =>
      meant === undefined
        ? `The events are ${known.join(', ')}. Start a name with "_" to keep a file private.`
        : `Did you mean ${meant}? Start a name with "_" to keep a file private.`,
  },
  E_CASE_COLLISION: {
    kind: 'user',
    message: ({ paths }: { paths: readonly [string, string] }) =>
      `${paths[0]} and ${paths[1]} differ only in upper and lower case.`,
    hint: () => 'Rename one: macOS and Windows take them for the same path.',
  },
  E_FILE_CONFLICT: {
    kind: 'user',
    message: ({ what, files }: { what: string; files: readonly string[] }) =>
      `${countOf(files.length)} files define ${what}: ${listOf(files)}.`,
    hint: ({ files }: { files: readonly string[] }) =>
      `Keep one of them; until then ${files[0] ?? 'the first'} is used.`,
  },
  E_PROJECT_UNREADABLE: {
    kind: 'user',
    message: ({ path, reason }: { path: string; reason: string }) =>
      `${path} cannot be read: ${reason}.`,
    hint: () => 'Check that it exists and that this user may read it.',
  },

  // Options of a command.
  E_OPTIONS_NOT_OBJECT: {
    kind: 'user',
    message: ({ file, saw }: { file: string; saw: string; advice?: string | undefined }) =>
      `The options of ${file} must be a zod object, saw ${saw}.`,
    hint: ({ advice }) =>
      advice ?? 'Write options: z.object({ name: z.string() }), with z from zod 4.',
  },
  E_OPTION_TYPE: {
    kind: 'user',
    message: ({
      file,
      option,
      saw,
    }: {
      file: string;
      option: string;
      saw: string;
      advice: string;
    }) =>
      `Option "${option}" of ${file} is ${saw}, which no option type of the platform can carry.`,
    hint: ({ advice }) => advice,
  },
  E_OPTION_NAME: {
    kind: 'user',
    message: ({
      file,
      option,
      why,
    }: {
      file: string;
      option: string;
      why: string;
      suggestion?: string | undefined;
    }) => `Option "${option}" of ${file} ${why}.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Names are lower-case letters, digits, "-" and "_", at most 32 characters, and not a whole number.'
        : `Call it "${suggestion}".`,
  },
  E_OPTION_ORDER: {
    kind: 'user',
    message: ({
      file,
      option,
      after,
      rule,
    }: {
      file: string;
      option: string;
      after: string;
      rule: 'required' | 'rest';
    }) =>
      rule === 'required'
        ? `Option "${option}" of ${file} is required but comes after "${after}", which is optional.`
        : `Option "${option}" of ${file} comes after "${after}", which takes the rest of the line.`,
    hint: ({ option, after, rule }) =>
      rule === 'required'
        ? `Move "${option}" before "${after}": users type values in the order of the keys.`
        : `Move "${after}" to the end.`,
  },

  // Starting
  E_TOKEN_MISSING: {
    kind: 'user',
    message: () => 'There is no bot token: BOT_TOKEN is not set.',
    hint: () =>
      'Put BOT_TOKEN=… into .env, or set it for the process. `virgule dev` needs none: it runs on a simulator.',
  },
  E_BASE_URL_MISSING: {
    kind: 'user',
    message: () => 'The address of the platform is not known: BOT_BASE_URL is not set.',
    hint: () => 'Put BOT_BASE_URL=https://… into .env, or set it for the process.',
  },
  E_GATEWAY_URL_MISSING: {
    kind: 'user',
    message: () =>
      "The address of the platform's gateway is not known: BOT_GATEWAY_URL is not set.",
    hint: () => 'Put BOT_GATEWAY_URL=wss://… into .env, or set it for the process.',
  },
  E_LOG_LEVEL: {
    kind: 'user',
    message: ({ saw }: { saw: string; known: readonly string[] }) =>
      `LOG_LEVEL is "${saw}", which is not a log level.`,
    hint: ({ known }: { known: readonly string[] }) => `Use one of ${known.join(', ')}.`,
  },
  E_BUILD_INCOMPLETE: {
    kind: 'bug',
    message: ({ file }: { file: string }) => `The built bot has no module for ${file}.`,
  },

  // Reading a project's files
  E_NO_HANDLER: {
    kind: 'user',
    message: ({ file, want }: { file: string; want: string }) =>
      `${file} has no handler. It needs ${want}.`,
    hint: () =>
      'Export one, or put an underscore before the file name if it is not meant to be one.',
  },
  E_UNKNOWN_KEY: {
    kind: 'user',
    message: ({
      file,
      key,
    }: {
      file: string;
      key: string;
      meant?: string | undefined;
      known: readonly string[];
    }) => `${file} has "${key}", which means nothing here.`,
    hint: ({ meant, known }: { meant?: string | undefined; known: readonly string[] }) =>
      meant
        ? `Did you mean "${meant}"?`
        : `Known are ${known.join(', ')}. Move other code to a file of its own.`,
  },
  E_DESCRIPTION: {
    kind: 'user',
    message: ({ file, saw, max }: { file: string; saw: unknown; max: number }) =>
      typeof saw === 'string' && saw.length > 0
        ? `The description of ${file} has ${saw.length} characters; ${max} are allowed.`
        : `${file} has no description.`,
    hint: ({ max }) => `Say in 1 to ${max} characters what the command does: description: '…'.`,
  },
  E_SETTING: {
    kind: 'user',
    message: ({
      file,
      key,
      want,
      saw,
    }: {
      file: string;
      key: string;
      want: string;
      saw: unknown;
    }) => `${key} in ${file} must be ${want}, saw ${JSON.stringify(saw)}.`,
    hint: ({ key, want }) => `Set ${key} to ${want}.`,
  },
  E_EVENT_MISMATCH: {
    kind: 'user',
    message: ({ file, fromFile, fromCode }: { file: string; fromFile: string; fromCode: string }) =>
      `${file} listens to ${fromFile} by its name, and to ${fromCode} by its code.`,
    hint: () => 'Rename the file or change the event in defineEvent, so that both say the same.',
  },
  E_MODULE_THREW: {
    kind: 'user',
    message: ({ file, reason }: { file: string; reason: string }) =>
      `${file} could not be imported: ${reason}`,
    hint: () => 'Mend what the file does when it is imported.',
  },

  // Running commands
  E_ANSWER_TYPE: {
    kind: 'user',
    message: ({ commandName, saw }: { commandName: string; saw: string }) =>
      `/${commandName} answered with a content of type ${saw}; it has to be a text.`,
    hint: () => "Return a string, or an object like { content: 'text' }.",
  },
  E_CONTENT_LENGTH: {
    kind: 'user',
    message: ({ commandName, length }: { commandName: string; length: number }) =>
      `/${commandName} answered with ${length} characters; 1 to 2000 are allowed.`,
    hint: ({ length }) =>
      length === 0
        ? 'Return null if silence is meant.'
        : 'Shorten it, or send it in several replies.',
  },
  E_EDIT_WITH_FILES: {
    kind: 'user',
    message: ({ commandName }: { commandName: string }) =>
      `/${commandName} edits its answer with files; an edit carries none.`,
    hint: () => 'Send the files with reply(), as a new message.',
  },
  E_INTERACTION_EXPIRED: {
    kind: 'user',
    message: ({
      commandName,
      state,
    }: {
      commandName: string;
      interactionId: string;
      state: string;
    }) =>
      `/${commandName} was not answered in time (${state}): the platform no longer takes an answer.`,
    hint: () => "Slow commands are deferred by themselves; do not set defer to 'never' for them.",
  },
  E_COMMAND_TIMEOUT: {
    kind: 'user',
    message: ({ commandName, timeoutMs }: { commandName: string; timeoutMs: number }) =>
      `/${commandName} took longer than its timeout of ${timeoutMs} ms.`,
    hint: () => 'Raise its timeout, or pass `signal` on to what takes so long.',
  },
  E_HANDLER_STOPPED: {
    kind: 'user',
    message: () => 'The bot shut down before the handler had ended.',
    hint: () => 'Handlers get 10 s at a shutdown. Watch `signal` in those that take longer.',
  },
  E_MESSAGE_NOT_FOUND: {
    kind: 'user',
    message: ({ channelId }: { channelId: string }) =>
      `The message that was sent is not among the newest ones of channel ${channelId}.`,
    hint: () =>
      'It was deleted, or many others have been sent since. Call message() right after sending.',
  },
  E_DURATION: {
    kind: 'user',
    message: ({ saw }: { saw: string }) => `"${saw}" is not a duration.`,
    hint: () => "Write a number with a unit: '250ms', '3s', '5m', '2h' or '1d'.",
  },

  // Registering commands
  E_SYNC_DELETES: {
    kind: 'user',
    message: ({ names }: { names: readonly string[] }) =>
      `Registering would delete ${names.map((name) => `/${name}`).join(', ')}, which nobody allowed.`,
    hint: () => 'Run `virgule deploy` to see the plan, and allow it with --allow-delete.',
  },
  E_SYNC_EMPTY: {
    kind: 'user',
    message: ({ registered }: { registered: number }) =>
      `There are no local commands, so registering would delete all ${registered} registered ones.`,
    hint: () => 'Check that this is the right folder.',
  },
  E_SYNC_STALE: {
    kind: 'user',
    message: () => 'The registered commands have changed since the plan was made.',
    hint: () => 'Someone else deployed. Make a new plan and look at it again.',
  },
  E_SYNC_NOT_APPLIED: {
    kind: 'user',
    message: ({ names }: { names: readonly string[] }) =>
      `The commands were sent, but ${names.map((name) => `/${name}`).join(', ')} read back differently.`,
    hint: () => 'Someone else may have deployed at the same moment. Run `virgule deploy` again.',
  },
});

const countOf = (count: number): string => (count === 2 ? 'Two' : String(count));
const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
