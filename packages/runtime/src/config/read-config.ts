import { type VirguleError } from '@virgule/core/errors';
import { isRecord } from '@virgule/core/objects';
import type { Intent, Profile } from '@virgule/core/protocol';
import { didYouMean } from '@virgule/core/text';
import type { z } from 'zod';
import type { Config } from '../define/define-config.js';
import { durationMs } from '../define/duration.js';
import type { Texts } from '../define/texts.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { SourceFile } from '../options/locate-key.js';
import { readOptionsObject } from '../options/options-object.js';
import { configSchema } from './config-schema.js';
import { locateProperty } from './locate-property.js';

/** The settings of one platform. */
type Target = Pick<Config, 'baseUrl' | 'gatewayUrl' | 'profile'>;

/** The settings of a bot, resolved. The code that uses one that is `undefined` has its default. */
export interface ResolvedConfig {
  readonly env?: z.ZodObject | undefined;
  readonly intents?: readonly Intent[] | undefined;
  readonly separator?: '-' | '_' | undefined;
  readonly texts?: Partial<Texts> | undefined;
  readonly drainMs?: number | undefined;
  readonly observers?: Config['observers'];
  readonly cooldowns?: Config['cooldowns'];
  readonly concurrency?: Config['concurrency'];
  readonly log?: Config['log'];
  readonly profile?: Partial<Profile> | undefined;
  readonly backfill?: boolean | undefined;
  readonly baseUrl?: string | undefined;
  readonly gatewayUrl?: string | undefined;
  /** What differs for a platform, by mode. */
  readonly targets?: Readonly<Record<string, Target>> | undefined;
  readonly build?: { readonly external?: readonly string[] | undefined } | undefined;
}

export interface ConfigResult {
  readonly config: ResolvedConfig;
  readonly problems: readonly VirguleError[];
}

/** Reads the settings that a file exports. After a problem, the other settings still apply. */
export function readConfig(value: unknown, place: SourceFile): ConfigResult {
  const { file } = place;
  const problems: VirguleError[] = [];
  const invalid = new Set<PropertyKey>();
  const refuse = (path: readonly PropertyKey[], want: string, saw: string, hint?: string): void => {
    if (path[0] !== undefined) invalid.add(path[0]);
    const key = path.filter((part) => typeof part === 'string').join('.');
    problems.push(
      runtimeErrors.E_CONFIG_INVALID(
        { file, key, want, saw, advice: hint },
        { location: locateProperty(place, path) },
      ),
    );
  };

  if (!isRecord(value)) {
    refuse([], 'an object made by defineConfig', describe(value));
    return { config: {}, problems };
  }
  // All keys at once: an unknown one does not hide a wrong value.
  for (const issue of configSchema.safeParse(value).error?.issues ?? []) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const path = [...issue.path, key];
        invalid.add(path[0] ?? key);
        const known = knownKeys(issue.path);
        problems.push(
          runtimeErrors.E_UNKNOWN_KEY(
            { file, key: path.join('.'), meant: didYouMean(key, known), known },
            { location: locateProperty(place, path) },
          ),
        );
      }
    } else {
      refuse(issue.path, issue.message, describe(valueAt(value, issue.path)));
    }
  }
  if (value['env'] !== undefined) {
    const env = readOptionsObject(value['env']);
    if (!env.ok) {
      const want = 'a zod object, such as z.object({ DATABASE_URL: z.url() })';
      refuse(['env'], want, env.saw, env.advice);
    }
  }
  const { drain, ...rest } = Object.fromEntries(
    Object.entries(value).filter(([key]) => !invalid.has(key)),
  );
  return {
    // The rest passed the schema, and `env` the check above.
    config: { ...rest, drainMs: typeof drain === 'string' ? durationMs(drain) : undefined },
    problems,
  };
}

function knownKeys([first, second]: readonly PropertyKey[]): string[] {
  const { shape } = configSchema;
  if (first === undefined) return Object.keys(shape);
  if (first === 'log') return Object.keys(shape.log.unwrap().shape);
  if (first === 'texts') return Object.keys(shape.texts.unwrap().shape);
  if (first === 'targets') return ['baseUrl', 'gatewayUrl', 'profile'];
  if (first === 'build') return Object.keys(shape.build.unwrap().shape);
  // Of the others, only the profile and some of its members have keys.
  const profile = shape.profile.unwrap().shape;
  const inner = second === undefined ? undefined : profile[String(second)]?.unwrap();
  return Object.keys(inner !== undefined && 'shape' in inner ? Object(inner.shape) : profile);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => Object(at)[key], value);
}

const MAX_SHOWN = 60;

function describe(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  try {
    const text = JSON.stringify(value) ?? typeof value;
    return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  } catch {
    // It refers to itself, or holds a bigint.
    return typeof value;
  }
}
