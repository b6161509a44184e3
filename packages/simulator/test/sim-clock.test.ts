import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createSimClock } from '../src/simulator/sim-clock.js';
import { openPlatform, refusalOf, type Platform } from './open-platform.js';
import { runCommand } from './run-command.js';

const move = (platform: Platform, input: object) => platform.act('clock', input);

const states = (platform: Platform): string[] =>
  platform.simulator.snapshot().interactions.map(({ state }) => state);

describe('clock', () => {
  it('is the real time at first', async () => {
    const platform = await openPlatform();
    expect((await platform.act('clock')).body).toEqual({
      now: '2026-01-01T00:00:00.000Z',
      isPaused: false,
      nextDeadline: null,
      deadlines: [],
    });
  });

  it('expires nothing during a pause, and continues where it was', async () => {
    const platform = await openPlatform();
    await runCommand(platform);
    await platform.clock.advance(2_000);
    await move(platform, { action: 'pause' });
    await platform.clock.advance(60_000);
    expect(states(platform)).toEqual(['waiting']);
    // A command during the pause waits as well.
    await runCommand(platform);
    await platform.clock.advance(60_000);
    const paused = { now: '2026-01-01T00:00:02.000Z', isPaused: true };
    expect((await platform.act('clock')).body).toMatchObject(paused);
    expect((await move(platform, { action: 'resume' })).body).toMatchObject({ isPaused: false });
    await platform.clock.advance(999);
    expect(states(platform)).toEqual(['waiting', 'waiting']);
    await platform.clock.advance(1);
    expect(states(platform)).toEqual(['expired', 'waiting']);
    await platform.clock.advance(2_000);
    expect(states(platform)).toEqual(['expired', 'expired']);
  });

  it('skips time: what is due by then happens, also during a pause', async () => {
    const platform = await openPlatform();
    await move(platform, { action: 'pause' });
    await runCommand(platform);
    await move(platform, { action: 'skip', time: '2999ms' });
    await platform.clock.advance(0);
    expect(states(platform)).toEqual(['waiting']);
    await move(platform, { action: 'skip', time: '1ms' });
    await platform.clock.advance(0);
    expect(states(platform)).toEqual(['expired']);
    const { createdAt } = platform.simulator.sendMessage({ content: 'Later' });
    expect(createdAt).toBe('2026-01-01T00:00:03.000Z');
  });

  it('skips to the next deadline: of an interaction, an upload, then a task', async () => {
    const platform = await openPlatform();
    platform.simulator.upload({ name: 'a.txt', data: new Uint8Array(1) });
    await runCommand(platform);
    const next = { action: 'next' };
    expect((await platform.act('clock')).body).toMatchObject({
      deadlines: [
        { kind: 'answer', name: '/ask', at: '2026-01-01T00:00:03.000Z' },
        { kind: 'upload', name: 'a.txt', at: '2026-01-01T00:15:00.000Z' },
      ],
    });
    expect((await move(platform, next)).body).toMatchObject({ now: '2026-01-01T00:00:03.000Z' });
    await platform.clock.advance(0);
    expect(states(platform)).toEqual(['expired']);
    const runs = [{ at: '2026-01-01T00:00:01.000Z' }, { at: '2026-01-02T09:00:00.000Z' }];
    const task = { name: 'digest', schedule: 'every 1d', runs };
    platform.simulator.answerWith(async () => ({ value: [task] }));
    const at = '2026-01-02T09:00:00.000Z';
    expect((await move(platform, next)).body).toEqual({
      now: '2026-01-01T00:15:00.000Z',
      isPaused: false,
      nextDeadline: at,
      deadlines: [{ kind: 'task', name: 'digest', at, timing: 'every 1d' }],
    });
    expect((await move(platform, next)).body).toMatchObject({ nextDeadline: null });
    expect(refusalOf(await move(platform, next))).toMatchObject({ field: 'action' });
  });

  it('leaves connections alone, and reports each change to the page', async () => {
    const platform = await openPlatform();
    const clocks: unknown[] = [];
    platform.simulator.on((event) => event.type === 'clock' && clocks.push(event.clock));
    const bot = await platform.connect();
    await move(platform, { action: 'skip', time: '1d' });
    await platform.clock.advance(1_000);
    expect(await bot.eventNames()).toEqual([]);
    await move(platform, { action: 'pause' });
    expect(clocks).toEqual([
      { offsetMs: 86_400_000, pausedAtMs: null },
      { offsetMs: 86_400_000, pausedAtMs: Date.UTC(2026, 0, 2, 0, 0, 1) },
    ]);
    expect(platform.simulator.snapshot().clock).toEqual(clocks[1]);
  });

  it.each([
    { action: 'skip' },
    { action: 'skip', time: '0s' },
    { action: 'skip', time: '366d' },
    { time: '5m' },
    { action: 'rewind' },
  ])('refuses %j', async (body) => {
    const platform = await openPlatform();
    expect((await move(platform, body)).status).toBe(400);
  });
});

describe('event', () => {
  const send = (platform: Platform, event: string, payload: object) =>
    platform.act('event', { event, payload });

  it('sends the bot what was written by hand, and changes nothing', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ intents: ['SERVER_VOICE'] });
    const before = platform.simulator.snapshot();
    const d = { made: 'up' };
    expect((await send(platform, 'VOICE_STATE_UPDATE', d)).body).toEqual({
      sockets: 1,
      payload: d,
    });
    // This event has no known intent.
    expect((await send(platform, 'CHANNEL_RENAMED', d)).body).toEqual({ sockets: 1, payload: d });
    expect((await send(platform, 'MESSAGE_CREATE', d)).body).toEqual({ sockets: 0, payload: d });
    expect(await bot.eventNames()).toEqual(['VOICE_STATE_UPDATE', 'CHANNEL_RENAMED']);
    expect(bot.frames.find(({ t }) => t === 'CHANNEL_RENAMED')?.d).toEqual(d);
    expect(platform.simulator.snapshot()).toEqual(before);
    expect(platform.simulator.trace().map(({ what }) => what)).toContain('CHANNEL_RENAMED');
  });

  it('refuses a payload that is no object', async () => {
    const platform = await openPlatform();
    const reply = await platform.act('event', { event: 'X', payload: 1 });
    expect(refusalOf(reply)).toEqual({
      status: 400,
      code: 'bot_validation_error',
      field: 'payload',
    });
  });
});

describe('createSimClock', () => {
  it('has the same time during a pause, although the readings of the real clock differ', () => {
    // The wall clock of a machine counts whole milliseconds, and is adjusted.
    const real = { ...createFakeClock(), now: () => wallMs, monotonic: () => monotonicMs };
    let wallMs = 1_000;
    let monotonicMs = 1.5;
    const { clock, pause, resume, skip } = createSimClock(real, () => {});
    pause();
    wallMs = 1_001;
    monotonicMs = 1.9;
    expect([clock.now(), clock.monotonic()]).toEqual([1_000, 1.5]);
    skip(100);
    expect(clock.now()).toBe(1_100);
    resume();
    expect([clock.now(), clock.monotonic()]).toEqual([1_100, 101.5]);
  });
});
