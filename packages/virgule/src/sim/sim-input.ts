// Inputs of an action on the command line: words in their order, or flags by their names.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { isRecord, orUndefined } from '@virgule/core/objects';
import { fromStrings, type SimAction } from '@virgule/simulator/control';
import * as z from 'zod';
import type { Arguments, Flags } from '../terminal/arguments.js';
import { invalidFlag, invalidWords } from '../terminal/invalid-arguments.js';

type Field = ReturnType<typeof fieldsOf>[number];

function fieldsOf({ input }: SimAction) {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input' });
  return Object.entries(properties).map(([key, schema]) => {
    const facts = isRecord(schema) ? schema : {};
    const { type, description = '', enum: choices, default: usual } = facts;
    const notes = [
      String(description),
      Array.isArray(choices) && choices.join(', '),
      // `false` and an empty text say nothing.
      (usual || usual === 0) && `default: ${JSON.stringify(usual)}`,
    ];
    return {
      key,
      /** Name of the flag: `replyTo` becomes `reply-to`. */
      flag: key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      type: typeof type === 'string' ? type : undefined,
      about: notes.filter(Boolean).join('; '),
      isRequired: required.includes(key),
    };
  });
}

export function flagsOf(action: SimAction): Flags {
  return Object.fromEntries(
    fieldsOf(action).map(({ key, flag, type, about }) => [
      flag,
      type === 'boolean'
        ? { type: 'boolean', about }
        : { type: 'string', value: valueOf(key, type), about },
    ]),
  );
}

/** Returns the words of an action for its help: `CONTENT [CHANNEL]`. */
export function wordsOf(action: SimAction): string {
  return fieldsOf(action)
    .filter(({ isRequired }, index) => isRequired || index === 0)
    .filter(({ type }) => type !== 'boolean')
    .map(({ key, isRequired, type }) => {
      const word = `${key.toUpperCase()}${type === 'array' ? '…' : ''}`;
      return isRequired ? word : `[${word}]`;
    })
    .join(' ');
}

const valueOf = (key: string, type: string | undefined): string => {
  if (type === 'number' || type === 'integer') return 'N';
  return type === 'string' ? key.toUpperCase() : 'JSON';
};

/**
 * Returns the input of an action. Words are matched to inputs by order; a list takes all remaining words.
 *
 * @throws VirguleError `E_ARGUMENTS`.
 */
export async function readInput(
  action: SimAction,
  { words, flags }: Arguments<Flags>,
  cwd: string,
): Promise<Record<string, unknown>> {
  const command = `sim ${action.name}`;
  const fields = fieldsOf(action);
  const input: Record<string, unknown> = {};
  for (const { key, flag, type } of fields) {
    const value = flags[flag];
    if (value === undefined) continue;
    if (type === 'string' || type === 'boolean') input[key] = value;
    else input[key] = await readValue(String(value), flag, type === undefined, cwd);
  }
  const left = [...words];
  const fromWords = new Set<string>();
  for (const { key, type } of fields) {
    if (left.length === 0) break;
    if (input[key] !== undefined || type === 'boolean') continue;
    input[key] = type === 'array' ? left.splice(0) : left.shift();
    fromWords.add(key);
  }
  if (left.length > 0) throw invalidWords(command, wordsOf(action) || 'no words', words);
  const read = fromStrings(action.input, input);
  const [issue] = action.input.safeParse(read).error?.issues ?? [];
  const field = fields.find(({ key }) => key === issue?.path[0]);
  if (issue === undefined || field === undefined) return read;
  const word = field.key.toUpperCase();
  if (input[field.key] === undefined) throw invalidWords(command, word, words);
  const want = wantedOf(issue, field);
  if (fromWords.has(field.key)) throw invalidWords(command, `${want} as ${word}`, words);
  throw invalidFlag(field.flag, want, String(input[field.key]));
}

function wantedOf(issue: z.core.$ZodIssue, { about }: Field): string {
  const isId = issue.code === 'invalid_format' && issue.format === 'guid';
  if (isId) return issue.path.length > 1 ? 'ids' : 'an id';
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  return `a valid value (${about})`;
}

/**
 * Returns a value, or the content of a file for `@` and its name. An input of any type is parsed as JSON if possible.
 */
async function readValue(given: string, flag: string, isAny: boolean, cwd: string) {
  let text = given;
  try {
    if (given.startsWith('@')) text = await readFile(resolve(cwd, given.slice(1)), 'utf8');
  } catch (cause) {
    throw invalidFlag(flag, `JSON, or @ and a file with it (${errorText(cause)})`, given);
  }
  const value = isAny ? orUndefined<unknown>(() => JSON.parse(text)) : undefined;
  return value === undefined ? text : value;
}
