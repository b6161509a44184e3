import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startDev } from './running-dev.js';

const PID = `export default { description: 'P', run: () => String(process.pid) };`;
const SLOW = { timeout: 60_000, interval: 50 };

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it.each(['SIGTERM', 'SIGHUP'] as const)(
  'disposes services on %s, and leaves no process behind',
  async (signal) => {
    await using dev = await startDev({
      'commands/pid.ts': PID,
      'services.ts': `
      import { writeFileSync } from 'node:fs';
      import { defineServices } from 'virgule';
      export default defineServices(() => ({
        db: { [Symbol.dispose]: () => writeFileSync('disposed.txt', 'yes') },
      }));`,
    });
    const pid = Number(await dev.say('/pid'));
    const ended = once(dev.process, 'exit');
    dev.process.kill(signal);
    expect(await ended).toEqual([0, null]);
    expect(isRunning(pid)).toBe(false);
    expect(readFileSync(join(dev.project.root, 'disposed.txt'), 'utf8')).toBe('yes');
  },
);

it('leaves no process behind when it is killed while a handler never ends', async () => {
  await using dev = await startDev({
    'commands/pid.ts': PID,
    'commands/spin.ts': `export default { description: 'S', run() { for (;;); } };`,
  });
  const pid = Number(await dev.say('/pid'));
  await dev.type('/spin');
  dev.process.kill('SIGKILL');
  await once(dev.process, 'exit');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), SLOW);
});
