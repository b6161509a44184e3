import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecord, type FailedRecord } from '@virgule/runtime/project';
import type { Io } from '../terminal/io.js';

/**
 * Writes the record of a failure and its test, which only the user can read. Existing files stay. Git ignores a record with the words
 * of users, and its test. Returns the exit code.
 */
export function saveTest(
  json: string,
  { cwd, stdout, stderr }: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
): number {
  const record = readRecord(json);
  if (!record) {
    stderr.write('There is no record of a failure that can be replayed.\n');
    return 1;
  }
  const { id, text } = record;
  const folder = join(cwd, 'tests/failed');
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder).find((file) => file.startsWith(`${id}.`));
  if (old !== undefined) {
    stderr.write(`tests/failed/${old} exists already: delete or rename it.\n`);
    return 1;
  }
  if (text === 'keep') appendFileSync(join(folder, '.gitignore'), `/${id}.*\n`);
  const files = { json: JSON.stringify(record, null, 2), 'test.ts': testOf(record) };
  for (const [type, content] of Object.entries(files)) {
    writeFileSync(join(folder, `${id}.${type}`), `${content}\n`, { mode: 0o600, flag: 'wx' });
    stdout.write(`tests/failed/${id}.${type}\n`);
  }
  if (text === 'keep')
    stderr.write(`Warning: ${id}.json contains what users wrote, so git ignores both files.\n`);
  return 0;
}

const testOf = (
  record: FailedRecord,
): string => `// Replays a failure. Not recorded, so provided by the test: results of services and of fetch, files, Date.now(),
// Math.random(), the state of modules, other processes.
import { createTestBot } from 'virgule/testing';
import { expect, it } from 'vitest';

it(${JSON.stringify(`${record.kind} ${record.name} does not fail as at ${record.at}`)}, async () => {
  await using bot = await createTestBot({ failed: new URL('${record.id}.json', import.meta.url) });
  const { error, result } = await bot.replay();
  if (result === 'failed') throw error;
  expect(['timed-out', 'stopped', 'expired']).not.toContain(result);
});`;
