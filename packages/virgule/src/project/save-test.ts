import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SavedRecord } from '@virgule/runtime/project';
import type { Io } from '../terminal/io.js';

/** Writes the record of a failure and its test, which only the user can read. Existing files stay. Returns the exit code. */
export function saveTest(
  record: SavedRecord,
  json: string,
  { cwd, stdout, stderr }: Pick<Io, 'cwd' | 'stdout' | 'stderr'>,
): number {
  const { id, text } = record;
  const folder = join(cwd, 'tests/failed');
  mkdirSync(folder, { recursive: true });
  const old = readdirSync(folder).find((file) => file.startsWith(`${id}.`));
  if (old !== undefined) {
    stderr.write(`tests/failed/${old} exists already: delete or rename it.\n`);
    return 1;
  }
  for (const [type, content] of Object.entries({ json, 'test.ts': testOf(record) })) {
    writeFileSync(join(folder, `${id}.${type}`), `${content}\n`, { mode: 0o600, flag: 'wx' });
    stdout.write(`tests/failed/${id}.${type}\n`);
  }
  if (text === 'keep')
    stderr.write(`Warning: ${id}.json contains what users wrote. Check it before you commit it.\n`);
  return 0;
}

const testOf = ({
  id,
  kind,
  name,
  at,
}: SavedRecord): string => `// Replays a failure. Not recorded, so provided by the test: results of services and of fetch, files, Date.now(),
// Math.random(), the state of modules, other processes.
import { createTestBot } from 'virgule/testing';
import { expect, it } from 'vitest';

it(${JSON.stringify(`${kind} ${name} does not fail as at ${at}`)}, async () => {
  await using bot = await createTestBot({ failed: new URL('${id}.json', import.meta.url) });
  expect(await bot.replay()).toEqual({ error: undefined, result: 'ok' });
});`;
