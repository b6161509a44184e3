import { readFile } from 'node:fs/promises';
import { errorText } from '@virgule/core/errors';
import { countOf, showControls } from '@virgule/core/text';
import {
  createStorage,
  type Storage,
  type StorageConnection,
  type StoredEntry,
} from '@virgule/runtime';
import { isStorageKey } from '@virgule/runtime/project';
import * as z from 'zod';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import type { Io } from '../io.js';
import { DEV_FLAG, openStorage } from '../open-storage.js';

/** Entries that are read at a time. */
const PAGE = 1_000;

/** One line of an export. */
const lineSchema = z.strictObject({
  key: z.string().refine(isStorageKey, 'no entry can have this key'),
  // Read from JSON. A schema would drop the key __proto__ of an object.
  value: z.custom<NonNullable<unknown> | null>((value) => value !== undefined),
  ttlMs: z.int().positive().optional(),
});

export const storage = defineCliCommand({
  name: 'storage',
  words: 'ACTION',
  about: 'Read and change what the bot has stored',
  flags: {
    ...DEV_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per entry' },
    ttl: {
      type: 'string',
      value: 'TIME',
      about: 'How long an entry that is set is kept, such as 7d',
    },
  },
  examples: [
    'virgule storage list poll:',
    'virgule storage list --dev',
    'virgule storage get points',
    `virgule storage set points '{"ada": 3}'`,
    'virgule storage delete points',
    'virgule storage export > storage.jsonl',
    'virgule storage import storage.jsonl',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such entry' },
  async run({ flags, words }, io) {
    const [name = '', ...given] = words;
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
    if (!action || given.length < action.least || given.length > action.most) {
      const want =
        '`list [PREFIX]`, `get KEY`, `set KEY JSON`, `delete KEY`, `export [PREFIX]` or `import FILE`';
      throw cliErrors.E_ARGUMENTS({ command: 'storage', want, saw: words });
    }
    const connection = await openStorage(io, flags);
    try {
      return await action.run({
        connection,
        storage: createStorage(connection),
        given,
        io,
        ...flags,
      });
    } finally {
      await connection.close();
    }
  },
});

interface ActionInput {
  readonly connection: StorageConnection;
  readonly storage: Storage;
  /** The words after the action. */
  readonly given: readonly string[];
  readonly io: Io;
  readonly json?: boolean | undefined;
  readonly ttl?: string | undefined;
}

interface Action {
  /** How many words it takes. */
  readonly least: number;
  readonly most: number;
  /** Resolves with the exit code. */
  run(input: ActionInput): Promise<number>;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list: { least: 0, most: 1, run: (input) => printAll(input, input.json ? asLine : asText) },
  export: { least: 0, most: 1, run: (input) => printAll(input, asLine) },
  get: {
    least: 1,
    most: 1,
    async run({ storage: stored, given: [key = ''], io, json }) {
      const value = await stored.get(key);
      if (value === undefined) return noEntry(io, key);
      io.stdout.write(
        `${json ? JSON.stringify({ key, value }) : JSON.stringify(value, null, 2)}\n`,
      );
      return 0;
    },
  },
  set: {
    least: 2,
    most: 2,
    async run({ storage: stored, given: [key = '', text = ''], ttl }) {
      // An invalid one is refused by the storage.
      await stored.set(key, readJson(text, 'the value'), { ttl: ttl as undefined });
      return 0;
    },
  },
  delete: {
    least: 1,
    most: 1,
    async run({ storage: stored, given: [key = ''], io }) {
      return (await stored.delete(key)) ? 0 : noEntry(io, key);
    },
  },
  import: { least: 1, most: 1, run: importFile },
};

function noEntry(io: Io, key: string): number {
  io.stderr.write(`There is no entry ${showControls(key)}.\n`);
  return 1;
}

async function printAll(
  { connection, given: [prefix = ''], io }: ActionInput,
  show: (entry: StoredEntry) => string,
): Promise<number> {
  let after: string | undefined;
  for (;;) {
    io.interrupt.throwIfAborted();
    const request = { prefix, after, limit: PAGE };
    const page = await connection.run((driver) => driver.list(request));
    for (const entry of page) io.stdout.write(`${show(entry)}\n`);
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
  io,
}: ActionInput): Promise<number> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cliErrors.E_STORAGE_IMPORT({ file, reason: errorText(error) }, { cause: error });
  });
  const lines = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const parsed = lineSchema.safeParse(readJson(line, `line ${index + 1}`, file));
    if (parsed.success) return [parsed.data];
    const reason = `line ${index + 1}: ${parsed.error.issues[0]?.message ?? 'invalid'}`;
    throw cliErrors.E_STORAGE_IMPORT({ file, reason });
  });
  for (const { key, value, ttlMs } of lines) {
    io.interrupt.throwIfAborted();
    await stored.set(key, value, ttlMs === undefined ? {} : { ttl: `${ttlMs}ms` });
  }
  io.stderr.write(`Imported ${countOf(lines.length, 'entry', 'entries')}.\n`);
  return 0;
}

function readJson(text: string, what: string, file?: string): NonNullable<unknown> | null {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = `${what} is not JSON: ${errorText(error)}`;
    throw file === undefined
      ? cliErrors.E_ARGUMENTS({
          command: 'storage',
          want: `JSON, such as '"text"' or '{"a": 1}'`,
          saw: [text],
        })
      : cliErrors.E_STORAGE_IMPORT({ file, reason }, { cause: error });
  }
}
