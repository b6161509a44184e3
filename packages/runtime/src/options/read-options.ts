import { errorText, type VirguleError } from '@virgule/core/errors';
import { isObject } from '@virgule/core/objects';
import { DESCRIPTION_MAX_LENGTH, NAME_PATTERN, type OptionType } from '@virgule/core/protocol';
import { oneLine } from '@virgule/core/text';
import * as z from 'zod';
import type { ExpectedValue } from '../errors/error-guards.js';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { kebabCase } from '../scan/command-name.js';
import { canNamePlace, readFieldShape, type FieldShape } from './field-shape.js';
import { locateKey, locatePath, type SourceFile } from './locate-key.js';
import type { OptionSpec, OptionsSpec, ValueSpec } from './option-spec.js';
import { readOptionsObject } from './options-object.js';
import { definitionOf, type Unsupported } from './unsupported-schema.js';
import { defaultTextOf, describeOption, expectedValue } from './value-texts.js';

interface Field {
  readonly key: string;
  readonly name: string;
  readonly schema: z.ZodType;
  readonly shape: FieldShape;
}

/**
 * Reads the options of a command from its zod object. The spec contains the options without a problem. A problem prevents
 * loading the command; a warning is about what is probably not intended.
 */
export function readOptions(schema: unknown, where: SourceFile) {
  const none: OptionsSpec = { options: [], schema: null };
  const problems: VirguleError[] = [];
  const warnings: VirguleError[] = [];
  if (schema === undefined) return { spec: none, problems, warnings };
  const { file } = where;
  /** Searches the source, so only for a problem. */
  const at = (key: string) => ({ location: locateKey(where, key) });
  const object = readOptionsObject(schema);
  if ('saw' in object) {
    const details = { kind: 'options', file, ...object } as const;
    const location = locatePath(where, ['options']);
    problems.push(runtimeErrors.E_OPTION_TYPE(details, { location }));
    return { spec: none, problems, warnings };
  }

  const fields: Field[] = [];
  const taken = new Map<string, string>();
  for (const [key, field] of object.fields) {
    const name = kebabCase(key);
    const why = whyInvalid(key, name, taken.get(name));
    if (why !== undefined)
      problems.push(runtimeErrors.E_OPTION_NAME({ file, option: key, why }, at(key)));
    taken.set(name, key);
    const reading = readField(field);
    if ('saw' in reading) {
      const details = { kind: 'option', file, option: key, ...reading } as const;
      problems.push(runtimeErrors.E_OPTION_TYPE(details, at(key)));
    } else if (why === undefined) {
      fields.push({ key, name, schema: field, shape: reading });
    }
  }

  const lastInOrder = fields.findLastIndex(({ shape }) => !isNamed(shape));
  const options = fields.map((field, index) => toSpec(field, index === lastInOrder));
  problems.push(...orderProblems(options, where));
  for (const [index, option] of options.entries()) {
    const { key, description: sent } = option;
    const own = oneLine(fields[index]?.shape.description ?? '');
    const next = options.slice(index + 1).find(({ named }) => !named);
    const cut = { file, option: key, sent, max: DESCRIPTION_MAX_LENGTH };
    if (!sent.startsWith(own)) warnings.push(runtimeErrors.E_DESCRIPTION_CUT(cut, at(key)));
    if (!next || !isFreeText(option)) continue;
    const advice = `Let users name it, with .meta({ named: true }), move "${key}" to the end, or make it required.`;
    const order = { file, option: key, after: next.key, rule: 'free-text', advice } as const;
    warnings.push(runtimeErrors.E_OPTION_ORDER(order, at(key)));
  }
  if (options.length === 0) return { spec: none, problems, warnings };
  const isAsync = isAsyncSchema(object.schema);
  return { spec: { options, schema: object.schema, isAsync }, problems, warnings };
}

function readField(field: z.ZodType): FieldShape | Unsupported {
  try {
    return readFieldShape(field);
  } catch (error) {
    return {
      saw: `of a type zod cannot describe (${errorText(error)})`,
      advice: 'Use a string, z.string(), and convert it with .transform().',
    };
  }
}

/** Returns the problem with the name of an option, as the end of a sentence; `undefined` for a valid name. */
function whyInvalid(key: string, name: string, sameName: string | undefined): string | undefined {
  if (/^\d+$/.test(key))
    return 'is a whole number: JavaScript moves such a key before all others, and options are typed in the order of their keys';
  // A plain object has this property even if it was never set.
  if (key !== '__proto__' && key in Object.prototype)
    return 'has the name of a property that every object has';
  if (!NAME_PATTERN.test(name)) return 'has a name the platform refuses';
  return sameName && `has the same name on the platform as "${sameName}"`;
}

/**
 * Returns whether an option takes only a value after its name. An optional boolean does, `--loud`: a word without a name
 * would take the place of other options.
 */
const isNamed = (shape: FieldShape): boolean =>
  shape.named ?? (wireTypeOf(shape) === 'boolean' && !isRequired(shape) && !shape.optionTake);

const isRequired = ({ required, nullable, undefinable, optionAbsent }: FieldShape): boolean =>
  required && !nullable && !undefinable && !optionAbsent;

function toSpec({ key, name, schema, shape }: Field, isLast: boolean): OptionSpec {
  const type = wireTypeOf(shape);
  const isAuthor = shape.required && shape.optionAbsent === 'author';
  const isAbsent = shape.required && !isRequired(shape) && !isAuthor;
  const spec = {
    key,
    name,
    type,
    required: isRequired(shape),
    take: takeOf(shape, isLast),
    named: isNamed(shape) || undefined,
    negatable: type === 'boolean' || undefined,
    isAuthor: isAuthor || undefined,
    absentAs: isAbsent ? (shape.nullable ? 'null' : 'undefined') : undefined,
    defaultText: shape.required ? undefined : defaultTextOf(shape.default),
    ...toValueSpec(schema, shape),
  } as const;
  return { description: describeOption(shape, spec, isLast), ...spec };
}

function toValueSpec(schema: z.ZodType, shape: FieldShape): ValueSpec {
  const { kind, item, textToBoolean } = shape;
  const choices = kind === 'boolean' ? undefined : shape.choices;
  const words = textToBoolean ? booleanWords(schema) : undefined;
  const isUsual = words?.[0] === 'true' && words[1] === 'false';
  return {
    input: choices ? 'choice' : inputOf(shape),
    expected: isUsual ? YES_OR_NO : expectedValue(shape, words),
    choiceValues: kind === 'string' ? undefined : choices,
    words,
    canNamePlace: canNamePlace(schema) || undefined,
    item: item && toValueSpec(schema, item),
  };
}

const YES_OR_NO: ExpectedValue = { kind: 'boolean', bounds: {}, text: 'yes or no' };

function takeOf(shape: FieldShape, isLast: boolean): OptionSpec['take'] {
  // After its name, an option takes one word or a value in quotes.
  if (isNamed(shape)) return 'word';
  if (shape.optionTake) return shape.optionTake;
  if (shape.kind === 'list') return 'raw';
  if (!isLast || wireTypeOf(shape) !== 'string') return 'word';
  // A choice without spaces, a URL and a duration end at the end of their word; other strings take the rest.
  const { choices, format, optionFormat } = shape;
  const isPlain = format === undefined && optionFormat === undefined;
  return (choices ? choices.some((choice) => /\s/.test(String(choice))) : isPlain)
    ? 'rest'
    : 'word';
}

function wireTypeOf({ kind, textToBoolean, optionType }: FieldShape): OptionType {
  if (optionType !== undefined) return optionType;
  if (textToBoolean) return 'boolean';
  return kind === 'mixed' || kind === 'list' ? 'string' : kind;
}

function inputOf({ kind }: FieldShape): ValueSpec['input'] {
  if (kind === 'integer' || kind === 'number') return 'number';
  return kind === 'boolean' || kind === 'list' ? kind : 'text';
}

/** Returns the words that a schema such as `z.stringbool()` accepts for true and for false. */
function booleanWords(schema: z.ZodType): readonly [yes: string, no: string] {
  try {
    return [String(z.encode(schema, true)), String(z.encode(schema, false))];
  } catch {
    // The schema converts in one direction only.
    return ['true', 'false'];
  }
}

/**
 * Returns the problems of the order of options. A line is read from left to right, so optional options, and options
 * that take the rest of the line, must come last.
 */
function orderProblems(options: readonly OptionSpec[], where: SourceFile): VirguleError[] {
  const { file } = where;
  const problems: VirguleError[] = [];
  let optional: OptionSpec | undefined;
  let rest: OptionSpec | undefined;
  for (const option of options.filter(({ named }) => !named)) {
    const before = rest ?? (option.required ? optional : undefined);
    if (before) {
      const rule = rest ? 'rest' : 'required';
      const advice = orderAdvice(option, before);
      const details = { file, option: option.key, after: before.key, rule, advice } as const;
      const location = locateKey(where, option.key);
      problems.push(runtimeErrors.E_OPTION_ORDER(details, { location }));
    }
    if (!option.required) optional ??= option;
    if (option.take !== 'word') rest ??= option;
  }
  return problems;
}

/** Returns whether an option takes every word that is meant for the options after it: an optional string of any form. */
const isFreeText = ({ required, named, take, expected }: OptionSpec): boolean =>
  !required && !named && take === 'word' && expected.kind === 'text';

/** Returns advice on the order of two options that does not lead to another problem. */
function orderAdvice(option: OptionSpec, before: OptionSpec): string {
  const [last, other] = before.take === 'word' ? [option, before] : [before, option];
  if (last.take === 'word')
    return `Move "${option.key}" before "${before.key}": users type values in the order of the keys.`;
  if (other.take === 'raw')
    return `Only one option can take the rest of the line: make "${option.key}" a single value, such as z.string().`;
  if (last.required && !other.required)
    return `Let users name "${other.key}", with .meta({ named: true }): "${last.key}" takes the rest of the line.`;
  return `Move "${last.key}" to the end.`;
}

/** Maximum number of visited values, enough for any schema that is written by hand. */
const MAX_VISITS = 10_000;

/**
 * Returns whether a schema contains an async function. A synchronous parse with such a schema would leave an unhandled promise,
 * whose rejection would end the process. A function that returns a promise without being declared `async` is not detected.
 */
function isAsyncSchema(schema: unknown): boolean {
  const seen = new Set<unknown>();
  const pending: unknown[] = [schema];
  for (let visits = 0; pending.length > 0 && visits < MAX_VISITS; visits += 1) {
    const value = pending.pop();
    if (typeof value === 'function') {
      if (value.constructor.name === 'AsyncFunction') return true;
      continue;
    }
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    if ('_zod' in value) pending.push(definitionOf(value));
    else pending.push(...membersOf(value));
  }
  return false;
}

/** Returns the members of a definition, except members that would call a function of the author. */
function membersOf(definition: object): unknown[] {
  return Object.entries(Object.getOwnPropertyDescriptors(definition)).flatMap(([key, property]) => {
    if (key === 'defaultValue' || key === 'catchValue') return [];
    return [property.get ? Reflect.get(definition, key) : property.value];
  });
}
