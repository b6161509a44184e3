import { systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { lastLine, startWatched } from './watched-bot.js';

const spinFor = (ms: number): string => `const end = Date.now() + ${ms}; while (Date.now() < end);`;

describe('a bot with a watchdog of 30 s', { timeout: 240_000 }, () => {
  it.for<[string, string]>([
    ['a loop of 60 s', spinFor(60_000)],
    ['a loop of promises', 'for (;;) await null;'],
    ['a regular expression', `/^(a+)+$/.test('a'.repeat(45) + '!');`],
  ])('is killed in %s, which is named', async ([, code], context) => {
    const { signal, stdout } = await startWatched(context, code, '30s').ended;
    expect(signal).toBe('SIGKILL');
    expect(lastLine(stdout)).toMatchObject({ command: 'spin' });
  });

  it('is killed in native code, which has no name', async (context) => {
    const code = `(await import('node:crypto')).pbkdf2Sync('a', 'b', 2e9, 64, 'sha512');`;
    const { signal, stdout } = await startWatched(context, code, '2s').ended;
    expect(signal).toBe('SIGKILL');
    expect(lastLine(stdout)).toMatchObject({
      msg: 'the event loop was blocked for 2s; the process is ended by the watchdog',
    });
  });

  // At the same time: most of it is waiting.
  it.concurrent.for<[string, string, number, readonly string[]]>([
    ['SIGSTOP of 5 s', '', 5, []],
    ['SIGSTOP of 70 s', '', 70, []],
    ['SIGSTOP of 150 s', '', 150, []],
    ['a loop of 20 s', spinFor(20_000), 0, []],
    ['a loop of 40 s with a debugger', spinFor(40_000), 0, ['--inspect=0']],
    [
      'a wait of 40 s without CPU time',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40_000);',
      0,
      [],
    ],
    [
      'the same next to a busy thread',
      `const { Worker } = await import('node:worker_threads');
      new Worker(${JSON.stringify(spinFor(40_000))}, { eval: true }).unref();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 40_000);`.replaceAll('\n', ' '),
      0,
      [],
    ],
  ])('survives %s', async ([, code, stopSeconds, flags], context) => {
    const bot = startWatched(context, code, '30s', flags);
    await bot.said('over');
    if (stopSeconds > 0) {
      bot.child.kill('SIGSTOP');
      await systemClock.sleep(stopSeconds * 1_000);
      bot.child.kill('SIGCONT');
    }
    await systemClock.sleep(5_000);
    expect(bot.child.signalCode).toBe(null);
  });
});
