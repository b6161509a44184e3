import type { VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { Config } from './define-config.js';
import { durationMs } from '../text/duration.js';
import { runtimeErrors, showValue } from '../errors/runtime-errors.js';
import { readSettings } from '../load/read-settings.js';
import { locatePath, type SourceFile } from '../options/locate-key.js';
import { readOptionsObject } from '../options/options-object.js';
import { configSchema } from './config-schema.js';
import { createImporter, type ImportOptions } from '../load/import-file.js';

/** The resolved settings of a bot. The code that uses a setting has the default for `undefined`. */
export interface ResolvedConfig extends Omit<Config, 'drain' | 'watchdog'> {
  readonly drainMs?: number | undefined;
  readonly watchdogMs?: number | false | undefined;
}

export interface ConfigResult {
  readonly config: ResolvedConfig;
  readonly problems: readonly VirguleError[];
}

/** Reads the settings that a file exports. After a problem, the other settings still apply. */
export function readConfig(value: unknown, place: SourceFile): ConfigResult {
  const { file } = place;
  const problems: VirguleError[] = [];
  const invalid = new Set<string | undefined>();
  const refuse = (path: readonly string[], want: string, saw: string, advice?: string): void => {
    invalid.add(path[0]);
    const details = { file, key: path.join('.'), want, saw, advice };
    const location = locatePath(place, path);
    problems.push(runtimeErrors.E_CONFIG_INVALID(details, { location }));
  };

  if (!isRecord(value)) {
    refuse([], 'an object made by defineConfig', describe(value));
    return { config: {}, problems };
  }
  // All keys are checked at once: an unknown key does not hide a wrong value.
  for (const fault of readSettings(configSchema, value).faults) {
    if ('want' in fault) refuse(fault.path, fault.want, describe(fault.saw));
    else {
      const { path, known, meant } = fault;
      invalid.add(path[0]);
      const key = path.join('.');
      const details = { file, key, meant, known, advice: key === 'token' ? TOKEN : undefined };
      const location = locatePath(place, path);
      problems.push(runtimeErrors.E_UNKNOWN_KEY(details, { location }));
    }
  }
  if (value['env'] !== undefined) {
    const env = readOptionsObject(value['env']);
    if ('saw' in env) {
      const want = 'a zod object, such as z.object({ DATABASE_URL: z.url() })';
      refuse(['env'], want, env.saw, env.advice);
    }
  }
  const { drain, watchdog, ...rest } = Object.fromEntries(
    Object.entries(value).filter(([key]) => !invalid.has(key)),
  );
  return {
    // The schema has checked the rest, and `readOptionsObject` has checked `env`.
    config: {
      ...rest,
      drainMs: typeof drain === 'string' ? durationMs(drain) : undefined,
      watchdogMs: watchdog === false ? false : durationMs(watchdog),
    },
    problems,
  };
}

const TOKEN =
  'Put BOT_TOKEN=… into .env, or set it for the process: a token does not belong in code.';

const describe = (value: unknown): string => (value === undefined ? 'nothing' : showValue(value));

/** Imports and reads the configuration of a project. `file` is `null` for a project without a configuration. Never rejects. */
export async function loadConfig(
  file: string | null,
  options: ImportOptions,
): Promise<ConfigResult> {
  if (file === null) return { config: {}, problems: [] };
  const problems: VirguleError[] = [];
  const importFile = createImporter(options.importModule, (problem) => void problems.push(problem));
  const exports = await importFile(file);
  if (!exports) return { config: {}, problems };
  return readConfig(exports['default'], { file, source: options.readSource?.(file) });
}
