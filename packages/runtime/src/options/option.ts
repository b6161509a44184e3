import * as z from 'zod';
// Imported directly instead of through `z.core`: esbuild cannot remove unused members of a nested namespace, such as locales.
import { $constructor } from 'zod/v4/core';
import { durationMs, formatDuration, type Duration, type Milliseconds } from '../text/duration.js';
import { readDuration } from '../errors/read-duration.js';
import { isTimeZone } from '../text/time-zone.js';
import {
  readMessage,
  readReference,
  type ChannelRef,
  type MentionableRef,
  type MessageRef,
  type ReferenceType,
  type RoleRef,
  type UserRef,
} from './references.js';

/** A schema that converts a typed string. */
export type FromText<Value> = z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>;

/** The schema of a user whose default is the author: its option can be omitted. */
export interface UserOrAuthorSchema extends FromText<UserRef> {
  readonly _zod: FromText<UserRef>['_zod'] & { readonly optin: 'optional' };
}

/** The schema of a duration. Its default is a written duration, such as `'1h'`. */
export interface DurationSchema extends FromText<Milliseconds> {
  /** Makes the option optional: `.default('1h')`. */
  // The order matters: TypeScript infers the type of a function's result from the first overload.
  default(value: () => Duration): z.ZodDefault<this>;
  default(value: Duration): z.ZodDefault<this>;
}

/** The bounds of `option.duration`. */
export interface DurationLimits {
  /** Minimum duration. @defaultValue `'0s'` */
  readonly min?: Duration | undefined;
  /** Maximum duration. @defaultValue none */
  readonly max?: Duration | undefined;
}

/**
 * Schemas for options that zod has no schema for. They support the usual `.optional()`, `.describe()`
 * and `.refine()`.
 *
 * The form of a mention is assumed: `<@id>`, `<#id>`, `<@&id>`, or the bare id.
 *
 * @example
 * ```ts
 * options: z.object({
 *   who: option.user().describe('Whom to greet'),
 *   after: option.duration().optional().describe('How long to wait'),
 * })
 * ```
 */
export const option = {
  user,
  /**
   * Returns the schema of a channel, as `{ id }`. `String(channel)` is the mention. `#name` is resolved to a
   * channel of the server that the bot can see; users and roles cannot be looked up.
   */
  channel: (): FromText<ChannelRef> => reference('channel'),
  /** Returns the schema of a role, as `{ id }`. `String(role)` is the mention. */
  role: (): FromText<RoleRef> => reference('role'),
  /** Returns the schema of a user or a role, as `{ id, kind }`. `String(value)` is the mention. */
  mentionable: (): FromText<MentionableRef> => reference('mentionable'),
  /**
   * Returns the schema of an attachment, as its URL (assumed). Any other string is invalid, and so is a URL of an unknown
   * host. Known hosts are the platform, the hosts that the platform named for its files, and the hosts of the setting
   * `attachments.hosts`. Read the attachment with `fetchAttachment`.
   */
  attachment: (): z.ZodString => z.string().meta({ optionType: 'attachment' }),
  /**
   * Returns the schema of a message, as `{ id, channelId }`, from its id or a link to the message. The form of a link is
   * assumed: a URL whose last two ids are the channel id and the message id.
   */
  message: (): FromText<MessageRef> =>
    z
      .string()
      .meta({ optionType: 'string', optionFormat: 'message' })
      .transform((text, context) => readMessage(text) ?? refuse(context)),
  /** Returns the schema of an IANA time zone, such as `Europe/Berlin`, for `tasks.….cron`. */
  timeZone: (): z.ZodString =>
    z
      .string()
      .meta({ optionType: 'string', optionFormat: 'timeZone' })
      .refine(isTimeZone, { params: { isExpected: true } }),
  /** Returns the schema of the rest of the line exactly as typed, quotes included. Only for the last option. */
  rest: (): z.ZodString => z.string().meta({ optionType: 'string', optionTake: 'raw' }),
  /**
   * Returns the schema of a duration such as `30s`, `5m` or `1h30m`, as a number of milliseconds. `clock.sleep`,
   * `within` and all other parameters of type `Duration` accept the value.
   *
   * @throws VirguleError `E_DURATION` when a limit or a default is not a duration.
   */
  duration: (limits: DurationLimits = {}): DurationSchema => {
    const [min = 0, max = Infinity] = [limits.min, limits.max].map((limit) =>
      limit === undefined ? undefined : readDuration(limit),
    );
    const text = z.string().meta({
      optionType: 'string',
      optionFormat: 'duration',
      optionBounds: { ...(min > 0 && { minimum: min }), ...(max < Infinity && { maximum: max }) },
    });
    return new ZodDuration({
      type: 'pipe',
      in: text,
      out: z.transform<string, Milliseconds>((typed, context) => {
        const ms = durationMs(typed);
        return ms !== undefined && ms >= min && ms <= max ? ms : refuse(context);
      }),
    });
  },
} as const;

/** Schema class of durations. A separate class, so that the default of any copy of the schema is a duration. */
const ZodDuration = $constructor<DurationSchema>('ZodDuration', (schema, definition) => {
  // oxlint-disable-next-line typescript/unbound-method -- `init` does not use `this`.
  const initialize: typeof z.ZodPipe.init = z.ZodPipe.init;
  initialize(schema, definition);
  schema.default = (value: Duration | (() => Duration)) => {
    if (typeof value === 'function') return z._default(schema, () => readDuration(value()));
    const ms = readDuration(value);
    return z._default(schema, ms).meta({ optionDefault: formatDuration(ms) });
  };
});

/**
 * Returns the schema of a user, as `{ id }`. `String(user)` is the mention. With `{ default: 'author' }`, the option can be
 * omitted: the value is then the author of the command. It is required if the author is unknown.
 */
function user(settings?: { readonly default?: undefined }): FromText<UserRef>;
function user(settings: { readonly default: 'author' }): UserOrAuthorSchema;
function user(settings: { readonly default?: 'author' | undefined } = {}): FromText<UserRef> {
  return reference('user', settings.default);
}

function reference<Reference>(type: ReferenceType, absent?: 'author'): FromText<Reference> {
  return z
    .string()
    .meta(absent ? { optionType: type, optionAbsent: absent } : { optionType: type })
    .transform((text, context) => {
      const reading = readReference(text, type);
      // `readReference` returns a reference of this type, with a kind if it is a user or a role.
      return typeof reading === 'string'
        ? refuse(context, reading || undefined)
        : (reading as Reference);
    });
}

/** Refuses a value. Without a reason, the reply to the user describes the accepted values. */
function refuse(context: z.core.$RefinementCtx<unknown>, reason?: string): never {
  const params = { isExpected: reason === undefined };
  context.addIssue({ code: 'custom', message: reason ?? 'Invalid input', params });
  return z.NEVER;
}
