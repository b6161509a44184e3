import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import type { CommandContext } from '../../src/command/context/command-context.js';
import type { RecordedLog } from '../recorded-log.js';
import type { Act } from '../../../simulator/test/shared/gated-simulator.js';
import { startInteractionPlatform } from './interaction-platform.js';
import { openInteractionWorld } from './interaction-world.js';
import { isBuilt, spawnBot } from './spawned-bot.js';

/** A handler that takes the given time. */
const taking =
  (ms: number) =>
  async ({ clock }: CommandContext): Promise<string> => {
    await clock.sleep(`${ms}ms`);
    return 'done';
  };

/** Returns the age that the log names of the command that expired. */
const expiredAge = ({ lines }: RecordedLog): unknown =>
  lines.find(({ message }) => message.includes('as expired'))?.details['ageMs'];

/** Lets the first `times` requests of one kind fail. */
function failing(call: string, act: Act, times = 1) {
  let left = times;
  return (made: string): Act | undefined => (made === call && left-- > 0 ? act : undefined);
}

describe('58: a handler that is slower than the window', () => {
  it('is deferred 1.5 s after its receipt, and answered when it is done', async () => {
    const world = await openInteractionWorld({ run: taking(10_000) });
    const seen = world.platform.run();
    await world.push(50, () => expect(seen.shown).toBe('thinking'));
    expect(seen.agesMs[0]).toBeGreaterThanOrEqual(1_500);
    expect(seen.agesMs[0]).toBeLessThanOrEqual(1_700);
    await world.push(500, () => expect(seen.shown).toBe('answer'));
    expect(seen).toMatchObject({
      calls: ['defer 200', 'response 200'],
      answers: 1,
      content: 'done',
    });
    await world.end();
  });

  it('is deferred by 1.5 s though the event loop lags by 500 ms', async () => {
    const world = await openInteractionWorld({ run: taking(10_000) });
    const seen = world.platform.run();
    await world.arrive(() => expect(world.bot.running).toBe(1));
    // The loop comes to its timers every 500 ms only, and the next time 400 ms after the defer is due.
    world.clock.stall(400);
    for (let n = 0; n < 2; n += 1) {
      await world.clock.advance(0);
      world.clock.stall(500);
    }
    await world.arrive(() => expect(seen.shown).toBe('thinking'));
    expect(seen.agesMs[0]).toBe(1_400);
    expect(world.log.at('warn')).toEqual([]);
    await world.push(500, () => expect(seen.content).toBe('done'));
    expect(seen.isExpired).toBe(false);
    await world.end();
  });
});

describe('59: a defer that fails', () => {
  it.each<readonly [string, Act]>([
    ['is answered 503 and was carried out', { reply: { status: 503 } }],
    ['is answered 503 and was not carried out', { takesEffect: false, reply: { status: 503 } }],
    [
      'is answered 429 with Retry-After 1',
      { takesEffect: false, reply: { status: 429, headers: { 'retry-after': '1' } } },
    ],
    ['has its connection reset', { reply: 'reset' }],
  ])('%s: it is sent again, and the answer comes once', async (_, act) => {
    const world = await openInteractionWorld({
      run: taking(8_000),
      script: failing('POST defer', act),
    });
    const seen = world.platform.run();
    await world.push(100, () => expect(seen.calls).toHaveLength(2));
    await world.push(500, () => expect(seen.content).toBe('done'));
    expect(seen).toMatchObject({ answers: 1, followUps: [], isExpired: false });
    expect(seen.calls.slice(1)).toEqual(['defer 200', 'response 200']);
    expect(await world.outcome()).toMatchObject({ outcome: 'answered', retries: 1 });
    await world.end();
  });

  it('is never answered: the command is answered anyway, once', async () => {
    const world = await openInteractionWorld({
      run: taking(40_000),
      script: failing('POST defer', { reply: 'stall' }, 9),
    });
    const seen = world.platform.run();
    await world.push(500, () => expect(seen.content).toBe('done'));
    expect(seen).toMatchObject({ shown: 'answer', answers: 1 });
    await world.end();
  });

  it('is answered 429 for longer than there is time: the command is answered when it is done', async () => {
    const world = await openInteractionWorld({
      run: taking(2_500),
      script: failing('POST defer', {
        takesEffect: false,
        reply: { status: 429, headers: { 'retry-after': '600' } },
      }),
    });
    const seen = world.platform.run();
    await world.push(100, () => expect(seen.calls.at(-1)).toBe('response 200'));
    expect(seen).toMatchObject({ shown: 'answer', answers: 1, content: 'done' });
    await world.end();
  });
});

describe('60: an answer after the expiry', () => {
  it('is refused once and logged, with the age of the command', async () => {
    const world = await openInteractionWorld({ run: taking(4_000), windowMs: 1_000 });
    const late = world.platform.run();
    await world.push(100, () => expect(late.calls).toEqual(['defer 404']));
    await world.push(500, () => expect(world.bot.running).toBe(0));
    // Nothing is sent for an interaction that is over.
    expect(late).toMatchObject({ calls: ['defer 404'], answers: 0, isExpired: true });
    expect(world.log.at('error')).toContainEqual(expect.stringContaining('/x'));
    expect(expiredAge(world.log)).toBeGreaterThanOrEqual(1_500);
    await world.end();
  });

  it('does not happen when the profile states the shorter window', async () => {
    const world = await openInteractionWorld({
      run: taking(4_000),
      windowMs: 1_000,
      profile: { answerWindowMs: 1_000 },
    });
    const seen = world.platform.run();
    await world.push(50, () => expect(seen.shown).toBe('thinking'));
    expect(seen.agesMs[0]).toBeLessThan(1_000);
    await world.push(500, () => expect(seen.content).toBe('done'));
    expect(seen.answers).toBe(1);
    await world.end();
  });

  it('ends a command that is never deferred without a second try', async () => {
    const world = await openInteractionWorld({ run: taking(4_000), defer: 'never' });
    const late = world.platform.run();
    await world.push(500, () => expect([world.bot.running, late.calls.length]).toEqual([0, 1]));
    expect(late).toMatchObject({ calls: ['response 404'], answers: 0 });
    expect(expiredAge(world.log)).toBeGreaterThanOrEqual(4_000);
    await world.end();
  });
});

describe('61: an answer and a defer in the same tick', () => {
  it('lead to one answer and to no refusal, whichever comes first by a millisecond', async () => {
    for (const ms of [1_498, 1_499, 1_500, 1_501, 1_502]) {
      const world = await openInteractionWorld({ run: taking(ms) });
      const seen = world.platform.run();
      await world.arrive(() => expect(world.bot.running).toBe(1));
      await world.clock.advance(1_490);
      // The loop turns once for all that falls due around the deadline.
      world.clock.stall(20);
      await world.push(0, () => expect(seen.shown).toBe('answer'));
      expect(seen).toMatchObject({ answers: 1, followUps: [], content: 'done' });
      expect([['response 200'], ['defer 200', 'response 200']]).toContainEqual(seen.calls);
      await world.end();
    }
  });
});

describe.skipIf(!isBuilt)(
  '62: a process that is killed after its answer, before it knows of it',
  () => {
    it('leaves an answer that the next process neither doubles nor writes over', async () => {
      const platform = await startInteractionPlatform({
        clock: systemClock,
        // Long enough for two processes to start.
        windowMs: 600_000,
        script: failing('POST response', { reply: 'stall' }),
      });
      const command = "export const description = 'x'; export default () => `from ${process.pid}`;";
      const first = spawnBot(platform, command);
      await vi.waitFor(() => expect(platform.bots).toBe(1), { timeout: 60_000 });
      platform.onCall = () => first.child.kill('SIGKILL');
      const seen = platform.run();
      expect(await first.ended).toBeNull();
      expect(seen).toMatchObject({ shown: 'answer', answers: 1, calls: ['response stall'] });

      const answered = seen.content;
      platform.onCall = () => {};
      const second = spawnBot(platform, command);
      await vi.waitFor(() => expect(platform.bots).toBe(1), { timeout: 60_000 });
      // Delivered again: it was not reported as handled.
      await platform.repeat(seen.id);
      await vi.waitFor(() => expect(second.output).toContain('"command":"x"'), { timeout: 60_000 });
      expect(seen).toMatchObject({ answers: 1, followUps: [], content: answered });
      expect(seen.calls.filter((call) => call.startsWith('edit'))).toEqual([]);
      second.child.kill('SIGTERM');
      expect(await second.ended).toBe(0);
    });
  },
);
