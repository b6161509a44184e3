import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser, type OpenOptions } from './browser-harness.js';
import { BOT, LOUNGE } from './sample-world.js';

/** Two packets of 20 ms of stereo Opus: a melody. */
const PACKETS = [
  'vMQSBUfs8tiKd8uBMLaW4OsHWDqMTT7vHkbMNlOWiFfozLDRB5t+SSUgF2yaWnNhf1SucmO+6G0hXtJgZ6xeDkiXl65PeaqrHGuxqTAE2ct4jYHomGqVv1rE36E7MvqsDL5gu07Qe2fDHri7wexke3Uinx+aBaYJHd0wvNpZFVX8reEquQ==',
  'vMPTkbN912spJcIA6Uw95cBBfLRg1l7eMc+kKjOSQY8cziFo4BD43lcHgaibsS3Fa5wigDX98pqw3mUE2MLYBgHbxbzqoOlvOqA88bkReAH3TSrG7CqeHTYtf++MeyzdFBbuQx1BQKernrzxZgQXeqmN2g5CBjDhen9w/kjx0Q0qnKzWuA==',
];

describe('the audio of a voice channel', () => {
  const harness = setUpBrowser();

  /** Opens the page while the bot publishes packets, or only silence. */
  async function open(options: OpenOptions = {}): Promise<Page> {
    harness.sim.setAudio((after) => ({
      packets: 512,
      lost: 3,
      isStereo: true,
      first: after,
      payloads: Array.from({ length: 12 }, (_, index) => PACKETS[index % 2] ?? ''),
    }));
    const page = await harness.open(options);
    const { botUserId, displayName } = BOT;
    harness.sim.push({
      type: 'voice',
      voice: {
        channelId: LOUNGE.id,
        participants: [{ userId: botUserId, username: 'demo-bot', displayName }],
        ingressOpen: true,
      },
    });
    return page;
  }

  it('shows who is there, the level and what is lost, and plays it', async () => {
    const page = await open();
    await page.getByText('stereo, 3 lost').waitFor();
    await page.getByRole('list', { name: 'In Lounge' }).getByText('Demo Bot').waitFor();
    const level = page.getByRole('meter', { name: 'Level in Lounge' });
    await expect
      .poll(() => level.evaluate((meter) => (meter as HTMLMeterElement).value), SOON)
      .toBeGreaterThan(20);
    const listen = page.getByRole('button', { name: 'Listen in Lounge' });
    expect(await listen.getAttribute('aria-pressed')).toBe('false');
    await listen.click();
    await expect.poll(() => listen.getAttribute('aria-pressed'), SOON).toBe('true');
    await listen.click();
    await expect.poll(() => listen.getAttribute('aria-pressed'), SOON).toBe('false');
  });

  it('shows silence as no level, and that nothing is published', async () => {
    const page = await open();
    // Frames of silence.
    const payloads = Array.from({ length: 12 }, () => '/P/+');
    harness.sim.setAudio((first) => ({ packets: 9, lost: 0, isStereo: false, first, payloads }));
    await page.getByText('mono, 0 lost').waitFor();
    const level = page.getByRole('meter', { name: 'Level in Lounge' });
    await expect
      .poll(() => level.evaluate((meter) => (meter as HTMLMeterElement).value), SOON)
      .toBe(0);
    harness.sim.setAudio(() => null);
    await page.getByText('ingress open, no audio').waitFor();
    harness.sim.push({
      type: 'voice',
      voice: { channelId: LOUNGE.id, participants: [], ingressOpen: false },
    });
    await expect.poll(() => page.getByText('ingress open').count(), SOON).toBe(0);
  });

  it('survives a packet that cannot be decoded', async () => {
    const page = await open();
    const broken = { packets: 1, lost: 0, isStereo: true, payloads: ['/w=='] };
    harness.sim.setAudio((first) => ({ ...broken, first }));
    await page.getByText('stereo, 0 lost').waitFor();
    harness.sim.setAudio((first) => ({ ...broken, first, lost: 1, payloads: PACKETS }));
    await page.getByText('stereo, 1 lost').waitFor();
    const level = page.getByRole('meter', { name: 'Level in Lounge' });
    await expect
      .poll(() => level.evaluate((meter) => (meter as HTMLMeterElement).value), SOON)
      .toBeGreaterThan(20);
  });
});
