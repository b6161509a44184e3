import {
  CONTENT_MAX_LENGTH,
  DEFAULT_PROFILE,
  INTENTS,
  PROFILE_CHOICES,
} from '@virgule/core/protocol';
import { isObject } from '@virgule/core/objects';
import { listOf } from '@virgule/core/text';
import * as z from 'zod';
import type { BotObserver } from '../command/observer.js';
import { isId } from '../options/references.js';
import { durationMs, type Duration } from '../text/duration.js';
import { LOG_LEVELS } from './define-config.js';
import { DEFAULT_TEXTS, type Text, type Texts } from '../command/texts.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import type { Scale } from '../scale/scale.js';
import type { VoiceSetting } from '../voice/voice-setting.js';
import { settingsObject } from '../load/settings-schema.js';

const PACKAGES = `a list of package names, such as ['sharp']`;
const USERS = 'a list of user ids';
const RECORDS = 'a number from 1 to 1,000';
/** Minimum of the setting `watchdog` in milliseconds: the watchdog counts ticks of a second. */
const MIN_WATCHDOG_MS = 1_000;

/**
 * Schema of the settings in `virgule.config.ts`, except `env`, which is a schema itself. The message of each
 * issue describes the expected value, as the end of a sentence.
 */
export const configSchema = settingsObject(
  {
    env: z.unknown().optional(),
    intents: z
      .array(
        z.enum(INTENTS, `a list of these: ${INTENTS.join(', ')}`),
        `a list of intents, such as ['MESSAGE_REACTIONS']`,
      )
      .optional(),
    separator: z.enum(['-', '_'], `'-' or '_'`).optional(),
    texts: texts().partial().optional(),
    attachments: settingsObject(
      { hosts: z.array(host(), `a list of hosts, such as ['cdn.example.com']`).optional() },
      `an object such as { hosts: ['cdn.example.com'] }`,
    ).optional(),
    messages: settingsObject(
      {
        prefix: text("a text without a space before it, such as '!'", (value) =>
          /^\S/.test(value),
        ).optional(),
        mention: z.boolean('true or false').optional(),
        ignore: z.array(z.string(USERS).refine(isId, USERS), USERS).optional(),
      },
      `an object such as { prefix: '!' }`,
    ).optional(),
    loopGuard: z.boolean('true or false').optional(),
    drain: text(`a duration like '10s'`, (value) => durationMs(value) !== undefined).optional(),
    watchdog: z
      .custom<Duration | false>(
        (value) =>
          value === false ||
          (typeof value === 'string' && (durationMs(value) ?? 0) >= MIN_WATCHDOG_MS),
        `a duration of at least '1s', or false`,
      )
      .optional(),
    observers: z
      .array(
        z.custom<BotObserver>(isObject, 'a list of observers'),
        'a list of observers, such as [{ ended: (work) => {} }]',
      )
      .optional(),
    cooldowns: z.literal('storage', "'storage'").optional(),
    storage: withOpen<StorageSetting>(),
    scale: withOpen<Scale>(),
    voice: withOpen<VoiceSetting>(),
    log: settingsObject(
      { level: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).optional() },
      `an object such as { level: 'warn' }`,
    ).optional(),
    backfill: z.boolean('true or false').optional(),
    failed: settingsObject(
      {
        keep: z.int(RECORDS).min(1, RECORDS).max(1_000, RECORDS).optional(),
        for: text(`a duration like '7d'`, (value) => Boolean(durationMs(value))).optional(),
        text: z.enum(['shape', 'keep'], `'shape' or 'keep'`).optional(),
      },
      'an object such as { keep: 50 }',
    ).optional(),
    ...platform(),
    targets: z
      .record(
        z.string(),
        settingsObject(platform(), 'an object with baseUrl, gatewayUrl or profile'),
        `an object such as { staging: { baseUrl: 'https://…' } }`,
      )
      .optional(),
    build: settingsObject(
      { external: z.array(z.string(PACKAGES).min(1, PACKAGES), PACKAGES).optional() },
      `an object such as { external: ['sharp'] }`,
    ).optional(),
  },
  'an object made by defineConfig',
);

/** Returns the schemas of the settings of a platform, which a target replaces. */
function platform() {
  return {
    baseUrl: address('http:', 'https:').optional(),
    gatewayUrl: address('ws:', 'wss:').optional(),
    profile: like({ ...DEFAULT_PROFILE, measured: undefined }, 2, PROFILE_CHOICES).optional(),
  };
}

function text(want: string, isValid: (value: string) => boolean) {
  return z.string(want).refine(isValid, want);
}

/** Returns the schema of an object with a method `open`. */
function withOpen<Setting>() {
  const hasOpen = (value: unknown): boolean =>
    isObject(value) && 'open' in value && typeof value.open === 'function';
  return z.custom<Setting>(hasOpen, 'an object with open()').optional();
}

/** Returns the schema of an object with the keys of the default texts, each a string or a function that returns one. */
function texts() {
  const want = `a string of 1 to ${CONTENT_MAX_LENGTH} characters, or a function that returns one`;
  const value = z.custom<Text<never>>(
    (given) =>
      typeof given === 'function' ||
      (typeof given === 'string' && given.trim() !== '' && given.length <= CONTENT_MAX_LENGTH),
    want,
  );
  const members = Object.keys(DEFAULT_TEXTS).map((key) => [key, value]);
  const shape = Object.fromEntries(members) as Record<keyof Texts, z.ZodType>;
  return settingsObject(shape, `an object such as { silent: 'Done.' }`);
}

/** Returns the schema of a host in the form of URLs, without patterns. */
function host() {
  const want = `a host in lower case, such as 'cdn.example.com' or 'cdn.example.com:8443'`;
  return text(want, (value) => {
    // One of the two URLs omits a default port.
    const urls = [`http://${value}`, `https://${value}`];
    return (
      /^[^*/]+$/.test(value) && urls.some((url) => URL.canParse(url) && new URL(url).host === value)
    );
  });
}

function address(...protocols: string[]) {
  const starts = protocols.map((name) => `${name}//`);
  const want = `an address that starts with ${listOf(starts, 'or')}`;
  return text(want, (value) => URL.canParse(value) && protocols.includes(new URL(value).protocol));
}

type Choices = Readonly<Record<string, readonly string[]>>;

/**
 * Returns a schema for values of the same type as an example, or of any type; for an object, with the same keys. `choices`: the
 * values of its members that are one of several words.
 */
function like(example: unknown, optionalLevels = 0, choices: Choices = {}): z.ZodType {
  if (typeof example === 'number')
    return z.number('a number, 0 or more').min(0, 'a number, 0 or more');
  if (typeof example === 'boolean') return z.boolean('true or false');
  // A platform may refuse a call without a code.
  if (typeof example === 'string') return z.string(`a string, such as '${example}'`);
  if (!isObject(example)) return z.unknown();
  const members = Object.entries(example).map(([key, value]) => {
    const words = choices[key];
    const member = words && z.enum(words, `one of ${words.join(', ')}`);
    return [key, member ?? like(value, optionalLevels - 1)];
  });
  const shape = Object.fromEntries(members) as Record<string, z.ZodType>;
  const want = `an object with ${Object.keys(example).slice(0, 3).join(', ')}`;
  const schema = settingsObject(shape, want);
  return optionalLevels > 0 ? schema.partial() : schema;
}
