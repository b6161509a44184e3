import { definedIn } from '@virgule/core/objects';
import { OPTION_TYPES, type OptionType } from '@virgule/core/protocol';
import * as z from 'zod';
import type { $ZodNumberDef, $ZodStringDef, $ZodType, $ZodTypes } from 'zod/v4/core';
import type { ExpectedValue } from '../errors/error-guards.js';
import { definitionOf, unsupported, type Unsupported } from './unsupported-schema.js';
import { choicesOf, unwrap, type Unwrapped } from './unwrap.js';

/** Schema of the facts that do not depend on the type of an option's schema. Facts in another form are ignored. */
const ownFacts = z.object({
  description: z.string().optional(),
  /** Type on the platform, set through `.meta()` by the schemas of `option` or by hand. */
  optionType: z.enum(OPTION_TYPES).optional().catch(undefined),
  optionTake: z.enum(['word', 'rest', 'raw']).optional().catch(undefined),
  /** Format of a string that zod does not have. */
  optionFormat: z.enum(['duration', 'message', 'timeZone']).optional().catch(undefined),
  optionBounds: z
    .object({ minimum: z.number(), maximum: z.number() })
    .partial()
    .optional()
    .catch(undefined),
  /** Value when the option is omitted: the author of the command. */
  optionAbsent: z.literal('author').optional().catch(undefined),
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
  readonly bounds: Bounds;
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
 * Reads the schema of an option. Returns the reason if the schema is unsupported because it accepts values that a line of
 * text cannot contain.
 */
export function readFieldShape(field: z.ZodType): FieldShape | Unsupported {
  if (!definitionOf(field)) return unsupported('zod 3');
  const found = unwrap(field);
  const shape = read(found, 0);
  if ('saw' in shape) return shape;
  const output = unwrap(field, 'output').inner._zod.def;
  const isText = shape.kind === 'string' && !shape.choices && shape.optionType === undefined;
  const textToBoolean = isText && output.type === 'boolean';
  if (textToBoolean && output.coerce) return unsupported('coerced');
  const { defaults, meta } = found;
  const { optionDefault: value = toJson(defaults[0]?.()) } = meta;
  return {
    ...shape,
    ...(value !== undefined && isConstant(defaults, value, shape.format) && { default: value }),
    required: !isOptional(field),
    textToBoolean,
  };
}

/** Returns a value in the form that JSON has. */
const toJson = (value: unknown): unknown =>
  value === undefined ? value : JSON.parse(JSON.stringify(value));

/** Returns whether an object may lack the key of a field. A function that prepares the value does not decide this. */
function isOptional(field: $ZodType): boolean {
  const { def, optin } = (field as $ZodTypes)._zod;
  if (def.type === 'pipe' && def.in._zod.def.type === 'transform') return isOptional(def.out);
  return def.type === 'catch' || optin !== undefined;
}

/** Reasons that a list or a union of such schemas has as well. */
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

/** Maximum depth of lists, unions and intersections. A deeper schema refers to itself. */
const MAX_DEPTH = 20;

function read({ inner, meta, nullable }: Unwrapped, depth: number): FieldShape | Unsupported {
  const { def } = inner._zod;
  const { type } = def;
  if (depth > MAX_DEPTH) return unsupported(type);
  const facts: Partial<FieldShape> = definedIn(ownFacts.parse(meta));
  const plain = { ...PLAIN, nullable, ...facts };
  const part = (schema: $ZodType) => read(unwrap(schema), depth + 1);
  switch (type) {
    case 'string':
      return {
        ...plain,
        kind: type,
        bounds: facts.optionBounds ?? boundsOf(def.checks, 'Length'),
        format: formatOf(def),
      };
    case 'template_literal':
      return { ...plain, kind: 'string' };
    case 'number': {
      const kind = formatsOf(def).some((format) => format.includes('int')) ? 'integer' : type;
      return { ...plain, kind, bounds: boundsOf(def.checks, 'Length') };
    }
    case 'boolean':
      return def.coerce ? unsupported('coerced') : { ...plain, kind: type };
    case 'enum':
    case 'literal': {
      const choices = choicesOf(inner) ?? [];
      return choices.length === 0
        ? unsupported(type)
        : { ...plain, kind: kindOfValues(choices), choices };
    }
    case 'array': {
      const item = part(def.element);
      if ('saw' in item) return around(type, item);
      if (item.kind === 'list') return unsupported(type);
      return { ...plain, kind: 'list', item, bounds: boundsOf(def.checks, 'Items') };
    }
    case 'union': {
      const members = def.options.map((option) => (option as $ZodTypes)._zod.def.type);
      const shapes: FieldShape[] = [];
      for (const [index, option] of def.options.entries()) {
        if (NOTHING.has(members[index])) continue;
        const shape = part(option);
        if ('saw' in shape) return around(type, shape);
        shapes.push(shape);
      }
      const union = unite(shapes);
      return union
        ? {
            ...union,
            ...facts,
            nullable: nullable || union.nullable || members.includes('null'),
            undefinable: union.undefinable || members.includes('undefined'),
          }
        : unsupported(type);
    }
    case 'intersection': {
      const [left, right] = [part(def.left), part(def.right)];
      if ('saw' in left) return left;
      if ('saw' in right) return right;
      return { ...left, ...right, ...facts, nullable, bounds: { ...left.bounds, ...right.bounds } };
    }
    case 'date':
    case 'file':
    case 'object':
    case 'record':
    case 'tuple':
      return unsupported(type);
    default:
      // A schema of any type: only its author can state the type with `optionType`.
      return facts.optionType === undefined
        ? unsupported(type)
        : { ...plain, kind: kindOfOptionType(facts.optionType) };
  }
}

/** Members of a union that no typed word can match. */
const NOTHING: ReadonlySet<string | undefined> = new Set(['null', 'undefined', 'never']);

/** Checks of a string that zod treats as formats. */
const CHECKS = new Set(['regex', 'starts_with', 'ends_with', 'includes', 'lowercase', 'uppercase']);

/** Returns the format of a string schema, such as `url`, from the schema or one of its checks. */
const formatOf = (def: $ZodStringDef): string | undefined =>
  formatsOf(def).find((name) => !CHECKS.has(name));

/** Returns the formats of a schema and its checks, such as `url` and `safeint`. */
function formatsOf({ checks = [], ...own }: $ZodStringDef | $ZodNumberDef): string[] {
  const formats = [own, ...checks.map(({ _zod }) => _zod.def)].map((definition) =>
    'format' in definition ? definition.format : undefined,
  );
  return formats.filter((name) => typeof name === 'string');
}

/** Returns whether a value of a schema, or of any schema in it, can name a channel or a message of a channel. */
export function canNamePlace(schema: $ZodType, depth = 0): boolean {
  const { def } = (schema as $ZodTypes)._zod;
  const { optionType, optionFormat } = z.globalRegistry.get(schema) ?? {};
  if (optionType === 'channel' || optionFormat === 'message') return true;
  if (depth > MAX_DEPTH) return false;
  const parts = Object.entries(def).flatMap(([name, part]) => (PARTS.has(name) ? part : []));
  if (def.type === 'lazy') parts.push(def.getter());
  return parts.some((part) => canNamePlace(part, depth + 1));
}

/** Members of a definition that are schemas, or lists of schemas. */
const PARTS = new Set(['in', 'out', 'innerType', 'element', 'options', 'left', 'right']);

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

const kindOfOptionType = (type: OptionType): FieldShape['kind'] =>
  type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string';

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
function isConstant(defaults: readonly (() => unknown)[], value: unknown, format = ''): boolean {
  if (MOMENT_FORMATS.has(format)) return false;
  if (typeof value === 'string' ? DATE.test(value) : Number(value) >= MOMENT_MIN) return false;
  return defaults.every((read) => {
    const first = JSON.stringify(read());
    return Array.from({ length: READS }, read).every((next) => JSON.stringify(next) === first);
  });
}

type Bounds = ExpectedValue['bounds'];

/** Bounds of a schema while its checks are read. Adding checks in zod narrows a range. */
type Narrowing = { -readonly [Bound in keyof Bounds]: Bounds[Bound] };

/** Returns the bounds that checks set, without the bounds that a type implies. @param of - What a length counts. */
function boundsOf(checks: readonly z.core.$ZodCheck[] = [], of: 'Length' | 'Items'): Bounds {
  const bounds: Narrowing = {};
  const least = (name: keyof Bounds, value: number): void =>
    void (bounds[name] = Math.max(bounds[name] ?? -Infinity, value));
  const most = (name: keyof Bounds, value: number): void =>
    void (bounds[name] = Math.min(bounds[name] ?? Infinity, value));
  for (const check of checks) {
    const { def } = (check as z.core.$ZodChecks)._zod;
    // Other checks set no bound.
    if (def.check === 'greater_than')
      least(def.inclusive ? 'minimum' : 'exclusiveMinimum', Number(def.value));
    else if (def.check === 'less_than')
      most(def.inclusive ? 'maximum' : 'exclusiveMaximum', Number(def.value));
    else if (def.check === 'multiple_of') bounds.multipleOf ??= Math.abs(Number(def.value));
    else if (def.check === 'min_length') least(`min${of}`, def.minimum);
    else if (def.check === 'max_length') most(`max${of}`, def.maximum);
    else if (def.check === 'length_equals') {
      least(`min${of}`, def.length);
      most(`max${of}`, def.length);
    }
  }
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = bounds;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = bounds;
  delete bounds[exclusiveMinimum >= minimum ? 'minimum' : 'exclusiveMinimum'];
  delete bounds[exclusiveMaximum <= maximum ? 'maximum' : 'exclusiveMaximum'];
  return bounds;
}
