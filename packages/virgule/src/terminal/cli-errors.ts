import { defineErrors, userError } from '@virgule/core/errors';
import { countOf, listOf } from '@virgule/core/text';

/** Every error code of the command line. Codes never change once published. */
export const cliErrors = defineErrors({
  E_UNKNOWN_COMMAND: userError<{ saw: string; meant?: string | undefined }>({
    message: ({ saw }) => `There is no command "${saw}".`,
    hint: ({ meant }) =>
      meant ? `Did you mean \`virgule ${meant}\`?` : 'Run `virgule --help` to list all commands.',
  }),
  E_UNKNOWN_FLAG: userError<{ flag: string; command: string; meant?: string | undefined }>({
    message: ({ flag, command }) => `\`virgule ${command}\` has no ${flag}.`,
    hint: ({ meant, command }) =>
      meant ? `Did you mean ${meant}?` : `Run \`virgule ${command} --help\` to list its flags.`,
  }),
  E_FLAG_VALUE: userError<{ flag: string; want: string; saw: string }>({
    message: ({ flag, want, saw }) => `${flag} takes ${want}, saw "${saw}".`,
    hint: ({ flag, want }) => `Write ${flag} followed by ${want}.`,
  }),
  E_FAULTS_FILE: userError<{ readonly file: string; readonly reason: string }>({
    message: ({ file, reason }) => `The file of faults ${file} cannot be read: ${reason}`,
    hint: 'Write a JSON file with { "rules": […] }.',
  }),
  E_COMMAND_UNKNOWN: userError<{
    name: string;
    known: readonly string[];
    meant?: string | undefined;
  }>({
    message: ({ name }) => `This bot has no command /${name}.`,
    hint: ({ known, meant }) =>
      meant
        ? `Did you mean /${meant}?`
        : `It has ${known.map((other) => `/${other}`).join(', ') || 'none'}.`,
  }),
  E_CONSENT_NEEDED: userError<{ deletions: number; command: string }>({
    message: ({ deletions }) =>
      deletions > 0
        ? `The plan deletes ${countOf(deletions, 'command')}, and there is no terminal to confirm it on.`
        : 'The plan was not applied: there is no terminal to confirm it on.',
    hint: ({ command }) => `Run \`${command}\`.`,
  }),
  E_DEPLOY_REFUSED: userError<{
    /** Why it could not be kept what is registered now; nothing when the plan was not agreed to. */
    unwritable?: string | undefined;
  }>({
    message: ({ unwritable }) =>
      unwritable === undefined
        ? 'The plan was not applied. Nothing was changed.'
        : `The registered commands could not be saved for a rollback (${unwritable}). Nothing was changed.`,
    hint: ({ unwritable }) =>
      unwritable === undefined
        ? 'Run `virgule deploy` again to confirm it.'
        : 'Make that path writable and run `virgule deploy` again.',
  }),
  E_COMMAND_REFUSED: userError<{ name: string; option?: string | undefined; reason: string }>({
    message: ({ name, option, reason }) =>
      `The platform refused /${name}${option === undefined ? '' : `, option "${option}"`}: ${reason}`,
    hint: 'Fix it and deploy again. Nothing was changed.',
  }),
  E_SAVED_SET_UNKNOWN: userError<{
    name: string;
    known: readonly string[];
    meant?: string | undefined;
  }>({
    message: ({ name }) => `There is no saved set "${name}".`,
    hint: ({ known, meant }) => {
      if (known.length === 0)
        return 'There are none yet: each deploy saves the set that it replaces.';
      const list = `Saved sets, newest first: ${known.join(', ')}.`;
      return meant === undefined ? list : `Did you mean ${meant}? ${list}`;
    },
  }),
  E_SAVED_SET_INVALID: userError<{ name: string; reason: string }>({
    message: ({ name, reason }) => `The saved set "${name}" cannot be used: ${reason}.`,
    hint: 'Use one that `virgule deploy` saved for this bot in .virgule/deploys.',
  }),
  E_DEPLOY_RECORD: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) => `${file} cannot be read: ${reason}.`,
    hint: 'It lists the commands that were deployed from this folder. If you delete it, every registered command counts as one of them.',
  }),
  E_BUILD_MISSING: userError<{
    file: string;
    /** The way to the closest parent folder that has one, such as `..`. */
    parent?: string | undefined;
  }>({
    message: ({ file }) => `There is no built bot: ${file} does not exist.`,
    hint: ({ parent }) =>
      parent === undefined
        ? 'Run `virgule build` first.'
        : `There is one in ${parent}: run this there, or add \`--cwd ${parent}\`.`,
  }),
  E_BUILD_FAILED: userError<{
    reason: string;
    disk?: 'full' | 'unwritable' | undefined;
    advice?: string | undefined;
  }>({
    message: ({ reason }) => `The bot could not be built: ${reason}`,
    hint: ({ disk, advice = 'Fix the file and build again.' }) => {
      if (disk === 'full')
        return 'Free disk space and build again. The previous build is unchanged.';
      return disk === 'unwritable'
        ? 'Make that path writable and build again. The previous build is unchanged.'
        : advice;
    },
  }),
  E_BUILD_UNLOADABLE: userError<{
    reason: string;
    /** The file that threw, from the root. */
    file?: string | undefined;
    /** The file of the project that imports it. */
    importer?: string | undefined;
    /** The package that threw, or that was not found. */
    package?: string | undefined;
    /** What the bot printed. */
    output?: string | undefined;
  }>({
    message: ({ reason, file = 'The bot', importer }) =>
      `The built bot does not load. ${file}${importer === undefined ? '' : `, imported by ${importer},`} failed: ${reason}`,
    hint: ({ package: name }) =>
      name === undefined
        ? 'Put files that it reads into assets/, or skip this check with --no-load.'
        : `Add "${name}" to build.external in virgule.config.ts, so that it is installed next to the bot, or skip this check with --no-load.`,
  }),
  E_TYPES: userError<{ count: number; frame: string }>({
    message: ({ count }) =>
      count === 0
        ? 'The types could not be checked.'
        : `TypeScript found ${countOf(count, 'error')}. Nothing was built.`,
    hint: ({ count }) =>
      count === 0
        ? 'Fix what the lines above name, or build with --no-types.'
        : 'Fix the errors, or build with --no-types.',
  }),
  E_MANIFEST_INVALID: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) =>
      `${file} is not what this version of \`virgule build\` writes: ${reason}.`,
    hint: 'Run `virgule build` again.',
  }),
  E_BUILD_STALE: userError<{
    manifest: string;
    file: string;
    why: 'changed' | 'gone' | 'new' | 'another';
  }>({
    message: ({ manifest, file, why }) => {
      if (why === 'another') return `${file} belongs to another build than ${manifest}.`;
      const what = { changed: 'has changed', gone: 'was deleted', new: 'was added' }[why];
      return `${manifest} is older than the sources: ${file} ${what} since the build.`;
    },
    hint: 'Run `virgule build` again.',
  }),
  E_CHILD_LOST: userError<{ how: string }>({
    message: ({ how }) => `The bot's process ended: ${how}.`,
    hint: 'See the output of the bot above.',
  }),
  E_ENDED_EARLY: userError<{
    /** What code gave to `process.exit()`; nothing when it waits for something that cannot come. */
    exitCode: number | undefined;
    file?: string | undefined;
    /** The package that the file was waiting for. */
    imports?: string | undefined;
    /** For how long it was busy with code that is not asynchronous, in milliseconds, if it was. */
    busyMs?: number | undefined;
  }>({
    message: ({ exitCode, file = "The bot's code", imports, busyMs }) => {
      const what = imports === undefined ? file : `"${imports}", imported by ${file},`;
      if (busyMs !== undefined) return `${what} kept the process busy for ${busyMs / 1_000} s.`;
      return exitCode === undefined
        ? `${what} waits for something that never happens.`
        : `${what} ended the process with exit code ${exitCode}.`;
    },
    hint: ({ exitCode, busyMs }) =>
      busyMs !== undefined
        ? 'Check for a loop without an end at the top level, or do the work in services.ts.'
        : exitCode === undefined
          ? 'Wait inside a function instead of at the top level of a file.'
          : 'Throw an error instead of calling process.exit().',
  }),
  E_STATE_LOCKED: userError<{ command: string; pid: number; file: string }>({
    message: ({ command, pid }) =>
      `Another \`virgule ${command}\` (process ${pid}) is running in this folder.`,
    hint: ({ file }) => `Use that one, or stop it. If none runs, delete ${file}.`,
  }),
  E_STATE_UNWRITABLE: userError<{ folder: string; reason: string }>({
    message: ({ folder, reason }) => `${folder} cannot be written: ${reason}`,
    hint: ({ folder }) => `Free disk space, or make ${folder} writable.`,
  }),
  E_TRIGGER_UNKNOWN: userError<{
    saw: string;
    known: readonly string[];
    meant?: string | undefined;
  }>({
    message: ({ saw }) => `There is no event "${saw}" to trigger.`,
    hint: ({ meant, known }) =>
      meant ? `Did you mean ${meant}?` : `Use one of ${known.join(', ')}.`,
  }),
  E_TRIGGER_REFUSED: userError<{ event: string; reason: string; isReached?: boolean }>({
    message: ({ event, reason }) => `${event} was not triggered: ${reason}`,
    hint: ({ isReached = true }) =>
      isReached
        ? 'Choose another channel, user or message with --channel, --as and --message.'
        : 'Start `virgule dev` again: the one of this folder cannot be reached.',
  }),
  E_SIM_NOT_RUNNING: userError({
    message: () => 'No `virgule dev` with a simulator runs in this folder.',
    hint: 'Start `virgule dev` here, or name its folder with --cwd.',
  }),
  E_MCP_MISSING: userError({
    message: () =>
      '`virgule mcp` needs the package @modelcontextprotocol/server, which is not installed.',
    hint: 'Run `npm install --save-dev @modelcontextprotocol/server`.',
  }),
  E_SIM_REQUEST: userError<{ baseUrl: string; reason: string }>({
    message: ({ baseUrl, reason }) =>
      `The simulator at ${baseUrl} did not accept the request: ${reason}`,
    hint: 'Fix what it names. If it cannot be reached, start `virgule dev` again.',
  }),
  E_FLAG_CONFLICT: userError<{ command: string; flags: readonly string[] }>({
    message: ({ command, flags }) =>
      `\`virgule ${command}\` does not take ${listOf(flags)} together.`,
    hint: ({ flags }) => `Leave out one of ${listOf(flags)}.`,
  }),
  E_NEW_FILE: userError<{ file: string; reason: string }>({
    message: ({ file, reason }) => `${file} was not created: ${reason}.`,
    hint: 'Choose another name, or edit that file.',
  }),
  E_RUNTIME: userError<{ reason: string; advice: string }>({
    message: ({ reason }) => `Virgule cannot run here: ${reason}.`,
    hint: ({ advice }) => advice,
  }),
  E_NO_ANSWER: userError<{ rawInput: string }>({
    message: ({ rawInput }) => `${rawInput} was not answered.`,
    hint: 'See the lines above for the cause.',
  }),
});
