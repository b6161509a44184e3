import { defineErrors, userError, userErrorByKind } from '@virgule/core/errors';
import { countOf } from '@virgule/core/text';

/** Every error code of the command line. Codes never change once published. */
export const cliErrors = defineErrors({
  // Group: Command line
  /**
   * The bot has no such command.
   *
   * The line to run starts with a command that no file defines, or that runs only as a message or only after a slash.
   *
   * @example
   * Error [E_COMMAND_UNKNOWN] This bot has no command /rol.
   * Try:  Did you mean /roll?
   *
   * Error [E_COMMAND_UNKNOWN] This bot has no command /daily.
   * Try:  Did you mean !daily?
   *
   * @fix
   * - Correct the name, or add the file.
   * - Type a command of a folder with a hyphen: `commands/story/short.ts` is `/story-short`.
   */
  E_COMMAND_UNKNOWN: userError<{
    /** Name as it was typed, such as `/rol`, as the names in the other members. */
    name: string;
    known: readonly string[];
    meant?: string | undefined;
  }>(({ name, known, meant }) => [
    `This bot has no command ${name}.`,
    meant
      ? `Did you mean ${meant}?${meant.startsWith('/') && !name.startsWith('/') ? ' For messages, set `messages: true` in the file of the command.' : ''}`
      : `Available: ${known.join(', ') || 'none'}.`,
  ]),
  /**
   * The plan was not confirmed.
   *
   * A plan was not applied because it could not be confirmed. `virgule deploy` asks for confirmation before it
   * changes anything. It cannot ask outside a terminal or with `--json`. `--yes` skips the question, but does not
   * confirm deletions.
   *
   * The answer to the question was not a confirmation. Deletions are confirmed by typing their number. The error
   * also occurs when the currently registered commands could not be saved in `.virgule/deploys` for a rollback:
   * Virgule replaces nothing without that backup.
   *
   * @example
   * Error [E_DEPLOY_REFUSED] The plan deletes 1 command: without a question, only --allow-delete confirms that.
   * Try:  Run `virgule deploy --yes --allow-delete=old`.
   *
   * Error [E_DEPLOY_REFUSED] The plan was not applied. Nothing was changed.
   * Try:  Run `virgule deploy` again to confirm it.
   *
   * @fix
   * - Review the plan and run the command in the hint.
   * - If the plan is correct, run `virgule deploy` again.
   */
  E_DEPLOY_REFUSED: userErrorByKind<
    | { kind: 'no-terminal'; deletions: number; command: string }
    | {
        kind: 'refused';
        /** Reason why the registered commands could not be saved; `undefined` when the plan was not confirmed. */
        unwritable?: string | undefined;
      }
  >({
    'no-terminal': ({ deletions, command }) => [
      deletions > 0
        ? `The plan deletes ${countOf(deletions, 'command')}: without a question, only --allow-delete confirms that.`
        : 'The plan was not applied: there is no terminal to confirm it on.',
      `Run \`${command}\`.`,
    ],
    refused: ({ unwritable }) => [
      unwritable === undefined
        ? 'The plan was not applied. Nothing was changed.'
        : `The registered commands could not be saved for a rollback (${unwritable}). Nothing was changed.`,
      unwritable === undefined
        ? 'Run `virgule deploy` again to confirm it.'
        : 'Make that path writable and run `virgule deploy` again.',
    ],
  }),
  /**
   * `virgule probe` failed.
   *
   * `virgule probe` was not confirmed, the gateway did not accept its connection, or messages of the probe cannot be
   * deleted. In the last case `platform.json` is written if all facts were measured, and the next run deletes the messages.
   *
   * @example
   * Error [E_PROBE_FAILED] The probe failed: the gateway sent no READY (close code 4000).
   * Try:  Run `virgule doctor`, then `virgule probe` again.
   *
   * @fix
   * - Without a terminal, confirm the plan with `--yes`.
   * - Run `virgule doctor` to check the token and the addresses.
   * - Delete the messages that the error names yourself, then the file of `.virgule` that it names. If the channel was deleted,
   *   delete only the file: the probe cannot distinguish a deleted channel from a hidden one.
   */
  E_PROBE_FAILED: userError<{ reason: string; hint?: string }>(({ reason, hint }) => [
    `The probe failed: ${reason}.`,
    hint ?? 'Run `virgule doctor`, then `virgule probe` again.',
  ]),
  /**
   * There is no build, or the build does not match.
   *
   * There is no build to start. `virgule start` runs the output of `virgule build`.
   *
   * `dist/manifest.json` was not written by this version of Virgule. In a folder that has only `dist/`, `virgule
   * deploy` reads the commands from the manifest of the build. The manifest was written by another version of
   * Virgule, or changed after the build.
   *
   * The build does not match the sources. `dist/bot.mjs` and `dist/manifest.json` come from different builds, or the
   * sources next to the build differ from the built sources: a file was changed, added or deleted. Virgule
   * compares the contents of the files, not their dates. `virgule deploy` stops with this error in a folder that has
   * only `dist/`; `virgule start` prints it as a warning.
   *
   * @example
   * Error [E_BUILD_UNUSABLE] There is no built bot: dist/bot.mjs does not exist.
   * Try:  Run `virgule build` first.
   *
   * Error [E_BUILD_UNUSABLE] dist/manifest.json is not what this version of `virgule build` writes: v: Invalid input: expected 1.
   * Try:  Run `virgule build` again.
   *
   * Error [E_BUILD_UNUSABLE] dist/bot.mjs belongs to another build than dist/manifest.json.
   *   at dist/bot.mjs
   * Try:  Run `virgule build` again.
   *
   * @fix
   * - Run `virgule build` first.
   * - To develop the bot, use `virgule dev`, which needs no build.
   * - Run `virgule build` again, with the version that you deploy with.
   * - Run `virgule build` again, and copy the whole `dist/`.
   */
  E_BUILD_UNUSABLE: userErrorByKind<
    | { kind: 'missing'; file: string }
    | { kind: 'manifest'; file: string; reason: string }
    | { kind: 'stale'; manifest: string; file: string; why: 'changed' | 'gone' | 'new' | 'another' }
  >({
    missing: ({ file }) => [
      `There is no built bot: ${file} does not exist.`,
      'Run `virgule build` first.',
    ],
    manifest: ({ file, reason }) => [
      `${file} is not what this version of \`virgule build\` writes: ${reason}.`,
      'Run `virgule build` again.',
    ],
    stale: ({ manifest, file, why }) => [
      why === 'another'
        ? `${file} belongs to another build than ${manifest}.`
        : `${manifest} is older than the sources: ${file} ${CHANGES[why]} since the build.`,
      'Run `virgule build` again.',
    ],
  }),
  /**
   * The bot could not be bundled.
   *
   * The bundler could not resolve something, usually an import of a file that does not exist. Or the output could
   * not be written, for example because the disk is full; the message then names the path. Or `dist` is a link to
   * the project, whose files a build would replace. The previous build is left unchanged.
   *
   * @example
   * Error [E_BUILD_FAILED] The bot could not be built: Could not resolve "./player.js"
   *   at commands/play.ts:3
   * Try:  Fix the file and build again.
   *
   * @fix
   * - Fix the line that the message names, make the path accessible, or free disk space.
   */
  E_BUILD_FAILED: userError<{ reason: string; advice?: string | undefined }>(
    ({ reason, advice = 'Fix the file and build again.' }) => [
      `The bot could not be built: ${reason}`,
      advice,
    ],
  ),
  /**
   * The built bot throws while it loads.
   *
   * The last step of `virgule build` loads `dist/bot.mjs` in an empty folder, where only the packages of
   * `dist/package.json` are installed. It connects to nothing and needs no token. Code that works from the sources
   * can fail there, for example because it reads a file that is not in `dist/`, or because it waits at its top level
   * for more than 60 s. The previous build is left unchanged.
   *
   * @example
   * Error [E_BUILD_UNLOADABLE] The built bot does not load. node_modules/templates/index.js, imported by commands/mail.ts, failed: Error: ENOENT: no such file or directory
   *   at commands/mail.ts
   * Try:  Add "templates" to build.external in virgule.config.ts, so that it is installed next to the bot, or skip this check with --no-load.
   *
   * @fix
   * - If a package reads its own files, add the name of the package to [`build.external`](../guide/configuration.md#settings).
   *   It is then not bundled, and listed in `dist/package.json`.
   * - If your own code reads a file, put the file into `assets/`, or reach it with `new URL('./file',
   *   import.meta.url)`: the build copies both.
   * - If the code needs something that only exists where the bot runs, skip this check with `--no-load`.
   */
  E_BUILD_UNLOADABLE: userError<{
    reason: string;
    /** File that threw, relative to the project's root. */
    file?: string | undefined;
    /** File of the project that imports it. */
    importer?: string | undefined;
    /** Package that threw, or that was not found. */
    package?: string | undefined;
    /** Output of the bot. */
    output?: string | undefined;
  }>(({ reason, file = 'The bot', importer, package: name }) => [
    `The built bot does not load. ${file}${importer === undefined ? '' : `, imported by ${importer},`} failed: ${reason}`,
    name === undefined
      ? 'Put files that the code reads into assets/, or skip this check with --no-load.'
      : `Add "${name}" to build.external in virgule.config.ts, so that it is installed next to the bot, or skip this check with --no-load.`,
  ]),
  /**
   * The project has type errors.
   *
   * `virgule build` first runs the TypeScript version that is installed in the project, with the project's
   * `tsconfig.json`. The previous build is left unchanged.
   *
   * @example
   * Error [E_TYPES] TypeScript found 1 error. Nothing was built.
   *   at commands/roll.ts:12:7
   *
   * commands/roll.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.
   *
   * Try:  Fix the errors, or build with --no-types.
   *
   * @fix
   * - Fix the errors.
   * - To build without type checking, use `virgule build --no-types`. The bundler itself ignores types.
   * - If the types of installed packages are not found with Yarn, set `nodeLinker: node-modules` in `.yarnrc.yml`:
   *   TypeScript 7 does not read Plug'n'Play.
   */
  E_TYPES: userError<{ count: number; frame: string }>(({ count }) => [
    count === 0
      ? 'The types could not be checked.'
      : `TypeScript found ${countOf(count, 'error')}. Nothing was built.`,
    count === 0
      ? 'Fix the cause in the lines above, or build with --no-types.'
      : 'Fix the errors, or build with --no-types.',
  ]),
  /**
   * The bot's process exited while `virgule dev` was running.
   *
   * During development the bot's code runs in a separate process. That process exited, or it stopped responding for
   * 10 seconds (5 seconds if a user was waiting for an answer) and was killed. The message names the file, command
   * or event that it was most likely running. `virgule dev` starts a new process: the first time after 250 ms, then
   * with growing delays up to 10 seconds, and immediately when a file is saved. The connection to the platform stays
   * open, and events that arrive in the meantime are delivered to the new process.
   *
   * @example
   * Error [E_CHILD_LOST] The bot's process ended: killed by SIGKILL.
   * Try:  See the output of the bot above.
   *
   * @fix
   * - Read the output above the error: an uncaught error, a call of `process.exit()`, or too little memory.
   * - `no response` means that the process stopped responding: an infinite loop, or blocking work that belongs in
   *   another process. To debug it, use `virgule dev --inspect`.
   */
  E_CHILD_LOST: userError<{ how: string }>(({ how }) => [
    `The bot's process ended: ${how}.`,
    'See the output of the bot above.',
  ]),
  /**
   * Another `virgule dev`, `virgule build` or `virgule probe` is running in this folder.
   *
   * `virgule dev` stores the chat in `.virgule/`, and two instances would overwrite each other's data. The lock of a
   * killed process does not block the next one, and `virgule dev` waits up to 2 s for an ending process. A second
   * `virgule build` waits for the first, up to 2 minutes.
   *
   * @example
   * Error [E_STATE_LOCKED] Another `virgule dev` (process 4711) is running in this folder.
   * Try:  Use that process, or stop it. If no such process runs, delete .virgule/dev.lock.
   *
   * @fix
   * - Use the running instance, or stop it.
   * - To check the project while it runs, use `virgule dev --once`.
   * - If the process id in the message belongs to another program, delete `.virgule/dev.lock`. That happens on macOS
   *   and Windows only: on Linux the start of the process is compared as well.
   */
  E_STATE_LOCKED: userError<{ command: string; pid: number; file: string }>(
    ({ command, pid, file }) => [
      `Another \`virgule ${command}\` (process ${pid}) is running in this folder.`,
      `Use that process, or stop it. If no such process runs, delete ${file}.`,
    ],
  ),
  /**
   * A folder of the project cannot be written.
   *
   * `virgule dev` stores the chat in `.virgule/` in the project folder, but cannot write there. A warning about
   * `.virgule/types.d.ts` means that editors and `tsc` lack the types of the bot; the command continues. `virgule failed test`
   * writes to `tests/failed/`.
   *
   * @example
   * Error [E_STATE_UNWRITABLE] .virgule cannot be written: ENOSPC: no space left on device
   * Try:  Free disk space, or make .virgule writable.
   *
   * @fix
   * - Free disk space, or make the folder writable.
   * - `virgule dev --once` does not need the folder.
   */
  E_STATE_UNWRITABLE: userError<{ folder: string; reason: string }>(({ folder, reason }) => [
    `${folder} cannot be written: ${reason}`,
    `Free disk space, or make ${folder} writable.`,
  ]),
  /**
   * No `virgule dev` with a simulator runs in this folder.
   *
   * `virgule sim` and the tools of `virgule mcp` use the simulator of a running `virgule dev`, which they find by
   * the folder of the bot. `virgule dev --live` and `virgule dev --once` have none that can be changed.
   *
   * @example
   * Error [E_SIM_NOT_RUNNING] No `virgule dev` with a simulator runs in this folder.
   * Try:  Start `virgule dev` here, or pass --cwd with the folder of the bot.
   *
   * @fix
   * - Start `virgule dev` in another terminal, in the same folder.
   * - For `virgule simulator`, use its [control API](../reference/control-api.md).
   */
  E_SIM_NOT_RUNNING: userError(() => [
    'No `virgule dev` with a simulator runs in this folder.',
    'Start `virgule dev` here, or pass --cwd with the folder of the bot.',
  ]),
  /**
   * `virgule mcp` needs a package that is not installed.
   *
   * The SDK of the Model Context Protocol is an optional peer dependency: only [`virgule mcp`](../recipes/agents.md)
   * uses it, and bots in production do without it.
   *
   * @example
   * Error [E_MCP_MISSING] `virgule mcp` needs the package @modelcontextprotocol/server, which is not installed.
   * Try:  Run `npm install --save-dev @modelcontextprotocol/server`.
   *
   * @fix
   * Install it in the folder of the bot, with the package manager of the project:
   *
   * ```sh
   * npm install --save-dev @modelcontextprotocol/server
   * ```
   */
  E_MCP_MISSING: userError(() => [
    '`virgule mcp` needs the package @modelcontextprotocol/server, which is not installed.',
    'Run `npm install --save-dev @modelcontextprotocol/server`.',
  ]),
  /**
   * The running simulator refused a request, or cannot be reached.
   *
   * The message ends with the reason from the simulator, such as the invalid rule of a file of faults. `ECONNREFUSED`
   * means that `virgule dev` was started in this folder but can no longer be reached.
   *
   * @example
   * Error [E_SIM_REQUEST] The simulator at http://127.0.0.1:7300 did not accept the request: The faults are invalid: rules[0].on Invalid input.
   * Try:  Fix the input that the message names. If the simulator cannot be reached, start `virgule dev` again.
   *
   * @fix
   * - Fix the rule that the message names: [all keys of a rule](../reference/faults.md#your-own-rules).
   * - If `virgule dev` does not respond, start it again.
   */
  E_SIM_REQUEST: userError<{ baseUrl: string; reason: string }>(({ baseUrl, reason }) => [
    `The simulator at ${baseUrl} did not accept the request: ${reason}`,
    'Fix the input that the message names. If the simulator cannot be reached, start `virgule dev` again.',
  ]),
  /**
   * The file of a new command or event could not be created.
   *
   * `virgule new` never overwrites a file, and writes only files that the bot would load: names with `..`, and those
   * that begin with `_` or `.`, are refused. The message says what was wrong with the name, or why the file could
   * not be written.
   *
   * @example
   * Error [E_NEW_FILE] commands/ban.ts was not created: it already exists.
   *   at commands/ban.ts
   * Try:  Choose another name, or edit that file.
   *
   * @fix
   * - Use another name, such as `virgule new command admin/ban`.
   * - If the folder is read-only, make it writable.
   */
  E_NEW_FILE: userError<{ file: string; reason: string }>(({ file, reason }) => [
    `${file} was not created: ${reason}.`,
    'Choose another name, or edit that file.',
  ]),
  /**
   * Virgule cannot run with this runtime or with these packages.
   *
   * Virgule requires Node.js 20.19 and zod 4. `bun --bun virgule` runs it on Bun, which replaces the HTTP client
   * that Virgule uses, so that requests are never answered. Built bots run on Bun and Deno. `virgule fuzz` requires
   * fast-check, an optional peer dependency.
   *
   * @example
   * Error [E_RUNTIME] Virgule cannot run here: zod 3.25.76 is installed, and version 4 is required.
   * Try:  Run `npm install zod@4`.
   *
   * Error [E_RUNTIME] Virgule cannot run here: fast-check is not installed.
   * Try:  Run `npm install --save-dev fast-check`.
   *
   * @fix
   * - Install zod 4. An older version can be installed next to it under another name.
   * - Run `virgule` with Node.js.
   */
  E_RUNTIME: userError<{ reason: string; advice: string }>(({ reason, advice }) => [
    `Virgule cannot run here: ${reason}.`,
    advice,
  ]),
  /**
   * A command did not answer.
   *
   * `virgule run` waits for the answer. The interaction expired without one.
   *
   * @example
   * Error [E_NO_ANSWER] /report was not answered.
   * Try:  See the lines above for the cause.
   *
   * @fix
   * - Read the output above the error for the cause.
   */
  E_NO_ANSWER: userError<{ rawInput: string }>(({ rawInput }) => [
    `${rawInput} was not answered.`,
    'See the lines above for the cause.',
  ]),

  // Group: Registering commands
  /**
   * The platform rejected one of the commands.
   *
   * Virgule registers all commands in one request, and the platform rejected the request because of this command.
   * Virgule derives the position in your files from the field that the platform names, or from the command that its
   * message names. `cause` is the platform's response, with its error code.
   *
   * @example
   * Error [E_COMMAND_REFUSED] The platform refused /play, option "loop": The type is not supported.
   *   at commands/play.ts
   * Try:  Fix the command and deploy again. Nothing was changed.
   *
   * @fix
   * - Fix what the message names.
   * - The platform accepts or rejects the whole set, so the other commands were not registered either.
   */
  E_COMMAND_REFUSED: userError<{ name: string; option?: string | undefined; reason: string }>(
    ({ name, option, reason }) => [
      `The platform refused /${name}${option === undefined ? '' : `, option "${option}"`}: ${reason}`,
      'Fix the command and deploy again. Nothing was changed.',
    ],
  ),
  /**
   * There is no saved set of this name, or it cannot be used.
   *
   * There is no saved set of this name. `virgule deploy --from` takes the name of a set that an earlier deploy saved
   * in `.virgule/deploys`, or the path of such a file. Virgule keeps the 20 newest sets.
   *
   * The saved set of commands cannot be used. The file is damaged, was written by another version, or contains the
   * commands of another bot.
   *
   * @example
   * Error [E_SAVED_SET] There is no saved set "last".
   * Try:  Saved sets, newest first: 2026-11-20T10-27-07-512Z, 2026-11-20T10-22-07-512Z.
   *
   * Error [E_SAVED_SET] The saved set "other.json" cannot be used: it belongs to another bot (application 3f2a…).
   * Try:  Choose a set that `virgule deploy` saved for this bot in .virgule/deploys.
   *
   * @fix
   * - Use one of the names in the hint.
   * - A fresh checkout has no saved sets: they exist only where the deploy was run.
   * - Choose another saved set.
   */
  E_SAVED_SET: userErrorByKind<
    | { kind: 'unknown'; name: string; known: readonly string[] }
    | { kind: 'invalid'; name: string; reason: string }
  >({
    unknown: ({ name, known }) => [
      `There is no saved set "${name}".`,
      known.length === 0
        ? 'There are none yet: each deploy saves the set that it replaces.'
        : `Saved sets, newest first: ${known.join(', ')}.`,
    ],
    invalid: ({ name, reason }) => [
      `The saved set "${name}" cannot be used: ${reason}.`,
      'Choose a set that `virgule deploy` saved for this bot in .virgule/deploys.',
    ],
  }),
  /**
   * The record of deployed commands cannot be read.
   *
   * `--keep-foreign` keeps the registered commands that were never deployed from this folder. Virgule finds them with
   * the record. A damaged record is an error and not treated as missing, because without a record every registered
   * command counts as deployed from here.
   *
   * @example
   * Error [E_DEPLOY_RECORD] .virgule/deployed.json cannot be read: Unexpected end of JSON input.
   * Try:  The file lists the commands that were deployed from this folder. Without the file, every registered command counts as deployed from here.
   *
   * @fix
   * - Restore the file, or delete it and then check the deletions in the plan.
   */
  E_DEPLOY_RECORD: userError<{ file: string; reason: string }>(({ file, reason }) => [
    `${file} cannot be read: ${reason}.`,
    'The file lists the commands that were deployed from this folder. Without the file, every registered command counts as deployed from here.',
  ]),

  // Group: Loading files
  /**
   * Code of the bot ended the process of a command, or waits for a promise that cannot settle.
   *
   * Commands such as `virgule check`, `build` and `deploy` import the files of the bot, and `virgule run` runs its
   * handlers. One of the files, or a package that it imports, called `process.exit()`, or waits at the top level for
   * a promise that cannot settle. The command was not completed; its exit code is 1.
   *
   * @example
   * Error [E_ENDED_EARLY] commands/play.ts ended the process with exit code 0.
   * Try:  Throw an error instead of calling process.exit().
   *
   * @fix
   * - Throw an error instead of calling `process.exit()`: it is reported with its line.
   * - Validate the environment in the `env` of [`virgule.config.ts`](../guide/configuration.md).
   * - Move a top-level `await`, and work that takes long, into the handler, or into
   *   [`services.ts`](../guide/services.md).
   */
  E_ENDED_EARLY: userError<{
    /** Exit code passed to `process.exit()`; `undefined` if the code waits for a promise that cannot settle. */
    exitCode: number | undefined;
    file?: string | undefined;
    /** Package that the file was waiting for. */
    imports?: string | undefined;
  }>(({ exitCode, file = "The bot's code", imports }) => {
    const what = imports === undefined ? file : `"${imports}", imported by ${file},`;
    return exitCode === undefined
      ? [
          `${what} waits for something that never happens.`,
          'Wait inside a function instead of at the top level of a file.',
        ]
      : [
          `${what} ended the process with exit code ${exitCode}.`,
          'Throw an error instead of calling process.exit().',
        ];
  }),
});

const CHANGES = { changed: 'has changed', gone: 'was deleted', new: 'was added' };
