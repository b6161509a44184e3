import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { errorCode, errorText } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { showOnOneLine } from '@virgule/core/text';
import type { FailedRecord } from '@virgule/runtime/bot';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { openRecord } from '../testing/replay.js';

const FOLDER = 'tests/failed';

/**
 * Writes the record of a failure and its test, which only the user can read, and which git ignores. Existing files stay. Returns
 * the exit code.
 *
 * @param read - returns the record in JSON.
 * @param file - file of the record, which anyone may have written.
 * @throws VirguleError `E_TEST_CALL` if there is no record, `E_STATE_UNWRITABLE`.
 */
export function saveTest(
  read: () => string,
  { cwd, stdout, stderr }: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
  file?: string,
): number {
  const record = openRecord(file ?? 'The failure', read);
  const { id, text } = record;
  const isKept = text !== 'shape';
  const folder = join(cwd, FOLDER);
  const written: string[] = [];
  try {
    const files = { json: JSON.stringify(record, null, 2), 'test.ts': testOf(record) };
    mkdirSync(folder, { recursive: true });
    const old = readdirSync(folder).find((name) => name.startsWith(`${id}.`));
    if (old !== undefined) {
      const why = `exists already, perhaps for record ${id} of another storage`;
      stderr.write(`${FOLDER}/${old} ${why}: delete or rename it.\n`);
      return 1;
    }
    const ignoring = join(folder, '.gitignore');
    const ignored = orUndefined(() => readFileSync(ignoring, 'utf8')) ?? '';
    const line = `/${id}.*`;
    if (!ignored.split(/\r?\n/).includes(line))
      appendFileSync(ignoring, `${/[^\n]$/.test(ignored) ? '\n' : ''}${line}\n`);
    for (const [type, content] of Object.entries(files)) {
      const path = join(folder, `${id}.${type}`);
      written.push(path);
      writeFileSync(path, `${content}\n`, { mode: 0o600, flag: 'wx' });
      stdout.write(`${FOLDER}/${id}.${type}\n`);
    }
  } catch (cause) {
    // A partial file would be in the way of the next attempt.
    if (errorCode(cause) !== 'EEXIST')
      for (const path of written) orUndefined(() => rmSync(path, { force: true }));
    throw cliErrors.E_STATE_UNWRITABLE({ folder: FOLDER, reason: errorText(cause) }, { cause });
  }
  const isCut = [...record.storage, ...record.rest].some(({ dropped }) => dropped);
  const notes = [
    isKept
      ? `Warning: ${id}.json contains what users wrote: git ignores both files.`
      : `What users wrote is replaced in ${id}.json. Git ignores both files. Run the test before the fix: it must fail. If it passes, restore the words and numbers in ${id}.json.`,
    isCut &&
      `Warning: values that were too large are missing from ${id}.json: add a "value" next to each "dropped".`,
    file !== undefined &&
      `Warning: the test runs your bot with the values in ${showOnOneLine(file)}. Only run it if the record is from your own bot.`,
  ];
  for (const note of notes) if (note) stderr.write(`${note}\n`);
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
${record.text === 'shape' ? SHAPE_RESULTS : RESULTS}
});`;

const RESULTS = `  expect(['timed-out', 'stopped', 'expired']).not.toContain(result);`;
/** A command may refuse replaced text, with and without the bug. */
const SHAPE_RESULTS = `  // For 'input', restore what the user typed in the record, such as a number.
  expect(['timed-out', 'stopped', 'expired', 'input']).not.toContain(result);`;
