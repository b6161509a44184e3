// Source: Bot Interface, "Command", "Request bodies" and endpoints 25 and 26.
import * as z from 'zod';
import { DESCRIPTION_MAX_LENGTH, NAME_PATTERN } from './limits.js';
import { dateTimeSchema, idSchema, type FieldsOf } from './values.js';

/** The types that an option can have on the wire. */
export const OPTION_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'user',
  'channel',
  'role',
  'mentionable',
  'attachment',
] as const;
/** The type of an option of a command, as it is registered. */
export type OptionType = (typeof OPTION_TYPES)[number];

/** Reads a field that is missing or null as `substitute`. */
const absent = <Schema extends z.ZodType>(schema: Schema, substitute: z.output<Schema>) =>
  schema.nullish().transform((value) => value ?? substitute);

/** One option of a command, as it is sent and read. */
export interface CommandOption extends FieldsOf<typeof commandOptionSchema> {}
export const commandOptionSchema = z.looseObject({
  name: z.string(),
  description: z.string(),
  /** One of `OPTION_TYPES`; when read, unknown types pass through. */
  type: z.string(),
  required: z.boolean(),
});

/** A registered command (BotCommandDto). */
export interface Command extends FieldsOf<typeof commandSchema> {}
export const commandSchema = z.looseObject({
  id: idSchema,
  name: z.string(),
  description: z.string(),
  options: z.array(commandOptionSchema),
  createdAt: dateTimeSchema,
});

/**
 * Reads a registered command leniently, for a comparison or a rollback. A missing description is empty, a missing
 * `required` is `false`, missing options are none, the id and the date have any form; names and types are needed.
 */
export const readCommandSchema = commandSchema.extend({
  id: z.string().catch(''),
  description: absent(z.string(), ''),
  options: absent(
    z.array(
      commandOptionSchema.extend({
        description: absent(z.string(), ''),
        required: absent(z.boolean(), false),
      }),
    ),
    [],
  ),
  createdAt: z.string().catch(''),
}) satisfies z.ZodType<Command>;

/** One command of a sync (SyncBotCommandItemDto). */
export type SyncCommandItem = Pick<Command, 'name' | 'description' | 'options'>;

/** Returns only the fields of a sync, in a fixed order of keys. */
export const syncItemOf = ({ name, description, options }: SyncCommandItem): SyncCommandItem => ({
  name,
  description,
  options: options.map((option) => ({
    name: option.name,
    description: option.description,
    type: option.type,
    required: option.required,
  })),
});

const nameSchema = z.string().regex(NAME_PATTERN);
const descriptionSchema = z.string().min(1).max(DESCRIPTION_MAX_LENGTH);

export const syncCommandItemSchema = z.looseObject({
  name: nameSchema,
  description: descriptionSchema,
  options: z.array(
    commandOptionSchema.extend({
      name: nameSchema,
      description: descriptionSchema,
      type: z.enum(OPTION_TYPES),
    }),
  ),
}) satisfies z.ZodType<SyncCommandItem>;

/** Body of endpoint 26: all commands. Registered commands that are missing in the body are deleted. */
export const syncCommandsRequestSchema = z.looseObject({
  commands: z.array(syncCommandItemSchema),
});
