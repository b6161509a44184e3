import { errorText } from '@virgule/core/errors';
import type { VirguleError } from '@virgule/core/errors';
import {
  DESCRIPTION_MAX_LENGTH,
  NAME_PATTERN,
  type CommandOption,
  type OptionType,
} from '@virgule/core/protocol';
import type { z } from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { kebabCase } from '../scan/kebab-case.js';
import { defaultTextOf, describeOption, isDescriptionCut } from './describe-option.js';
import { readFieldShape, type FieldShape } from './field-shape.js';
import { isAsyncSchema } from './is-async-schema.js';
import { locateKey, locateOptions, type SourceFile } from './locate-key.js';
import type { OptionSpec } from './option-spec.js';
import { readOptionsObject } from './options-object.js';
import { unfitByType, unfitSchema } from './unfit-schema.js';
import { expectedText } from './value-texts.js';

/** The options of a command, in the order in which users type them. */
export interface OptionsSpec {
  readonly options: readonly OptionSpec[];
  /** Checks all of them at once; `null` when the command has none. */
  readonly schema: z.ZodType | null;
  /** Whether the schema is known to need waiting for. */
  readonly isAsync?: boolean | undefined;
}

export interface OptionsReading {
  readonly spec: OptionsSpec;
  /** What keeps the command from running, each at the line of its key when the source is given. */
  readonly problems: readonly VirguleError[];
  /** What users will see otherwise than it was written. */
  readonly warnings: readonly VirguleError[];
}

/** Reads a command's options from its zod object. Options without a problem are in the spec. */
export function readOptions(schema: unknown, where: SourceFile): OptionsReading {
  if (schema === undefined) {
    return { spec: { options: [], schema: null }, problems: [], warnings: [] };
  }
  const { file } = where;
  const object = readOptionsObject(schema);
  if (!object.ok) {
    const { saw, advice } = object;
    const problem = runtimeErrors.E_OPTIONS_NOT_OBJECT(
      { file, saw, advice },
      { location: locateOptions(where) },
    );
    return { spec: { options: [], schema: null }, problems: [problem], warnings: [] };
  }

  const problems: VirguleError[] = [];
  const found: { readonly name: string; readonly shape: FieldShape }[] = [];
  for (const [name, field] of object.fields) {
    const location = locateKey(where, name);
    const nameProblem = nameProblemOf(name);
    if (nameProblem) {
      problems.push(
        runtimeErrors.E_OPTION_NAME({ file, option: name, ...nameProblem }, { location }),
      );
    }
    const reading = readField(field);
    if (reading.ok) {
      if (!nameProblem) found.push({ name, shape: reading.shape });
    } else {
      const { saw, advice } = reading;
      problems.push(runtimeErrors.E_OPTION_TYPE({ file, option: name, saw, advice }, { location }));
    }
  }

  const options = found.map(({ name, shape }, index) =>
    toSpec(name, shape, index === object.fields.length - 1),
  );
  problems.push(...orderProblems(options, where));
  return {
    spec:
      options.length === 0
        ? { options, schema: null }
        : { options, schema: object.schema, isAsync: isAsyncSchema(object.schema) },
    problems,
    warnings: cutDescriptions(found, options, where),
  };
}

function cutDescriptions(
  found: readonly { readonly name: string; readonly shape: FieldShape }[],
  options: readonly OptionSpec[],
  where: SourceFile,
): VirguleError[] {
  const { file } = where;
  return found.flatMap(({ name, shape }, index) => {
    const sent = options[index]?.description ?? '';
    if (!isDescriptionCut(shape, sent)) return [];
    return [
      runtimeErrors.E_DESCRIPTION_CUT(
        { file, option: name, sent, max: DESCRIPTION_MAX_LENGTH },
        { location: locateKey(where, name) },
      ),
    ];
  });
}

/** The options as the platform is told of them. */
export function toWireOptions(spec: OptionsSpec): CommandOption[] {
  return spec.options.map(({ name, description, type, required }) => ({
    name,
    description,
    type,
    required,
  }));
}

type FieldReading =
  | { readonly ok: true; readonly shape: FieldShape }
  | { readonly ok: false; readonly saw: string; readonly advice: string };

function readField(field: z.ZodType): FieldReading {
  try {
    const unfit = unfitSchema(field);
    if (unfit) return { ok: false, ...unfit };
    const shape = readFieldShape(field);
    return shape ? { ok: true, shape } : { ok: false, ...unfitByType(field) };
  } catch (error) {
    const reason = errorText(error);
    return {
      ok: false,
      saw: `of a type zod cannot describe (${reason})`,
      advice: 'Take a text, z.string(), and convert it with .transform().',
    };
  }
}

function nameProblemOf(name: string): { why: string; suggestion?: string | undefined } | null {
  if (/^\d+$/.test(name)) {
    return {
      why: 'is a whole number: JavaScript moves such a key before all others, and options are typed in the order of their keys',
    };
  }
  // A plain object answers to this name even when it was never set.
  if (name === 'constructor') return { why: 'has the name of a property that every object has' };
  if (NAME_PATTERN.test(name)) return null;
  const kebab = kebabCase(name);
  const suggestion = kebab !== name && NAME_PATTERN.test(kebab) ? kebab : undefined;
  return { why: 'has a name the platform refuses', suggestion };
}

function toSpec(name: string, shape: FieldShape, isLast: boolean): OptionSpec {
  const type = shape.optionType ?? wireTypeOf(shape);
  const texts = shape.choices?.map(String);
  const isText = shape.kind === 'string' && !shape.textToBoolean;
  // Only plain texts swallow the rest of a line: a URL or a choice ends where its word ends.
  const isPlain =
    isText && type === 'string' && !texts && shape.format === undefined && !shape.optionFormat;
  const defaultText = shape.required ? undefined : defaultTextOf(shape.default);
  return {
    name,
    type,
    required: shape.required && !shape.nullable,
    description: describeOption(shape, { type, choices: texts, defaultText }),
    take: shape.optionTake ?? (isPlain && isLast ? 'rest' : 'word'),
    input: texts ? 'choice' : inputOf(shape),
    expected: expectedText(shape, texts),
    ...(texts ? { choices: texts } : {}),
    ...(texts && shape.kind !== 'string' ? { choiceValues: shape.choices } : {}),
    ...(type === 'boolean' ? { negatable: true } : {}),
    ...(shape.required && shape.nullable ? { nullWhenAbsent: true } : {}),
    ...(defaultText === undefined ? {} : { defaultText }),
    ...(shape.optionFormat ? { format: shape.optionFormat } : {}),
  };
}

function wireTypeOf({ kind, textToBoolean }: FieldShape): OptionType {
  if (textToBoolean) return 'boolean';
  return kind === 'mixed' ? 'string' : kind;
}

function inputOf({ kind }: FieldShape): OptionSpec['input'] {
  if (kind === 'integer' || kind === 'number') return 'number';
  return kind === 'boolean' ? 'boolean' : 'text';
}

/** A line is read from left to right: what may be missing, or takes everything, comes last. */
function orderProblems(options: readonly OptionSpec[], where: SourceFile): VirguleError[] {
  const { file } = where;
  const problems: VirguleError[] = [];
  let optional: OptionSpec | undefined;
  let rest: OptionSpec | undefined;
  for (const option of options) {
    const before = rest ?? (option.required ? optional : undefined);
    if (before) {
      problems.push(
        runtimeErrors.E_OPTION_ORDER(
          { file, option: option.name, after: before.name, rule: rest ? 'rest' : 'required' },
          { location: locateKey(where, option.name) },
        ),
      );
    }
    if (!option.required) optional ??= option;
    if (option.take !== 'word') rest ??= option;
  }
  return problems;
}
