import type { VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { Config } from './define-config.js';
import { durationMs } from '../text/duration.js';
import type { SourceFile } from '../options/locate-key.js';
import { SettingReport } from '../load/setting-report.js';
import { readOptionsObject } from '../options/options-object.js';
import { configSchema } from './config-schema.js';
import { createImporter, type ImportOptions } from '../load/import-file.js';

/** The resolved settings of a bot. The code that uses a setting has the default for `undefined`. */
export interface ResolvedConfig extends Omit<Config, 'drain' | 'watchdog'> {
  /** Time that running handlers get to end at `close`, in milliseconds. @defaultValue 10,000 */
  readonly drainMs?: number | undefined;
  readonly watchdogMs?: number | false | undefined;
}

export interface ConfigResult {
  readonly config: ResolvedConfig;
  readonly problems: readonly VirguleError[];
}

/** Reads the settings that a file exports. After a problem, the other settings still apply. */
export function readConfig(value: unknown, place: SourceFile): ConfigResult {
  const problems: VirguleError[] = [];
  const report = new SettingReport(place, problems);
  if (!isRecord(value)) {
    const advice = 'Write export default defineConfig({ … }), with defineConfig from virgule.';
    report.refuse('The default export', 'an object made by defineConfig', value, advice);
    return { config: {}, problems };
  }
  report.read(configSchema, value);
  const env = value['env'] === undefined ? null : readOptionsObject(value['env']);
  if (env && 'saw' in env) {
    const want = 'a zod object, such as z.object({ DATABASE_URL: z.url() })';
    report.refuse('env', want, value['env'], env.advice, env.saw);
  }
  const invalid = new Set(problems.map(({ details }) => String(details['key']).split('.')[0]));
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

/** Imports and reads the configuration of a project. `file` is `null` for a project without a configuration. Never rejects. */
export async function loadConfig(
  file: string | null,
  options: ImportOptions,
): Promise<ConfigResult> {
  if (file === null) return { config: {}, problems: [] };
  const problems: VirguleError[] = [];
  const importFile = createImporter(options.importModule, problems);
  const exports = await importFile(file);
  if (!exports) return { config: {}, problems };
  return readConfig(exports['default'], { file, source: options.readSource?.(file) });
}
