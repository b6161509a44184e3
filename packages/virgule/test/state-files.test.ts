import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { writeRecord } from '../src/deploy/deploy-record.js';
import { saveSet } from '../src/deploy/saved-sets.js';
import { keepChat } from '../src/state/saved-chat.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const SET = { applicationId: 'app', commands: [], own: [] };

async function saveChat(root: string): Promise<void> {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  const chat = keepChat({ root, simulator, clock: createFakeClock(), onTrouble: () => {} });
  simulator.sendMessage({ content: 'kept' });
  chat.close();
}

const WRITERS: Readonly<Record<string, (root: string) => unknown>> = {
  'the chat': saveChat,
  'the lock of `virgule dev`': (root) => lockState({ root }).announce('http://127.0.0.1:7300'),
  'the record of a deploy': (root) => writeRecord(root, 'app', ['a']),
  'a set that a deploy replaced': (root) => saveSet(root, SET, 0),
};

// Windows has no such rights.
describe.skipIf(process.platform === 'win32')('what is kept in .virgule', () => {
  it.each(Object.entries(WRITERS))('is for no other account: %s', async (_, write) => {
    const root = mkdtempSync(join(tmpdir(), 'virgule-private-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    // As an earlier version made it.
    mkdirSync(join(root, '.virgule'));
    chmodSync(join(root, '.virgule'), 0o755);
    await write(root);
    const made = readdirSync(join(root, '.virgule'), { recursive: true, withFileTypes: true });
    const modes = made
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777);
    expect(modes).toEqual([0o600]);
    expect(statSync(join(root, '.virgule')).mode & 0o777).toBe(0o700);
  });

  it('is so after a build too, which others may read', async () => {
    await using project = await createTestProject({
      'commands/a.ts': answering('a'),
      'assets/a.txt': 'a',
    });
    expect(await run(['build', '--no-load'], createTestIo({ cwd: project.root }))).toBe(0);
    const modeOf = (path: string): number => statSync(join(project.root, path)).mode & 0o777;
    expect(modeOf('.virgule')).toBe(0o700);
    const usual = 0o777 & ~process.umask();
    expect([modeOf('dist'), modeOf('dist/assets')]).toEqual([usual, usual]);
    expect(modeOf('dist/bot.mjs')).toBe(usual & 0o666);
  });
});
