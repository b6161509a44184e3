import { readFile } from 'node:fs/promises';
import { errorText } from '@virgule/core/errors';
import { orUndefined, parseJson } from '@virgule/core/objects';
import { countOf, showControls } from '@virgule/core/text';
import * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { createShaper } from '../observe/shape.js';
import type { StoredEntry } from '../storage/storage-driver.js';
import { createStorage, isStorageKey } from '../storage/storage.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import {
  defineOperation,
  readJson,
  unredacted,
  type ActionInput,
  type OperationContext,
} from './operation.js';

const VALUE = `JSON, such as '"text"' or '{"a": 1}'`;

const lineSchema = z.strictObject({
  key: z.string().refine(isStorageKey, 'no entry can have this key'),
  // Any JSON. A stricter schema would drop the key __proto__ of an object.
  value: z.custom<NonNullable<unknown> | null>((value) => value !== undefined),
  ttlMs: z.int().positive().optional(),
});

export const storage = defineOperation<StorageConnection>({
  command: 'storage',
  open: (context) => context.openStorage(),
  actions: {
    'list [PREFIX]': (connection, input) => printAll(connection, input),
    async 'get KEY'(connection, { given: [key = ''], context, flags }) {
      const stored = await createStorage(connection).get(await meant(connection, key, context));
      if (stored === undefined) return noEntry(context, key);
      const value = createShaper(undefined, context.redact)(stored);
      const json = flags.json ? JSON.stringify({ key, value }) : JSON.stringify(value, null, 2);
      context.stdout.write(`${json}\n`);
      return 0;
    },
    async 'set KEY JSON'(connection, { given: [key = '', text = ''], context, flags }) {
      const value = readJson(text, 'storage', VALUE, context);
      // The storage refuses an invalid time.
      const ttl = flags.ttl as undefined;
      await createStorage(connection).set(await meant(connection, key, context), value, { ttl });
    },
    'delete KEY': async (connection, { given: [key = ''], context }) =>
      (await createStorage(connection).delete(await meant(connection, key, context)))
        ? 0
        : noEntry(context, key),
    'export [PREFIX]': (connection, input) => printAll(connection, input, true),
    'import FILE': importFile,
  },
});

const meant = (connection: StorageConnection, key: string, context: OperationContext) =>
  unredacted(key, keysIn(connection), context);

async function* keysIn(connection: StorageConnection): AsyncGenerator<string, void, undefined> {
  for await (const { key } of connection.entries('')) yield key;
}

function noEntry({ stderr, elsewhere = '' }: OperationContext, key: string): number {
  stderr.write(`There is no entry ${showControls(key)}.${elsewhere}\n`);
  return 1;
}

async function printAll(
  connection: StorageConnection,
  { given: [prefix], flags, context: { stdout, interrupt, redact, elsewhere = '' } }: ActionInput,
  isExport = false,
): Promise<void> {
  const show = isExport || flags.json ? asLine : asText;
  let none = show === asLine ? '' : `No entries.${elsewhere}\n`;
  for await (const entry of connection.entries(prefix ?? '')) {
    interrupt.throwIfAborted();
    stdout.write(`${show(isExport ? entry : withoutSecrets(entry, redact))}\n`);
    none = '';
  }
  stdout.write(none);
}

function withoutSecrets(entry: StoredEntry, redact: OperationContext['redact']): StoredEntry {
  const shape = createShaper(undefined, redact);
  const value = orUndefined(() => JSON.stringify(shape(JSON.parse(entry.value))));
  return { ...entry, key: redact(entry.key), value: value ?? redact(entry.value) };
}

function asLine({ key, value, expiresInMs }: StoredEntry): string {
  const ttl = expiresInMs === null ? '' : `,"ttlMs":${Math.max(1, Math.ceil(expiresInMs))}`;
  // The stored value is JSON already.
  return `{"key":${JSON.stringify(key)},"value":${value}${ttl}}`;
}

const asText = ({ key, value }: StoredEntry): string =>
  `${showControls(key)}  ${showControls(value)}`;

/** Imports entries from a file. Checks the whole file before writing the first entry. */
async function importFile(
  connection: StorageConnection,
  { given: [file = ''], context }: ActionInput,
): Promise<void> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw runtimeErrors.E_STORAGE_IMPORT({ file, reason: errorText(error) }, { cause: error });
  });
  const lines = text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const { data, reason: why, cause } = parseJson(() => line, lineSchema);
    if (why === undefined) return [data];
    throw runtimeErrors.E_STORAGE_IMPORT({ file, reason: `line ${index + 1}: ${why}` }, { cause });
  });
  for (const { key, value, ttlMs } of lines) {
    context.interrupt.throwIfAborted();
    const ttl = ttlMs === undefined ? undefined : (`${ttlMs}ms` as const);
    await createStorage(connection).set(key, value, { ttl });
  }
  context.stderr.write(`Imported ${countOf(lines.length, 'entry', 'entries')}.\n`);
}
