import type { SimMessagePage, SimPast, SimSnapshot } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';

const rangeOf = async (platform: Platform): Promise<SimPast> =>
  ((await platform.act('state')).body as { past: SimPast }).past;

/** Returns the state that a page shows of a moment; without one, of the present. */
async function shown(platform: Platform, moment?: number) {
  const at = moment === undefined ? {} : { moment };
  const snapshot = (await platform.act('world', at)).body as SimSnapshot;
  return { snapshot, page: (await platform.act('messages', at)).body as SimMessagePage };
}

describe('the past', () => {
  it('has the world after each change, as it was, with a paused clock', async () => {
    const platform = await openPlatform();
    const states: { moment: number; atMs: number; json: string }[] = [];
    const keep = async () => {
      const { last: moment } = await rangeOf(platform);
      const now = await shown(platform);
      const { clock: _clock, ...snapshot } = now.snapshot;
      const json = JSON.stringify({ ...now, snapshot });
      states.push({ moment, atMs: platform.clock.now(), json });
      await platform.clock.advance(1_000);
    };
    await keep();
    const { id } = platform.simulator.sendMessage({ content: 'first' });
    await keep();
    platform.simulator.react({ messageId: id, emoji: '🎉' });
    await keep();
    await platform.act('channel', {
      id: platform.channelId('general'),
      topic: 'Changed',
      visibleToBot: true,
    });
    await keep();
    const run = await runCommand(platform);
    await keep();
    await platform.call(
      'interactions.respond',
      { interactionId: run.id },
      { body: { content: 'yes' } },
    );
    await keep();
    // Replaces the world; changes follow.
    await platform.act('reset');
    await keep();
    platform.simulator.sendMessage({ content: 'after the reset' });
    await keep();
    for (const { moment, atMs, json } of states) {
      const past = await shown(platform, moment);
      const { clock, ...snapshot } = past.snapshot;
      expect(JSON.stringify({ ...past, snapshot })).toBe(json);
      expect(clock.pausedAtMs).toBe(atMs);
    }
    expect((await shown(platform)).page.messages.at(-1)?.content).toBe('after the reset');
  });

  it('keeps the last 5,000 changes at least, and refuses what is not kept', async () => {
    const platform = await openPlatform();
    const { first } = await rangeOf(platform);
    const startMs = platform.clock.now();
    for (let n = 0; n < 12_000; n += 1) {
      if (n % 100 === 0) await platform.clock.advance(1);
      platform.simulator.sendMessage({
        content: `m${n}`,
        channel: n % 2 === 0 ? 'general' : 'bot-spam',
      });
    }
    const range = await rangeOf(platform);
    const kept = range.last - range.first;
    expect(kept).toBeGreaterThanOrEqual(5_000);
    expect(kept).toBeLessThanOrEqual(10_000);
    for (const moment of [range.first, range.first + 1, range.last - 1]) {
      const { page, snapshot } = await shown(platform, moment);
      const newest = 12_000 - 1 - (range.last - moment);
      expect(page.messages.at(-1)?.content).toBe(`m${newest - (newest % 2)}`);
      expect(snapshot.clock.pausedAtMs).toBe(startMs + 1 + Math.floor(newest / 100));
    }
    for (const moment of [first, range.last + 1, -1]) {
      const reply = await platform.act('world', { moment });
      expect([moment, reply.status]).toEqual([moment, 404]);
    }
  });

  it('keeps at most three changes that replaced the world', async () => {
    const platform = await openPlatform();
    const moments: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      platform.simulator.sendMessage({ content: `m${n}` });
      await platform.act('reset');
      moments.push((await rangeOf(platform)).last);
    }
    expect((await rangeOf(platform)).first).toBe(moments[1]);
    const { messages } = (await shown(platform, moments[2])).page;
    expect(messages.filter(({ content }) => /^m\d$/.test(content))).toEqual([]);
  });

  it('is found by the rows of the trace', async () => {
    const platform = await openPlatform();
    await platform.connect();
    const run = await runCommand(platform);
    await platform.call('interactions.defer', { interactionId: run.id });
    platform.simulator.sendMessage({ content: 'later' });
    const rows = platform.simulator.trace();
    const moments = rows.map(({ moment }) => moment);
    expect(moments).toEqual(moments.toSorted((a, b) => a - b));
    const defer = rows.find(({ what }) => what.endsWith('/defer'));
    const { snapshot, page } = await shown(platform, defer?.moment);
    expect(snapshot.interactions.at(-1)?.state).toBe('deferred');
    expect(page.messages.some(({ content }) => content === 'later')).toBe(false);
  });
});
