import * as z from 'zod';
import { parseDurationText } from './duration-text.js';
import {
  createMentionable,
  createReference,
  readReference,
  type ChannelRef,
  type MentionableRef,
  type ReferenceReading,
  type ReferenceType,
  type RoleRef,
  type UserRef,
} from './references.js';

/** A schema that takes the text a user typed and yields something else. */
export type FromText<Value> = z.ZodPipe<z.ZodString, z.ZodTransform<Value, string>>;

/**
 * Schemas for the options that zod has no word for. They take the usual `.optional()`,
 * `.describe()` and `.refine()`.
 *
 * How a mention is written is assumed: `<@id>`, `<#id>`, `<@&id>`, or the bare id.
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
  /** A user, as `{ id }` whose text is the mention. */
  user: (): FromText<UserRef> => reference('user', createReference),
  /**
   * A channel, as `{ id }` whose text is the mention. `#name` is looked up among the channels of the
   * server that the bot can see; users and roles cannot be looked up.
   */
  channel: (): FromText<ChannelRef> => reference('channel', createReference),
  /** A role, as `{ id }` whose text is the mention. */
  role: (): FromText<RoleRef> => reference('role', createReference),
  /** A user or a role, as `{ id, kind }` whose text is the mention. */
  mentionable: (): FromText<MentionableRef> => reference('mentionable', createMentionable),
  /** An attachment, as the text that came for it: an id or an address (assumed). */
  attachment: (): z.ZodString => z.string().meta({ optionType: 'attachment' }),
  /** The rest of the line exactly as typed, quotes included. Only as the last option. */
  rest: (): z.ZodString => z.string().meta({ optionType: 'string', optionTake: 'raw' }),
  /** A length of time such as `30s`, `5m` or `1h30m`, in milliseconds. */
  duration: (): FromText<number> =>
    z
      .string()
      .meta({ optionType: 'string', optionFormat: 'duration' })
      .transform((text, context) => parseDurationText(text) ?? refuse(context)),
} as const;

function reference<Reference>(
  type: ReferenceType,
  create: (kind: Extract<ReferenceReading, { ok: true }>['kind'], id: string) => Reference,
): FromText<Reference> {
  return z
    .string()
    .meta({ optionType: type })
    .transform((text, context) => {
      const reading = readReference(text, type);
      return reading.ok ? create(reading.kind, reading.id) : refuse(context, reading.reason);
    });
}

/** Without a reason the reply says what the option expects. */
function refuse(context: z.core.$RefinementCtx<unknown>, reason = 'Invalid input'): never {
  context.addIssue({ code: 'custom', message: reason });
  return z.NEVER;
}
