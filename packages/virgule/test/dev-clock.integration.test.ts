import { expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { startDevHere, type RunningDev } from './running-dev.js';
import { createTestIo } from './test-io.js';
import { until } from './until.js';

const command = (run: string): string =>
  `export default { description: 'Test', async run({ tasks, storage }) { ${run} } };`;

const FILES = {
  'tasks/note.ts': `export default {
    run: ({ storage, lateMs }) =>
      storage.update('notes', (notes = []) => [...notes, lateMs < 60_000 ? 'late' : 'very late']),
  };`,
  'tasks/daily.ts': `export default {
    every: '1d',
    run: ({ storage }) => storage.update('notes', (notes = []) => [...notes, 'daily']),
  };`,
  'commands/note.ts': command(`
    await storage.set('short', true, { ttl: '1h' });
    await tasks.note.in('2h');
    return 'noted';`),
  'commands/notes.ts': command(`
    const notes = await storage.get('notes') ?? [];
    const kept = (await storage.get('short')) ? 'short' : 'nothing';
    return [...notes, kept].join();`),
};

async function sim(dev: RunningDev, ...argv: string[]): Promise<void> {
  const io = createTestIo({ cwd: dev.project.root });
  expect(await run(['sim', ...argv], io)).toBe(0);
}

it('runs tasks and forgets stored entries when the clock of the world is moved, also in the next process', async () => {
  await using dev = await startDevHere(FILES);
  const notes = (expected: string): Promise<void> =>
    until(async () => expect(await dev.say('/notes')).toBe(expected));
  expect(await dev.say('/note')).toBe('noted');
  await notes('short');
  await sim(dev, 'clock', 'skip', '119m');
  await notes('nothing');
  await sim(dev, 'clock', 'skip', '1m');
  await notes('late,nothing');
  await sim(dev, 'clock', 'pause');
  expect(await dev.say('/note')).toBe('noted');
  await dev.project.write('.env', 'OTHER=1');
  await dev.reported('restart');
  await sim(dev, 'clock', 'skip', '23h');
  await notes('late,daily,very late,nothing');
});
