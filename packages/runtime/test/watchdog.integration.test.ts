import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { isBuilt, lastLine, startWatched } from './watched-bot.js';

/** Starts a process as the first one of a container: the kernel spares that one from its own signals. */
const CONTAINER = ['unshare', '-Upf', '--map-root-user', '--kill-child'];
const hasContainers = spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true']).status === 0;

describe.skipIf(!isBuilt)('a handler that blocks the event loop', () => {
  it('is named in the log, and its process is killed', async (context) => {
    const { signal, stdout } = await startWatched(context, 'for (;;);', '1s').ended;
    expect(signal).toBe('SIGKILL');
    expect(lastLine(stdout)).toMatchObject({
      level: 50,
      command: 'spin',
      file: 'commands/spin.ts',
      msg: 'the event loop was blocked for 1s, most likely by /spin (commands/spin.ts:3); the process is ended by the watchdog',
    });
  });

  it.skipIf(!hasContainers)(
    'ends the first process of a container, also in native code',
    async (context) => {
      const code = `(await import('node:crypto')).pbkdf2Sync('a', 'b', 2e9, 64, 'sha512');`;
      const { stdout } = await startWatched(context, code, '1s', [], CONTAINER).ended;
      expect(lastLine(stdout)).toMatchObject({
        msg: 'the event loop was blocked for 1s; the process is ended by the watchdog',
      });
    },
  );
});
