import type { SyncCommandItem } from '@virgule/core/protocol';
import type { OptionSpec, OptionsSpec, ValueSpec } from '../../options/option-spec.js';
import type { CallResult } from './call.js';

type JsonSchema = Record<string, unknown>;

/** A command as a tool of a language model, in the form that the AI SDK takes. */
export type CommandTool = Readonly<ReturnType<typeof toTool>>;

/** Returns a command as a tool. `run` runs the command with options that are not checked yet. */
export const toTool = (
  { wire, spec }: { readonly wire: SyncCommandItem; readonly spec: OptionsSpec },
  run: (options: unknown, signal: AbortSignal | undefined) => Promise<CallResult>,
) => ({
  description: wire.description,
  /** Standard Schema with the JSON schema of the options. The command itself checks the values. */
  inputSchema: {
    '~standard': {
      version: 1 as const,
      vendor: 'virgule',
      // The command checks the options as it checks a line. A value that the schema has transformed would be checked twice.
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => optionsSchema(spec), output: () => optionsSchema(spec) },
    },
  },
  /** Runs the command. Members of its answer without a value are absent; `files` is their number: a model cannot read them. */
  async execute(input: unknown, { abortSignal }: { abortSignal?: AbortSignal | undefined } = {}) {
    const { content, followUps, files, result } = await run(input, abortSignal);
    return {
      ...(content !== undefined && { content }),
      ...(followUps.length > 0 && { followUps }),
      ...(files.length > 0 && { files: files.length }),
      ...(result !== 'ok' && { result }),
    };
  },
});

/** Returns the JSON schema of the options that a line of the command carries. */
const optionsSchema = ({ options }: OptionsSpec): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(options.map((option) => [option.key, optionSchema(option)])),
  // A model has no author who could be the default.
  required: options.filter(({ required, isAuthor }) => required || isAuthor).map(({ key }) => key),
  additionalProperties: false,
});

function optionSchema(option: OptionSpec): JsonSchema {
  const { description, expected } = option;
  const schema = valueSchema(option);
  // A string has the rest of its form only in words, such as an id or a duration.
  const isBare = schema['type'] === 'string' && !['text', 'choice'].includes(expected.kind);
  return { ...schema, description: isBare ? `${description}: ${expected.text}` : description };
}

function valueSchema({ input, expected, choiceValues, item }: ValueSpec): JsonSchema {
  const { kind, bounds, choices } = expected;
  if (input === 'list')
    return { type: 'array', items: item ? valueSchema(item) : { type: 'string' }, ...bounds };
  if (choices && kind !== 'boolean') {
    const values = choiceValues ?? choices;
    const [type, ...others] = new Set(values.map((value) => typeof value));
    // Some models refuse an enum without a type.
    return { ...(others.length === 0 && { type }), enum: values };
  }
  const type = ['boolean', 'integer', 'number'].includes(kind) ? kind : 'string';
  return { type, ...(kind !== 'duration' && bounds) };
}
