import { isObject } from '@virgule/core/objects';
import { OPTION_TYPES, type OptionType } from '@virgule/core/protocol';
import * as z from 'zod';
// As in option.ts: unused members of `z.core` would stay in a build.
import { $ZodObject } from 'zod/v4/core';
import type { ExpectedValue } from '../errors/error-guards.js';
import { boundsOf } from './bounds.js';
import { definitionOf, unsupported, type Unsupported } from './unsupported-schema.js';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Schema of the facts that do not depend on the type of an option's schema. Facts in another form are ignored. */
const ownFacts = z.object({
  description: z.string().optional(),
  /** Type on the platform, set through `.meta()` by the schemas of `option` or by hand. */
  optionType: z.enum(OPTION_TYPES).optional().catch(undefined),
  optionTake: z.enum(['word', 'rest', 'raw']).optional().catch(undefined),
  /** Format of a string that zod does not have. */
  optionFormat: z.enum(['duration', 'message']).optional().catch(undefined),
  /** `true` if the option takes only a value after its name. */
  named: z.literal(true).optional().catch(undefined),
});

export interface FieldShape extends Readonly<z.output<typeof ownFacts>> {
  readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'mixed' | 'list';
  readonly item?: FieldShape | undefined;
  /** `true` if the schema refuses an object without this key. */
  readonly required: boolean;
  readonly nullable: boolean;
  /** `true` if the schema accepts `undefined`, although it refuses an object without this key. */
  readonly undefinable: boolean;
  readonly bounds: ExpectedValue['bounds'];
  /** The only accepted values. */
  readonly choices?: readonly unknown[] | undefined;
  /** Named form of a string: `url`, `email`, `uuid`, … */
  readonly format?: string | undefined;
  /** Default value. Present if every read returns the same value. */
  readonly default?: unknown;
  /** `true` if the schema accepts a string and returns a boolean, as `z.stringbool()` does. */
  readonly textToBoolean: boolean;
}

/**
 * Reads the schema of an option through zod's public JSON-schema output. Returns the reason if the schema is
 * unsupported because it accepts values that a line of text cannot contain.
 */
export function readFieldShape(field: z.ZodType): FieldShape | Unsupported {
  if (!definitionOf(field)) return unsupported('zod 3');
  const { shape, required, defaults } = readJson(field, 'input');
  if ('saw' in shape) return shape;
  const { default: value, ...facts } = shape;
  const hasDefault = 'default' in shape;
  const output = shape.kind === 'string' ? readJson(field, 'output').shape : undefined;
  if (output === unsupported('coerced')) return output;
  const isText = !shape.choices && shape.optionType === undefined;
  return {
    ...facts,
    ...(hasDefault && isConstant(defaults, shape) ? { default: value } : {}),
    // A schema that catches its errors has a default too, although its key counts as required.
    required: required && !hasDefault,
    textToBoolean: isText && output !== undefined && 'kind' in output && output.kind === 'boolean',
  };
}

/** Reads the JSON schema of a field, with functions that read its defaults. */
function readJson(
  field: z.ZodType,
  io: 'input' | 'output',
): {
  readonly shape: FieldShape | Unsupported;
  readonly required: boolean;
  readonly defaults: readonly (() => unknown)[];
} {
  const defaults: (() => unknown)[] = [];
  // Without the methods of `z.object`, whose creation takes longer than the rest.
  const wrapped = new $ZodObject({ type: 'object', shape: { field } });
  const { properties, required, $defs } = z.toJSONSchema(wrapped, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod;
      const isCoerced = def.type === 'boolean' && 'coerce' in def && def.coerce === true;
      // The innermost schema sets the type of wrapping schemas.
      jsonSchema[ZOD_TYPE] ??= isCoerced ? 'coerced' : def.type;
      if (def.type === 'undefined') jsonSchema.not = {};
      // zod outputs one of several checks as the format, and no format for a time.
      if (def.type === 'string') jsonSchema.format = formatOf(def);
      if ('defaultValue' in def) defaults.push(() => def.defaultValue);
      if (def.type === 'catch') defaults.push(() => def.catchValue(undefined as never));
    },
  });
  const schema = properties?.['field'];
  return {
    shape: isObject(schema) ? read(schema, $defs ?? {}, 0) : unsupported('unknown'),
    required: required?.includes('field') ?? false,
    defaults,
  };
}

/** Key for the type of a zod schema in its JSON form. */
const ZOD_TYPE = 'zodType';

/** Checks of a string that zod treats as formats. */
const CHECKS: ReadonlySet<string> = new Set([
  'regex',
  'starts_with',
  'ends_with',
  'includes',
  'lowercase',
  'uppercase',
]);

/** Returns the format of a string schema, such as `url`, from the schema or one of its checks. */
function formatOf({ checks = [], ...own }: z.core.$ZodStringDef): string | undefined {
  const formats = [own, ...checks.map(({ _zod }) => _zod.def)].map((definition) =>
    'format' in definition ? definition.format : undefined,
  );
  return formats.filter((name) => typeof name === 'string').find((name) => !CHECKS.has(name));
}

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Maximum depth of references. A deeper schema refers to itself. */
const MAX_DEPTH = 20;

function read(
  schema: JsonSchema,
  definitions: Definitions,
  depth: number,
): FieldShape | Unsupported {
  const inner = (part: JsonSchema) => read(part, definitions, depth + 1);
  const { $ref, allOf, anyOf, oneOf, ...own } = schema;
  const type = String(own[ZOD_TYPE]);
  if (depth > MAX_DEPTH) return unsupported(type);
  if ($ref !== undefined) {
    const target = definitions[$ref.replace('#/$defs/', '')];
    return target ? inner({ ...target, ...own }) : unsupported(type);
  }
  if (allOf) return inner(Object.assign({}, ...allOf.filter(isObject), own) as JsonSchema);
  const members = (anyOf ?? oneOf)?.filter(isObject);
  if (!members) return readOne(own, inner);

  const shapes: FieldShape[] = [];
  for (const member of members.filter((one) => one.type !== 'null' && !one.not)) {
    const shape = inner(member);
    if ('saw' in shape) return type === 'union' ? around(type, shape) : shape;
    shapes.push(shape);
  }
  const union = unite(shapes);
  return union
    ? {
        ...union,
        ...readOwn(own),
        nullable: union.nullable || members.some((one) => one.type === 'null'),
        undefinable: union.undefinable || members.some(({ not }) => not),
      }
    : unsupported(type);
}

/** Types that are refused regardless of their JSON form: in JSON form, a file is a string, and a date has no type. */
const REFUSED: ReadonlySet<Unsupported> = new Set(['file', 'date', 'coerced'].map(unsupported));

/** Returns the reason why a list or a union is unsupported, from the unsupported part. */
const around = (type: string, inner: Unsupported): Unsupported =>
  REFUSED.has(inner) ? inner : unsupported(type);

const PLAIN = {
  required: true,
  nullable: false,
  undefinable: false,
  bounds: {},
  textToBoolean: false,
} as const;

/** Reads a schema without references and unions. */
function readOne(
  schema: JsonSchema,
  inner: (schema: JsonSchema) => FieldShape | Unsupported,
): FieldShape | Unsupported {
  const own = readOwn(schema);
  const zodType = String(schema[ZOD_TYPE]);
  if (REFUSED.has(unsupported(zodType))) return unsupported(zodType);
  const types: readonly (string | undefined)[] = [schema.type].flat();
  const nullable = types.includes('null');
  const [type, ...otherTypes] = types.filter((name) => name !== undefined && name !== 'null');
  if (otherTypes.length > 0) return unsupported(zodType);
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (choices) return { ...PLAIN, kind: kindOfValues(choices), nullable, choices, ...own };
  const bounds = boundsOf(schema);
  switch (type) {
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean':
      return { ...PLAIN, kind: type, nullable, bounds, format: schema.format, ...own };
    case 'array': {
      const { items } = schema;
      const item = isObject(items) && !Array.isArray(items) ? inner(items) : unsupported(zodType);
      if ('saw' in item) return around(zodType, item);
      if (item.kind === 'list') return unsupported(zodType);
      return { ...PLAIN, kind: 'list', item, nullable, bounds, ...own };
    }
    default: {
      // A schema without a type accepts anything: only its author can state the type with `optionType`.
      const { optionType } = own;
      if (type !== undefined || optionType === undefined) return unsupported(zodType);
      return { ...PLAIN, kind: kindOfOptionType(optionType), nullable, ...own };
    }
  }
}

function readOwn(schema: JsonSchema): Partial<FieldShape> {
  const { optionDefault = schema.default } = schema;
  const facts = Object.entries({ ...ownFacts.parse(schema), default: optionDefault });
  return Object.fromEntries(facts.filter(([, fact]) => fact !== undefined));
}

/** Returns one shape for the members of a union; `null` if typed text cannot distinguish the members. */
function unite(shapes: readonly FieldShape[]): FieldShape | null {
  const [first, ...others] = shapes;
  if (!first || others.length === 0) return first ?? null;
  const common = {
    ...PLAIN,
    nullable: shapes.some(({ nullable }) => nullable),
    undefinable: shapes.some(({ undefinable }) => undefinable),
  };
  if (shapes.every((shape) => shape.choices)) {
    const choices = [...new Set(shapes.flatMap((shape) => shape.choices ?? []))];
    return { ...common, kind: kindOfValues(choices), choices };
  }
  const kinds = new Set(shapes.map(({ kind }) => kind));
  if (kinds.has('list')) return null;
  if (kinds.size === 1) return { ...common, kind: first.kind };
  const isNumeric = [...kinds].every((kind) => kind === 'integer' || kind === 'number');
  return isNumeric ? { ...common, kind: 'number' } : null;
}

function kindOfValues(values: readonly unknown[]): FieldShape['kind'] {
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  return values.every((value) => typeof value === 'boolean') ? 'boolean' : 'mixed';
}

function kindOfOptionType(type: OptionType): FieldShape['kind'] {
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';
}

const MOMENT_FORMATS: ReadonlySet<string> = new Set(['date', 'time', 'datetime']);
const DATE = /^\d{4}-\d\d-\d\d|\d[./]\d{1,2}[./]\d{4}|[A-Z][a-z]{2} (?:\d\d )?\d{4}/;
/** Minimum number that may be a time, in seconds or milliseconds. */
const MOMENT_MIN = 1e9;

/** Number of reads in which a default that is chosen at random from a few values differs. */
const READS = 32;

/**
 * Returns whether every read of a default returns the same value, so that the value can be part of a description.
 * Dates and times are never constant: a computed time is equal only for a while.
 */
function isConstant(
  defaults: readonly (() => unknown)[],
  { default: value, format = '' }: { readonly default?: unknown; readonly format?: string },
): boolean {
  if (MOMENT_FORMATS.has(format)) return false;
  if (typeof value === 'string' ? DATE.test(value) : Number(value) >= MOMENT_MIN) return false;
  return defaults.every((read) => {
    const first = JSON.stringify(read());
    return Array.from({ length: READS }, read).every((next) => JSON.stringify(next) === first);
  });
}
