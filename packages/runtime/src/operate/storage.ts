import { readFile } from 'node:fs/promises';
import { errorText } from '@virgule/core/errors';
import { countOf, showControls } from '@virgule/core/text';
import * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import type { StoredEntry } from '../storage/storage-driver.js';
import {
  createStorage,
  isStorageKey,
  type Storage,
  type StorageConnection,
} from '../storage/storage.js';
import {
  actionOf,
  type Action,
  type Operation,
  type OperationContext,
  type OperationFlags,
} from './operation.js';

/** Entries that are read at a time. */
const PAGE = 1_000;

/** One line of an export. */
const lineSchema = z.strictObject({
  key: z.string().refine(isStorageKey, 'no entry can have this key'),
  // Read from JSON. A schema would drop the key __proto__ of an object.
  value: z.custom<NonNullable<unknown> | null>((value) => value !== undefined),
  ttlMs: z.int().positive().optional(),
});

/** Reads and changes what a bot has stored. */
export const storage: Operation = async (words, flags, context) => {
  const action = actionOf(ACTIONS, words);
  if (!action) {
    const want =
      '`list [PREFIX]`, `get KEY`, `set KEY JSON`, `delete KEY`, `export [PREFIX]` or `import FILE`';
    throw runtimeErrors.E_ARGUMENTS({
      command: 'storage',
      program: context.program,
      want,
      saw: words,
    });
  }
  const connection = await context.openStorage();
  const [, ...given] = words;
  try {
    return await action.run({
      connection,
      storage: createStorage(connection),
      given,
      context,
      flags,
    });
  } finally {
    await connection.close();
  }
};

interface ActionInput {
  readonly connection: StorageConnection;
  readonly storage: Storage;
  /** The words after the action. */
  readonly given: readonly string[];
  readonly context: OperationContext;
  readonly flags: OperationFlags;
}

const ACTIONS: Readonly<Record<string, Action<ActionInput>>> = {
  list: { least: 0, most: 1, run: (input) => printAll(input, input.flags.json ? asLine : asText) },
  export: { least: 0, most: 1, run: (input) => printAll(input, asLine) },
  get: {
    least: 1,
    most: 1,
    async run({ storage: stored, given: [key = ''], context, flags }) {
      const value = await stored.get(key);
      if (value === undefined) return noEntry(context, key);
      context.stdout.write(
        `${flags.json ? JSON.stringify({ key, value }) : JSON.stringify(value, null, 2)}\n`,
      );
      return 0;
    },
  },
  set: {
    least: 2,
    most: 2,
    async run({ storage: stored, given: [key = '', text = ''], context, flags }) {
      // An invalid one is refused by the storage.
      await stored.set(key, readJson(text, 'the value', context), { ttl: flags.ttl as undefined });
      return 0;
    },
  },
  delete: {
    least: 1,
    most: 1,
    async run({ storage: stored, given: [key = ''], context }) {
      return (await stored.delete(key)) ? 0 : noEntry(context, key);
    },
  },
  import: { least: 1, most: 1, run: importFile },
};

function noEntry({ stderr }: OperationContext, key: string): number {
  stderr.write(`There is no entry ${showControls(key)}.\n`);
  return 1;
}

async function printAll(
  { connection, given: [prefix = ''], context: { stdout, interrupt } }: ActionInput,
  show: (entry: StoredEntry) => string,
): Promise<number> {
  let after: string | undefined;
  for (;;) {
    interrupt.throwIfAborted();
    const request = { prefix, after, limit: PAGE };
    const page = await connection.run((driver) => driver.list(request));
    for (const entry of page) stdout.write(`${show(entry)}\n`);
    after = page.at(-1)?.key;
    if (page.length < PAGE) return 0;
  }
}

function asLine({ key, value, expiresInMs }: StoredEntry): string {
  const ttl = expiresInMs === null ? '' : `,"ttlMs":${Math.max(1, Math.ceil(expiresInMs))}`;
  // The value is JSON already.
  return `{"key":${JSON.stringify(key)},"value":${value}${ttl}}`;
}

const asText = ({ key, value }: StoredEntry): string =>
  `${showControls(key)}  ${showControls(value)}`;

/** Checks the whole file before it writes an entry. */
async function importFile({
  storage: stored,
  given: [file = ''],
  context,
}: ActionInput): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw runtimeErrors.E_STORAGE_IMPORT({ file, reason: errorText(error) }, { cause: error });
  });
  const lines = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = lineSchema.safeParse(readJson(line, `line ${index + 1}`, context, file));
    if (parsed.success) return [parsed.data];
    const reason = `line ${index + 1}: ${parsed.error.issues[0]?.message ?? 'invalid'}`;
    throw runtimeErrors.E_STORAGE_IMPORT({ file, reason });
  });
  for (const { key, value, ttlMs } of lines) {
    context.interrupt.throwIfAborted();
    await stored.set(key, value, ttlMs === undefined ? {} : { ttl: `${ttlMs}ms` });
  }
  context.stderr.write(`Imported ${countOf(lines.length, 'entry', 'entries')}.\n`);
  return 0;
}

function readJson(
  text: string,
  what: string,
  { program }: OperationContext,
  file?: string,
): NonNullable<unknown> | null {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = `${what} is not JSON: ${errorText(error)}`;
    throw file === undefined
      ? runtimeErrors.E_ARGUMENTS({
          command: 'storage',
          program,
          want: `JSON, such as '"text"' or '{"a": 1}'`,
          saw: [text],
        })
      : runtimeErrors.E_STORAGE_IMPORT({ file, reason }, { cause: error });
  }
}
