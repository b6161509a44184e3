import { describe, expect, it } from 'vitest';
import { refused } from '../../../test/client-failures.js';
import { startCommand } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';

describe('the deferral of a command', () => {
  const slow = (definition: Parameters<typeof startCommand>[0] | object = {}) =>
    startCommand({
      run: async ({ clock }) => {
        await clock.sleep('4s');
        return 'done';
      },
      ...definition,
    });

  it('comes 1.5 s after the receipt of the command, not after its start', async () => {
    const bot = await slow();
    bot.type('/x', { agoMs: 400 });
    await bot.clock.advance(1_098);
    expect(bot.lines).toEqual([]);
    await bot.clock.advance(2);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond done']);
  });

  it('does not come when the handler is faster', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('1s');
        return 'done';
      },
    });
    bot.type('/x');
    await bot.clock.advance(10_000);
    expect(bot.lines).toEqual(['respond done']);
    expect(bot.clock.pending).toBe(0);
  });

  it('is not sent while the answer is in flight', async () => {
    const bot = await startCommand({ run: () => 'done' });
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['respond done']);
    held.settle();
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond done']);
  });

  it('makes no difference to the answer when both fall into one moment', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('1500ms');
        return 'done';
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_500);
    await bot.bot.idle();
    expect(bot.lines.filter((line) => line !== 'defer')).toEqual(['respond done']);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('comes at once with "now", and the answer after it', async () => {
    const bot = await startCommand({ defer: 'now', run: () => 'done' });
    expect(await bot.run('/x')).toEqual(['defer', 'respond done']);
  });

  it('comes at the time that is set, or never', async () => {
    const late = await slow({ defer: '3s' });
    late.type('/x');
    await late.clock.advance(2_998);
    expect(late.lines).toEqual([]);
    await late.clock.advance(2);
    expect(late.lines).toEqual(['defer']);

    const never = await slow({ defer: 'never' });
    never.type('/x');
    await never.clock.advance(10_000);
    expect(never.lines).toEqual(['respond done']);
  });

  it('can be asked for by the handler, and then does not come by itself', async () => {
    const bot = await slow({
      run: async ({ defer, clock }: CommandContext) => {
        await defer();
        await clock.sleep('4s');
        return 'done';
      },
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond done']);
  });

  it('is an acknowledgement for a silent command', async () => {
    const bot = await slow({ silent: true });
    bot.type('/x');
    await bot.clock.advance(1_500);
    expect(bot.lines).toEqual(['ack']);
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['ack', 'respond done']);
  });

  it('leaves a silent command that stays silent acknowledged once', async () => {
    const bot = await startCommand({
      silent: true,
      run: async ({ clock }) => clock.sleep('4s'),
    });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['ack']);
  });

  it('is filled in when the command turns out to be silent', async () => {
    const run = async ({ clock }: CommandContext): Promise<null> => {
      await clock.sleep('4s');
      return null;
    };
    const bot = await startCommand({ run });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond Done.']);

    const worded = await startCommand({ run }, { texts: { silent: 'Erledigt.' } });
    worded.type('/x');
    await worded.clock.advance(5_000);
    expect(worded.lines).toEqual(['defer', 'respond Erledigt.']);
  });

  it('is filled in also when it is unknown whether it arrived', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('4s');
        return null;
      },
    });
    bot.rest.once('interactions.defer', refused(503));
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'defer', 'respond Done.']);
    expect(bot.log.at('warn')).toEqual(['a call of /x failed; retrying']);
  });

  it('is sent at once when the command was handed over late, and the event loop is named as the cause', async () => {
    const onTime = await slow();
    onTime.type('/x', { agoMs: 200 });
    expect(onTime.log.at('warn')).toEqual([]);

    const late = await slow();
    await late.clock.advance(2_000);
    late.type('/x', { agoMs: 1_701 });
    await late.clock.advance(0);
    expect(late.lines).toEqual(['defer']);
    expect(late.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'the event loop was blocked: /x was started 1701 ms late',
        details: { command: 'x', interactionId: expect.any(String), lateMs: 1_701 },
      },
    ]);
  });

  it('that is late since the command came before the bot was there says so', async () => {
    const bot = await slow();
    bot.type('/x', { agoMs: 1_701 });
    expect(bot.log.at('warn')).toEqual(['the bot was starting: /x was started 1701 ms late']);
  });

  it('that comes late because the event loop was busy names that as the cause, in ms', async () => {
    const bot = await slow();
    bot.type('/x');
    await bot.clock.advance(1_000);
    bot.clock.stall(750);
    await bot.clock.advance(0);
    expect(bot.lines).toEqual(['defer']);
    expect(bot.log.at('warn')).toEqual(['the event loop was blocked: /x was deferred 250 ms late']);
    await bot.clock.advance(5_000);
    expect(bot.log.lines.at(-1)).toMatchObject({
      message: '/x answered',
      details: { lateMs: 250 },
    });
  });

  it('is sent before its time when the event loop lags: its next turn may be too late', async () => {
    const bot = await slow();
    bot.type('/x');
    bot.clock.stall(1_100);
    await bot.clock.advance(0);
    expect(bot.lines).toEqual(['defer']);
    expect(bot.log.at('warn')).toEqual([]);
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond done']);
    expect(bot.log.lines.at(-1)?.details).not.toHaveProperty('lateMs');
  });

  it('does not come any more when the handler ended before its time, lag or not', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('1200ms');
        return 'done';
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_010);
    bot.clock.stall(190);
    await bot.clock.advance(10_000);
    expect(bot.lines).toEqual(['respond done']);
    expect(bot.clock.pending).toBe(0);
  });

  it('that is up to 200 ms late is not logged', async () => {
    const bot = await slow();
    bot.type('/x');
    await bot.clock.advance(1_000);
    bot.clock.stall(700);
    await bot.clock.advance(5_000);
    expect(bot.log.at('warn')).toEqual([]);
    expect(bot.log.lines.at(-1)?.details).not.toHaveProperty('lateMs');
  });

  it('that is refused leaves the command to its answer', async () => {
    const bot = await slow();
    bot.rest.once('interactions.defer', refused(403));
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond done']);
  });
});
