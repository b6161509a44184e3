import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { startInteractionPlatform } from './interaction-platform.js';
import { isBuilt, spawnBot, type SpawnedBot } from './spawned-bot.js';

const RESTARTING = 'The bot is restarting. Please try again in a moment.';
const LONG = { timeout: 60_000 };

async function open(command: string, start?: string) {
  const platform = await startInteractionPlatform({ clock: systemClock, windowMs: 600_000 });
  const bot = spawnBot(platform, command, start);
  await vi.waitFor(() => expect(platform.bots).toBe(1), LONG);
  return { platform, bot };
}

const printed = (bot: SpawnedBot, text: string): Promise<void> =>
  vi.waitFor(() => expect(bot.output).toContain(text), LONG);

/** A command that ends when its process receives a message. */
const UNTIL_MESSAGE = `export const description = 'x';
export const config = { defer: 'now' };
export default async () => {
  await new Promise((resolve) => process.once('SIGUSR2', resolve));
  return 'done';
};`;

describe.skipIf(!isBuilt)('SIGTERM', () => {
  it('answers new commands with one line, lets a handler end, sends its answer, and ends with 0', async () => {
    const { platform, bot } = await open(UNTIL_MESSAGE);
    const running = platform.run();
    await vi.waitFor(() => expect(running.shown).toBe('thinking'), LONG);
    bot.child.kill('SIGTERM');
    await printed(bot, 'waiting for 1 handler');
    const late = platform.run();
    await vi.waitFor(() => expect(late.content).toBe(RESTARTING), LONG);
    expect([late.answers, running.shown]).toEqual([1, 'thinking']);
    bot.child.kill('SIGUSR2');
    expect(await bot.ended).toBe(0);
    expect(running).toMatchObject({ shown: 'answer', content: 'done', answers: 1 });
    expect(platform.bots).toBe(0);
  });

  it('closes a deferred command with a text when its time is up', async () => {
    const { platform, bot } = await open(
      UNTIL_MESSAGE,
      `const log = createLog();
const { project } = await loadProject(manifest, { importModule: async (file) => modules[file] });
const bot = await startBot({ token, baseUrl, gatewayUrl, project, log, sync: 'never', drainMs: 50 });
closeOnSignal(() => bot.close());`,
    );
    const running = platform.run();
    await vi.waitFor(() => expect(running.shown).toBe('thinking'), LONG);
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
    expect(running).toMatchObject({ shown: 'answer', content: RESTARTING, answers: 1 });
  });

  it('ends at once on a second signal, whatever still runs', async () => {
    const { platform, bot } = await open(UNTIL_MESSAGE);
    const running = platform.run();
    await vi.waitFor(() => expect(running.shown).toBe('thinking'), LONG);
    bot.child.kill('SIGTERM');
    await printed(bot, 'waiting for 1 handler');
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(130);
  });
});

describe.skipIf(!isBuilt)('an unawaited promise that rejects', () => {
  it('is logged with its command, and ends neither the process nor another command', async () => {
    const { platform, bot } = await open(`export const description = 'x';
export default () => {
  void Promise.reject(new Error('forgotten'));
  return 'done';
};`);
    const first = platform.run();
    await vi.waitFor(() => expect(first.content).toBe('done'), LONG);
    await printed(bot, 'unhandled rejection in /x: forgotten');
    const second = platform.run();
    await vi.waitFor(() => expect(second.content).toBe('done'), LONG);
    bot.child.kill('SIGTERM');
    expect(await bot.ended).toBe(0);
  });

  it('differs from an uncaught exception, which ends the process', async () => {
    const { platform, bot } = await open(`export const description = 'x';
export default () => {
  setImmediate(() => { throw new Error('half-done'); });
  return 'done';
};`);
    platform.run();
    expect(await bot.ended).toBe(1);
    expect(bot.output).toContain('half-done');
  });
});
