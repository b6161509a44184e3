import type { SourceLocation, VirguleError } from '@virgule/core/errors';
import { describeSeen, isRecord } from '@virgule/core/objects';
import type { Intent, Profile } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import type { z } from 'zod';
import type { Throttle } from '../command/throttle/throttle-settings.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import {
  locateDefaultExport,
  locateExport,
  locatePath,
  type SourceFile,
} from '../options/locate-key.js';
import type { ModuleExports } from './import-file.js';
import { KEY_SEPARATOR } from './settings-schema.js';

export interface RouteInput<Route> {
  /** Intents of the configuration, which every handler may wait for in addition to its declared intents. */
  readonly intents: readonly Intent[];
  readonly profile: Profile;
  /** Warnings about code that works, but probably not as intended. */
  readonly warnings: VirguleError[];
  readonly route: Route;
  readonly exports: ModuleExports;
  readonly report: SettingReport;
  /** Middleware of the folders, outermost first. */
  readonly middleware: readonly never[];
  /** Error handlers of the folders, innermost first. */
  readonly errorHandlers: readonly never[];
  readonly throttles: readonly Throttle[];
}

/** The object that defines a handler. The parameters of `run` depend on the kind of the handler. */
export interface Definition extends Readonly<Record<string, unknown>> {
  readonly run: never;
}

/** Returns the settings of a definition as the author wrote them, without omitted ones. */
export const writtenSettings = (
  definition: Definition,
  keys: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    keys.filter((key) => definition[key] !== undefined).map((key) => [key, definition[key]]),
  );

/** Reports problems of the settings in one file, each with its line if the source is known. */
export class SettingReport {
  readonly where: SourceFile;
  readonly #problems: VirguleError[];
  /** `true` until a problem is reported. */
  isValid = true;

  constructor(where: SourceFile, problems: VirguleError[]) {
    this.where = where;
    this.#problems = problems;
  }

  add(problem: VirguleError): void {
    this.isValid = false;
    this.#problems.push(problem);
  }

  /**
   * Returns the object that defines a handler. Reports unknown keys of the object and unknown exports next to it. If the
   * object has no function `run`, reports that and returns `null`.
   */
  definition(
    main: unknown,
    exports: ModuleExports,
    keys: readonly string[],
    [want, form]: readonly [want: string, form: string],
  ): Definition | null {
    const hasRun = isRecord(main) && typeof main['run'] === 'function';
    if (isRecord(main)) {
      this.unknownExports(exports, ['default']);
      this.unknownKeys(Object.keys(main), keys);
    }
    if (!hasRun) this.noHandler(exports['default'], want, form);
    // `hasRun` has checked that `run` is a function.
    return hasRun ? (main as Definition) : null;
  }

  /** Reports that the default export `saw` is no handler. `form` is the default export to write instead. */
  noHandler(saw: unknown, want: string, form: string): void {
    const { file } = this.where;
    const is = isClass(saw)
      ? 'class'
      : isRecord(saw) && typeof saw['run'] !== 'function'
        ? 'object'
        : 'other';
    const location = locateDefaultExport(this.where);
    this.add(runtimeErrors.E_NO_HANDLER({ file, want, form, is }, { location }));
  }

  /** Reports an invalid value of a setting, such as `cooldown.every`. `shown`: description of the value in the message. */
  refuse(key: string, want: string, saw: unknown, advice?: string, shown?: string): void {
    const { file } = this.where;
    const location = this.locate(...key.split('.'));
    const details = { file, key, want, saw: shown ?? describeSeen(saw), advice };
    this.add(runtimeErrors.E_SETTING(details, { location }));
  }

  unknownExports(exports: ModuleExports, known: readonly string[]): void {
    for (const key of Object.keys(exports))
      if (!known.includes(key)) this.#unknown([key], known, true);
  }

  unknownKeys(keys: readonly string[], known: readonly string[]): void {
    for (const key of keys) if (!known.includes(key)) this.#unknown([key], known);
  }

  /**
   * Parses settings by their schema. Reports every problem; returns `undefined` after a problem. The message of each issue
   * describes a valid value. The parameters of a custom issue may contain `advice`, a function that takes the invalid string.
   */
  read<Settings>(schema: z.ZodType<Settings>, value: unknown): Settings | undefined {
    const { data, error } = schema.safeParse(value, { reportInput: true });
    for (const issue of error?.issues ?? []) {
      const { message, input } = issue;
      const path = issue.path.filter((part) => typeof part === 'string');
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys) this.#unknown([...path, key], message.split(KEY_SEPARATOR));
      else this.refuse(path.join('.'), message, input, adviceOn(issue, input));
    }
    return data;
  }

  #unknown(path: readonly string[], known: readonly string[], isExport?: true): void {
    const { file } = this.where;
    const key = path.join('.');
    // discord.js calls the handler `execute`.
    const meant = didYouMean(key === 'execute' ? 'run' : (path.at(-1) ?? ''), known);
    const location = isExport ? locateExport(this.where, key) : this.locate(...path);
    this.add(runtimeErrors.E_UNKNOWN_KEY({ file, key, meant, known, isExport }, { location }));
  }

  /** Locates a setting, such as `every` of `cooldown`. Falls back to the enclosing setting, then to the definition. */
  locate(...path: readonly string[]): SourceLocation {
    const place = locatePath(this.where, path);
    return place.line === undefined ? locateDefaultExport(this.where) : place;
  }
}

function adviceOn(issue: z.core.$ZodIssue, saw: unknown): string | undefined {
  if (typeof saw !== 'string') return undefined;
  if (issue.code === 'custom') return issue.params?.['advice']?.(saw);
  const meant =
    issue.code === 'invalid_value' ? didYouMean(saw, issue.values.map(String)) : undefined;
  return meant && `Did you mean '${meant}'?`;
}

/** Returns whether a value is a class, which only `new` can call. */
export const isClass = (value: unknown): boolean =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
