import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orUndefined } from '@virgule/core/objects';
import { showOnOneLine } from '@virgule/core/text';
import { readRecord, type FailedRecord } from '@virgule/runtime/project';
import type { Io } from '../terminal/io.js';

/**
 * Writes the record of a failure and its test, which only the user can read. Existing files stay. Git ignores a record with the words
 * of users, and its test. Returns the exit code.
 *
 * @param file - file of the record, which anyone may have written.
 */
export function saveTest(
  json: string,
  { cwd, stdout, stderr }: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
  file?: string,
): number {
  const record = readRecord(json);
  const content = orUndefined(() => JSON.stringify(record, null, 2));
  if (!record || content === undefined) {
    stderr.write('There is no record of a failure that can be replayed.\n');
    return 1;
  }
  const { id, text } = record;
  const folder = join(cwd, 'tests/failed');
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder).find((name) => name.startsWith(`${id}.`));
  if (old !== undefined) {
    stderr.write(`tests/failed/${old} exists already: delete or rename it.\n`);
    return 1;
  }
  const isKept = text !== 'shape';
  const ignoring = join(folder, '.gitignore');
  const ignored = orUndefined(() => readFileSync(ignoring, 'utf8')) ?? '';
  const line = `/${id}.*`;
  if (isKept && !ignored.split(/\r?\n/).includes(line))
    appendFileSync(ignoring, `${/[^\n]$/.test(ignored) ? '\n' : ''}${line}\n`);
  for (const [type, each] of Object.entries({ json: content, 'test.ts': testOf(record) })) {
    writeFileSync(join(folder, `${id}.${type}`), `${each}\n`, { mode: 0o600, flag: 'wx' });
    stdout.write(`tests/failed/${id}.${type}\n`);
  }
  if (isKept)
    stderr.write(`Warning: ${id}.json contains what users wrote, so git ignores both files.\n`);
  if ([...record.storage, ...record.rest].some(({ dropped }) => dropped))
    stderr.write(
      `Warning: values that were too large are missing from ${id}.json: add a "value" next to each "dropped".\n`,
    );
  if (file !== undefined)
    stderr.write(
      `Warning: the test runs your bot with the values in ${showOnOneLine(file)}. Only run it if the record is from your own bot.\n`,
    );
  return 0;
}

const testOf = (
  record: FailedRecord,
): string => `// Replays a failure. Not recorded, so provided by the test: results of services and of fetch, files, Date.now(),
// Math.random(), the state of modules, other processes.
import { createTestBot } from 'virgule/testing';
import { expect, it } from 'vitest';

it(${JSON.stringify(showOnOneLine(`${record.kind} ${record.name} does not fail as it did at ${record.at}`))}, async () => {
  await using bot = await createTestBot({ failed: new URL('${record.id}.json', import.meta.url) });
  const { error, result } = await bot.replay();
  if (result === 'failed') throw error;
  expect(['timed-out', 'stopped', 'expired']).not.toContain(result);
});`;
