import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { startInteractionPlatform } from './interaction-platform.js';
import { isBuilt, spawnBot } from './spawned-bot.js';

/** A command whose module keeps its process alive. */
const ALIVE = `setInterval(() => {}, 1_000);
export const description = 'x';
export default () => 'done';`;

describe.skipIf(!isBuilt)('a built bot that cannot continue', () => {
  it('ends with 78 when its token is revoked, although a module of it is alive', async () => {
    const platform = await startInteractionPlatform({ clock: systemClock });
    const bot = spawnBot(platform, ALIVE);
    await vi.waitFor(() => expect(platform.bots).toBe(1), { timeout: 60_000 });
    await platform.revokeToken();
    expect(await bot.ended).toBe(78);
    expect(bot.output).toContain('The bot token was refused');
  });

  it('ends with 78 when it cannot start, although a module of it is alive', async () => {
    const platform = await startInteractionPlatform({ clock: systemClock });
    await platform.revokeToken();
    const unauthorized = spawnBot(platform, ALIVE);
    const misconfigured = spawnBot(
      platform,
      ALIVE,
      `delete process.env.BOT_TOKEN; await runBot({ manifest, modules });`,
    );
    expect(await unauthorized.ended).toBe(78);
    expect(unauthorized.output).toContain('E_UNAUTHORIZED');
    expect(await misconfigured.ended).toBe(78);
    expect(misconfigured.output).toContain('E_TOKEN_MISSING');
  });
});
