import { defineErrors, userError, type SourceLocation } from '@virgule/core/errors';
import { didYouMean } from '@virgule/core/text';

/** Details about the place, common to all errors of the loader. `file` is relative to the project. */
export interface PlaceDetails extends SourceLocation {
  /** Lines around the place as plain text; empty when the place is unknown. */
  readonly frame: string;
}

interface ImportPlace extends PlaceDetails {
  /** Specifier of the import, as written. */
  readonly specifier: string;
}

interface Reason extends PlaceDetails {
  /** Reason in the words of the parser. */
  readonly reason: string;
}

interface Advice {
  /** Advice for this case, if there is a specific one. */
  readonly suggestion?: string | undefined;
}

const at = ({ file, line, column }: PlaceDetails): string =>
  line === undefined ? file : `${file}:${line}${column === undefined ? '' : `:${column}`}`;

const MAX_SHOWN_EXPORTS = 20;

function exportAdvice(name: string, available: readonly string[]): string {
  if (available.length === 0) return 'That module exports nothing.';
  const meant = didYouMean(name, available);
  if (meant !== undefined) return `Did you mean "${meant}"?`;
  const hidden = available.length - MAX_SHOWN_EXPORTS;
  const shown = available.slice(0, MAX_SHOWN_EXPORTS).join(', ');
  return `It exports: ${shown}${hidden > 0 ? ` and ${hidden} more` : ''}.`;
}

/** The errors of loading and reloading the files of a project. */
export const loaderErrors = defineErrors({
  // Group: Loading files
  /**
   * A file contains a syntax error.
   *
   * The file could not be parsed as JavaScript or TypeScript. In `virgule dev` the last working version of the file
   * stays active.
   *
   * @example
   * Error [E_SYNTAX] commands/play.ts:12:11 cannot be read: Expected identifier but found "="
   *   at commands/play.ts:12
   *
   *   11 |   run: () => {
   * > 12 |     const = 1;
   *      |           ^
   *   13 |   },
   *
   * Try:  Fix the line and save; the file reloads automatically.
   *
   * @fix
   * - Fix the line and save the file.
   * - Save the file as UTF-8 if it has another encoding, as files that PowerShell 5 writes with `>` have.
   */
  E_SYNTAX: userError<Reason & Partial<Advice>>((details) => [
    `${at(details)} cannot be read: ${details.reason}`,
    details.suggestion ?? 'Fix the line and save; the file reloads automatically.',
  ]),
  /**
   * A file, or a package that it imports, threw an error while it was loading.
   *
   * Code outside functions runs when a file is loaded. It threw an error, which is at the end of the message. In
   * `virgule dev` the last working version of the file stays active.
   *
   * @example
   * Error [E_LOAD_FAILED] commands/play.ts:3:9 threw while it was loaded: TypeError: Cannot read properties of undefined (reading 'url')
   *   at commands/play.ts:3
   *
   * Try:  Code outside of functions runs when the file is loaded. Fix the line and save.
   *
   * @fix
   * - Fix the line and save the file.
   * - Only `virgule dev` puts the variables of `.env` files into `process.env`. Set the variable for the other commands
   *   and the built bot, or create the object in `services.ts`, whose `env` has the variables.
   * - Only code and JSON can be imported. Read other files with `node:fs`: `readFileSync(new URL('./page.md',
   *   import.meta.url), 'utf8')`. `virgule build` copies them.
   * - Node.js does not load a failed package again in the same process: fix the cause and restart.
   */
  E_LOAD_FAILED: userError<Reason & Advice & { readonly dependency?: string | undefined }>(
    ({ dependency, reason, suggestion, ...place }) =>
      dependency === undefined
        ? [
            `${at(place)} threw while it was loaded: ${reason}`,
            suggestion ??
              'Code outside of functions runs when the file is loaded. Fix the line and save.',
          ]
        : [
            `${at(place)} imports "${dependency}", which failed to load: ${reason}`,
            suggestion ?? 'Node.js does not load a failed package again: fix it, then restart.',
          ],
  ),
  /**
   * The code of a file did not end within 8 s while the file was loaded.
   *
   * The file has a top-level await that has not settled, or an endless loop. The rest of the bot is loaded without it. In `virgule dev`,
   * the last working version of the file stays active, and the file is loaded again when it, or a file that it imports, is
   * saved. An endless loop blocks the whole process there, until the file is saved without it.
   *
   * @example
   * Error [E_LOAD_STUCK] commands/play.ts was not loaded within 8 s: a top-level await in it does not settle.
   *   at commands/play.ts
   * Try:  Wait inside a function instead. Move slow startup work to services.ts.
   *
   * @fix
   * - Move the `await` into the handler, or into a function that the handler calls.
   * - Connect to databases and other services in [`services.ts`](../guide/services.md), which may take longer.
   * - Set a timeout for anything that may never answer.
   */
  E_LOAD_STUCK: userError<
    PlaceDetails & {
      readonly seconds: number;
      /** Synchronous code was interrupted. */
      readonly busy: boolean;
    }
  >(({ file, seconds, busy }) => [
    `${file} was not loaded within ${seconds} s: ${busy ? 'it kept the process busy' : 'a top-level await in it does not settle'}.`,
    busy
      ? 'Check for an endless loop at the top level. Move slow startup work to services.ts.'
      : 'Wait inside a function instead. Move slow startup work to services.ts.',
  ]),
  /**
   * An import refers to a file or package that does not exist.
   *
   * Paths are relative to the importing file. Import a TypeScript file by the name of its compiled output:
   * `./player.js` resolves to `player.ts`.
   *
   * @example
   * Error [E_MODULE_NOT_FOUND] commands/play.ts:2:24 imports "../lib/player.js", which does not exist.
   *   at commands/play.ts:2
   *
   * > 2 | import { player } from '../lib/player.js';
   *     |                        ^
   *
   *
   * @fix
   * - Correct the path, or install the package.
   * - The package of another chat framework is not needed: import `defineCommand` and `defineEvent` from `virgule`.
   */
  E_MODULE_NOT_FOUND: userError<ImportPlace & Advice & { readonly importer: boolean }>(
    (details) => [
      details.importer
        ? `${at(details)} imports "${details.specifier}", which does not exist.`
        : `The file ${details.file} does not exist.`,
      details.suggestion,
    ],
  ),
  /**
   * A file defines something that belongs in another folder or file.
   *
   * The folder decides what a file is: files in `commands/` are commands, in `events/` event handlers, and in `tasks/`
   * tasks. The name decides for middleware (`_middleware.ts`) and error handlers (`_error.ts`).
   *
   * @example
   * Error [E_MISPLACED] commands/clean-up.ts calls defineTask, which belongs in tasks/.
   *   at commands/clean-up.ts:4:1
   *
   *   3 |
   * > 4 | export default defineTask({
   *     | ^
   *   5 |   every: '1h',
   *   6 |   run: ({ log }) => log.info('clean'),
   *
   * Try:  Move the code to tasks/.
   *
   * @fix
   * - Move the file to the folder in the message, or its code to the file in the message.
   * - Or define what its folder contains, such as `defineCommand` in `commands/`.
   */
  E_MISPLACED: userError<{
    readonly file: string;
    /** Function that the file calls, such as `defineTask`. */
    readonly call: string;
    /** Folder or file in which the call belongs. */
    readonly home: string;
  }>(({ file, call, home }) => [
    `${file} calls ${call}, which belongs in ${home}.`,
    `Move the code to ${home}.`,
  ]),
  /**
   * An import names something that the other module does not export.
   *
   * The module was found, but it does not export this name. Types exist only at compile time, so importing a type as
   * a value causes this error too.
   *
   * @example
   * Error [E_EXPORT_MISSING] commands/play.ts:2:23 imports "plyer" from "../lib/player.js", which does not export it.
   *   at commands/play.ts:2:23
   *
   *   1 | import { defineCommand } from 'virgule';
   * > 2 | import { plyer } from '../lib/player.js';
   *     |                       ^
   *   3 |
   *   4 | export default defineCommand({
   *
   * Try:  Did you mean "player"? If the name is a type, write `import type`.
   *
   * @fix
   * - Correct the name.
   * - Write `import type { … }` for types.
   */
  E_EXPORT_MISSING: userError<
    ImportPlace & { readonly name: string; readonly available: readonly string[] }
  >(({ name, available, specifier, ...place }) => [
    `${at(place)} imports "${name}" from "${specifier}", which does not export it.`,
    `${exportAdvice(name, available)} If the name is a type, write \`import type\`.`,
  ]),
  /**
   * `tsconfig.json` is invalid.
   *
   * Virgule reads `tsconfig.json` and every file that it `extends`, for `paths` and for the settings that affect how
   * TypeScript is compiled. The error names the invalid file.
   *
   * @example
   * Error [E_TSCONFIG_INVALID] tsconfig.json cannot be used: it is not JSON
   *   at tsconfig.json
   *
   * Try:  Fix the file, which affects `paths` and the compilation of TypeScript.
   *
   * @fix
   * - Correct the file, or the path that it `extends`. The compiler of TypeScript names the line of a syntax error.
   */
  E_TSCONFIG_INVALID: userError<{ readonly file: string; readonly reason: string }>(
    ({ file, reason }) => [
      `${file} cannot be used: ${reason}`,
      'Fix the file, which affects `paths` and the compilation of TypeScript.',
    ],
  ),
});
