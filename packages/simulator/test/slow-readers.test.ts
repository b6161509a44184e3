import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openPlatform, type Platform } from './open-platform.js';

/** Emits more events than a socket may leave unread, without a pause for reading. */
function flood({ simulator }: Platform, events = 12_000): void {
  for (let count = 0; count < events; count += 1) {
    simulator.sendMessage({ content: 'x'.repeat(2000) });
  }
}

describe('a socket that does not keep up', () => {
  it('is ended when it is the bot', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect();
    flood(platform);
    expect(await bot.closeCode()).toBe(1006);
    expect(platform.simulator.snapshot().bot.connected).toBe(false);
    const next = await platform.connect();
    expect(await next.eventNames()).toEqual([]);
  });

  it('is ended when it is a page', async () => {
    const platform = await openPlatform();
    const page = new WebSocket(`${platform.simulator.gatewayUrl}/_ui`);
    onTestFinished(() => page.terminate());
    await new Promise((resolve) => page.once('message', resolve));
    flood(platform);
    await vi.waitFor(() => expect(page.readyState).toBe(page.CLOSED), 60_000);
  });

  it('does not keep the simulator from closing', async () => {
    const platform = await openPlatform();
    const page = new WebSocket(`${platform.simulator.gatewayUrl}/_ui`);
    onTestFinished(() => page.terminate());
    await new Promise((resolve) => page.once('message', resolve));
    page.pause();
    flood(platform, 5_000);
    await expect(platform.simulator.close()).resolves.toBeUndefined();
  });
});
