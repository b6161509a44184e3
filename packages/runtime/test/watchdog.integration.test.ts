import { describe, expect, it } from 'vitest';
import { isBuilt, lastLine, startWatched } from './watched-bot.js';

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
});
