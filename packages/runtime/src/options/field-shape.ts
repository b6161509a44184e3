import { OPTION_TYPES, type OptionType } from '@virgule/core/protocol';
import * as z from 'zod';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The bounds of a value, as JSON Schema names them. */
export type Bounds = Pick<
  JsonSchema,
  | 'minimum'
  | 'maximum'
  | 'exclusiveMinimum'
  | 'exclusiveMaximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
>;

/** What the JSON schema of one option tells. */
export interface FieldShape {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'mixed';
  /** False when it can be left out. */
  readonly required: boolean;
  readonly nullable: boolean;
  readonly bounds: Bounds;
  /** The only values it takes. */
  readonly choices?: readonly unknown[] | undefined;
  /** Named form of a string: `url`, `email`, `uuid`, … */
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly default?: unknown;
  /** Set through `.meta()`, by the schemas of `option` or by hand. */
  readonly optionType?: OptionType | undefined;
  readonly optionTake?: 'word' | 'rest' | 'raw' | undefined;
  readonly optionFormat?: 'duration' | undefined;
  /** Whether the schema takes a text and yields a boolean, as `z.stringbool()` does. */
  readonly textToBoolean: boolean;
}

/** What is read of one JSON schema before requiredness and the output side are known. */
type Reading = Omit<FieldShape, 'required' | 'textToBoolean'>;

const TAKES = ['word', 'rest', 'raw'] as const;
const BOUNDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
] as const satisfies readonly (keyof Bounds)[];

/**
 * Reads an option's schema through zod's public JSON-schema output. `null` when it takes something
 * that no line of text can hold.
 */
export function readFieldShape(field: z.ZodType): FieldShape | null {
  const input = toJson(field, 'input');
  const reading = read(input.schema, input.definitions, 0);
  if (reading === null) return null;
  const isText = reading.kind === 'string' && !reading.choices && reading.optionType === undefined;
  const { default: value, ...shape } = reading;
  const hasDefault = 'default' in reading;
  return {
    ...shape,
    ...(hasDefault && isConstant(field, reading) ? { default: value } : {}),
    // A schema that catches its errors has a default too, although its key counts as required.
    required: input.required && !hasDefault,
    textToBoolean: isText && yieldsBoolean(field),
  };
}

/** Strings and numbers that may be a moment in time: a computed one is the same only for a while. */
const MOMENT_FORMATS: ReadonlySet<string> = new Set(['date', 'time', 'datetime']);
const DATE = /^\d{4}-\d\d-\d\d/;
const MOMENT_MIN_SECONDS = 1e9;

/** Returns whether a default is the same whenever it is read, so that it can be part of a description. */
function isConstant(field: z.ZodType, { default: value, format }: Reading): boolean {
  if (format !== undefined && MOMENT_FORMATS.has(format)) return false;
  if (typeof value === 'string' ? DATE.test(value) : Number(value) >= MOMENT_MIN_SECONDS)
    return false;
  const again = toJson(field, 'input');
  const reading = read(again.schema, again.definitions, 0);
  return JSON.stringify(reading?.default) === JSON.stringify(value);
}

function yieldsBoolean(field: z.ZodType): boolean {
  const output = toJson(field, 'output');
  return read(output.schema, output.definitions, 0)?.kind === 'boolean';
}

interface FieldJson {
  readonly schema: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  readonly required: boolean;
}

function toJson(field: z.ZodType, io: 'input' | 'output'): FieldJson {
  const { properties, required, $defs } = z.toJSONSchema(z.object({ field }), {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      if (def.type === 'undefined') jsonSchema.not = {};
      // zod names one of several checks as the format, and no format for a time.
      if (def.type === 'string') jsonSchema.format = formatOf(def);
    },
  });
  const schema = properties?.['field'];
  return {
    schema: typeof schema === 'object' ? schema : {},
    definitions: $defs ?? {},
    required: required?.includes('field') ?? false,
  };
}

/** Checks of a string that zod treats as formats. */
const CHECKS: ReadonlySet<string | undefined> = new Set([
  'regex',
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
]);

interface StringDefinition {
  readonly format?: string | undefined;
  readonly checks?: readonly { readonly _zod: { readonly def: StringDefinition } }[] | undefined;
}

/** Returns the named form of a string schema, such as `url`. */
function formatOf({ format, checks = [] }: StringDefinition): string | undefined {
  const formats = [format, ...checks.map(({ _zod }) => _zod.def.format)];
  return formats.find((name) => name !== undefined && !CHECKS.has(name));
}

/** Schemas refer to each other; past this depth they refer to themselves. */
const MAX_DEPTH = 20;

function read(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  depth: number,
): Reading | null {
  if (depth > MAX_DEPTH) return null;
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  if ($ref !== undefined) {
    const target = definitions[$ref.replace('#/$defs/', '')];
    return target ? read({ ...target, ...own }, definitions, depth + 1) : null;
  }
  if (allOf) {
    const merged = Object.assign({}, ...allOf.filter(isObject), own) as JsonSchema;
    return read(merged, definitions, depth + 1);
  }
  const members = anyOf ?? oneOf;
  if (!members) return readOne(own);

  const outer = readOwn(own);
  const nullable = members.some((member) => isObject(member) && member.type === 'null');
  const readings: Reading[] = [];
  for (const member of members) {
    if (isObject(member) && member.type === 'null') continue;
    const reading = isObject(member) ? read(member, definitions, depth + 1) : null;
    if (reading === null) return null;
    readings.push(reading);
  }
  const union = unite(readings);
  return union && { ...union, ...outer, nullable: nullable || union.nullable };
}

/** Reads a schema without references and unions. */
function readOne(schema: JsonSchema): Reading | null {
  const own = readOwn(schema);
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter(
    (type) => type !== undefined,
  ) as string[];
  const nullable = types.includes('null');
  const named = types.filter((type) => type !== 'null');
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  const [type] = named;

  // A schema without a type takes anything: only its author can say what a user types.
  if (type === undefined && !choices) {
    if (own.optionType === undefined) return null;
    return { kind: kindOfOptionType(own.optionType), nullable, bounds: {}, ...own };
  }
  if (named.length > 1) return null;
  const bounds: Record<string, unknown> = {};
  for (const bound of BOUNDS) if (schema[bound] !== undefined) bounds[bound] = schema[bound];
  const kind = choices ? kindOfValues(choices) : type;
  if (kind !== 'string' && kind !== 'integer' && kind !== 'number' && kind !== 'boolean') {
    return kind === 'mixed' ? { kind, nullable, bounds: {}, choices, ...own } : null;
  }
  return {
    kind,
    nullable,
    bounds,
    ...(choices && kind !== 'boolean' ? { choices } : {}),
    ...(schema.format === undefined ? {} : { format: schema.format }),
    ...own,
  };
}

/** What a schema says of itself, whatever its type. */
function readOwn(schema: JsonSchema): Partial<Reading> {
  const optionType = OPTION_TYPES.find((known) => known === schema['optionType']);
  const optionTake = TAKES.find((known) => known === schema['optionTake']);
  return {
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...('default' in schema ? { default: schema.default } : {}),
    ...(optionType === undefined ? {} : { optionType }),
    ...(optionTake === undefined ? {} : { optionTake }),
    ...(schema['optionFormat'] === 'duration' ? { optionFormat: 'duration' as const } : {}),
  };
}

/** One reading for several that stand side by side; `null` when no text tells them apart. */
function unite(readings: readonly Reading[]): Reading | null {
  const [first, ...others] = readings;
  if (!first || others.length === 0) return first ?? null;
  const nullable = readings.some((reading) => reading.nullable);
  if (readings.every((reading) => reading.choices)) {
    const choices = [...new Set(readings.flatMap((reading) => reading.choices ?? []))];
    return { kind: kindOfValues(choices), nullable, bounds: {}, choices };
  }
  const kinds = new Set(readings.map((reading) => reading.kind));
  const kind = kinds.size === 1 ? first.kind : isNumeric(kinds) ? 'number' : null;
  return kind && { kind, nullable, bounds: {} };
}

function kindOfValues(values: readonly unknown[]): FieldShape['kind'] {
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  return 'mixed';
}

function kindOfOptionType(type: OptionType): FieldShape['kind'] {
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

const isNumeric = (kinds: ReadonlySet<string>): boolean =>
  [...kinds].every((kind) => kind === 'integer' || kind === 'number');

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null;
