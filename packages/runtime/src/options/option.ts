import * as z from 'zod';
// Not `z.core`: esbuild cannot leave out what a namespace inside of another has, which are all locales.
import { $constructor } from 'zod/v4/core';
import { durationMs, formatDuration, type Duration, type Milliseconds } from '../text/duration.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
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

/** A schema that converts the string that a user typed. */
export type FromText<Value> = z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>;

/** The schema of a duration. Its default is a duration as people write it. */
export interface DurationSchema extends FromText<Milliseconds> {
  /** Makes the option optional: `.default('1h')`. */
  // In this order: TypeScript infers the type of a function's result from the first one.
  default(value: () => Duration): z.ZodDefault<this>;
  default(value: Duration): z.ZodDefault<this>;
}

/** The bounds of `option.duration`. */
export interface DurationLimits {
  /** Shortest duration. @defaultValue `'0s'` */
  readonly min?: Duration | undefined;
  /** Longest duration. @defaultValue none */
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
  /** A user, as `{ id }`. Its string is the mention. */
  user: (): FromText<UserRef> => reference('user'),
  /**
   * A channel, as `{ id }`. Its string is the mention. `#name` is resolved to a channel of the server
   * that the bot can see; users and roles cannot be looked up.
   */
  channel: (): FromText<ChannelRef> => reference('channel'),
  /** A role, as `{ id }`. Its string is the mention. */
  role: (): FromText<RoleRef> => reference('role'),
  /** A user or a role, as `{ id, kind }`. Its string is the mention. */
  mentionable: (): FromText<MentionableRef> => reference('mentionable'),
  /**
   * An attachment, as its URL (assumed). Any other string is invalid, and so is a URL of another host than the
   * platform's, those that it named for its files, and those of the setting `attachments.hosts`. Read it with
   * `fetchAttachment`.
   */
  attachment: (): z.ZodString => z.string().meta({ optionType: 'attachment' }),
  /**
   * A message, as `{ id, channelId }`, from its id or a link to it. The form of a link is assumed: a URL
   * whose last id is that of the message, after that of its channel.
   */
  message: (): FromText<MessageRef> =>
    z
      .string()
      .meta({ optionType: 'string', optionExpected: 'a message, as a link or an id' })
      .transform((text, context) => readMessage(text) ?? refuse(context)),
  /** The rest of the line exactly as typed, quotes included. Only as the last option. */
  rest: (): z.ZodString => z.string().meta({ optionType: 'string', optionTake: 'raw' }),
  /**
   * A duration such as `30s`, `5m` or `1h30m`, as a number of milliseconds. `clock.sleep`, `within` and
   * everything else that needs a duration accepts it.
   *
   * @throws VirguleError `E_DURATION` when a limit or a default is not a duration.
   */
  duration: (limits: DurationLimits = {}): DurationSchema => {
    const [min = 0, max = Infinity] = [limits.min, limits.max].map((limit) =>
      limit === undefined ? undefined : readDuration(limit),
    );
    const range = rangeText(min, max);
    const text = z.string().meta({
      optionType: 'string',
      optionFormat: 'duration',
      optionFacts: range,
      optionExpected: range === '' ? 'a duration like 30s, 5m or 1h30m' : `a duration, ${range}`,
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

/** A class of its own, so that the default of any copy of the schema is a duration. */
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

function readDuration(value: Duration): Milliseconds {
  const ms = durationMs(value);
  if (ms === undefined) throw runtimeErrors.E_DURATION({ saw: String(value) });
  return ms;
}

function rangeText(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '' : `at least ${formatDuration(min)}`;
  const most = formatDuration(max);
  return min === 0 ? `at most ${most}` : `${formatDuration(min)} to ${most}`;
}

function reference<Reference>(type: ReferenceType): FromText<Reference> {
  return z
    .string()
    .meta({ optionType: type })
    .transform((text, context) => {
      const reading = readReference(text, type);
      // One of this type, with its kind if it is a user or a role.
      return typeof reading === 'string'
        ? refuse(context, reading || undefined)
        : (reading as Reference);
    });
}

/** Refuses a value; without a reason, the reply contains what the option expects. */
function refuse(context: z.core.$RefinementCtx<unknown>, reason?: string): never {
  const params = { isExpected: reason === undefined };
  context.addIssue({ code: 'custom', message: reason ?? 'Invalid input', params });
  return z.NEVER;
}
