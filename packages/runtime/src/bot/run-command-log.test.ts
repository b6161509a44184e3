import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { gone, unreachable } from '../../test/client-failures.js';
import { interactionId } from '../../test/ids.js';
import { startCommand, startTestBot, type TestBot } from '../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { Middleware } from '../define/define-middleware.js';

const lineOf = ({ log }: TestBot) => log.lines.filter(({ level }) => level === 'info').at(-1);
const detailsOf = (bot: TestBot) => lineOf(bot)?.details;

describe('the log line of a command', () => {
  it('has the times of the queue, of parsing, middleware, handler and REST', async () => {
    const around: Middleware = async ({ clock }, next) => {
      await clock.sleep('100ms');
      await next();
      await clock.sleep('30ms');
    };
    const bot = await startTestBot({
      'commands/_middleware.ts': { default: around },
      'commands/x.ts': {
        default: {
          description: 'x',
          options: z.object({
            n: z.int().refine(async () => {
              await bot.clock.sleep(20);
              return true;
            }),
          }),
          run: async ({ clock }: CommandContext) => {
            await clock.sleep('200ms');
            return 'done';
          },
        },
      },
    });
    bot.rest.once('interactions.respond', () => bot.clock.sleep(50));
    bot.type('/x 1', { agoMs: 5 });
    await bot.clock.advance(1_000);
    expect(lineOf(bot)).toEqual({
      level: 'info',
      message: '/x answered',
      details: {
        command: 'x',
        interactionId: interactionId(1),
        outcome: 'answered',
        result: 'ok',
        ms: 405,
        queueMs: 5,
        parseMs: 20,
        middlewareMs: 130,
        handlerMs: 200,
        restMs: 50,
        calls: 1,
      },
    });
  });

  it('is written once for each interaction, whatever its outcome', async () => {
    const bot = await startCommand({
      timeout: '3s',
      options: z.object({ how: z.string() }),
      run: ({ options, signal }) => {
        if (options.how === 'throw') throw new Error('broken');
        if (options.how === 'hang') return new Promise(() => signal.aborted);
        return options.how === 'silence' ? null : 'done';
      },
    });
    for (const line of ['/x answer', '/x silence', '/x throw', '/x', '/x hang']) bot.type(line);
    await bot.clock.advance(3_000);
    const reported = bot.log.lines
      .filter(({ level, message }) => level === 'info' && message.startsWith('/x'))
      .map(({ message, details }) => [message, details['outcome'], details['result']].join(', '));
    expect(reported.toSorted()).toEqual([
      '/x acknowledged, acknowledged, ok',
      '/x answered, answered, input',
      '/x answered, answered, ok',
      '/x failed, answered, failed',
      '/x failed, answered, timed-out',
    ]);
  });

  it('counts the calls, and how often the client repeated one', async () => {
    const bot = await startCommand({
      run: async ({ reply }) => {
        await reply('one');
        return 'two';
      },
    });
    // The client calls onRetry for each retry.
    bot.rest.observeCalls((options) => {
      options.onRetry?.();
      options.onRetry?.();
    });
    await bot.run('/x');
    expect(detailsOf(bot)).toMatchObject({ calls: 2, retries: 4 });
  });

  it('is not even put together when the level is off', async () => {
    const reads: string[] = [];
    const bot = await startCommand({ run: () => 'done' }, { keepsInfo: false });
    bot.rest.observeCalls(({ onRetry }) => onRetry && void reads.push('observed'));
    await bot.run('/x');
    expect(bot.log.at('info').filter((line) => line.startsWith('/x'))).toEqual([]);
    expect(reads).toEqual([]);
  });

  it('names a busy event loop as the cause of an expiry, with its lateness', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('3s');
        return 'done';
      },
    });
    bot.rest.once('interactions.defer', gone());
    bot.type('/x');
    await bot.clock.advance(0);
    bot.clock.stall(3_400);
    await bot.clock.advance(5_000);
    expect(bot.log.at('warn')[0]).toBe('the event loop was blocked: /x was deferred 1900 ms late');
    expect(bot.log.at('error')).toContainEqual(
      expect.stringContaining(
        '(the event loop was blocked for 1900 ms before it could be deferred)',
      ),
    );
    expect(detailsOf(bot)).toMatchObject({ outcome: 'expired', lateMs: 1_900 });
    // It says nothing of the platform.
    expect(bot.bot.answerWindow.refusedMs).toBeUndefined();
  });

  it('reports an answer that never arrived', async () => {
    const bot = await startCommand({ run: () => 'done' });
    bot.rest.always('interactions.respond', unreachable());
    bot.type('/x');
    await bot.clock.advance(15 * 60_000);
    expect(lineOf(bot)).toMatchObject({
      message: '/x failed',
      details: { outcome: 'received', result: 'failed' },
    });
    const { calls, retries } = lineOf(bot)?.details ?? {};
    // Each attempt but the first is a retry, and the final reply is tried once more.
    expect(retries).toBe(Number(calls) - 2);
  });
});

describe('the window of the platform', () => {
  const slow = () =>
    startCommand({
      run: async ({ clock }) => {
        await clock.sleep('4s');
        return 'done';
      },
    });

  it('is learned from a command that expired: the next one is deferred in time', async () => {
    const bot = await slow();
    bot.rest.once('interactions.defer', gone());
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer']);
    expect(bot.bot.answerWindow).toEqual({ acceptedMs: 0, refusedMs: 1_500 });

    bot.type('/x');
    await bot.clock.advance(749);
    expect(bot.lines).toHaveLength(1);
    await bot.clock.advance(1);
    expect(bot.lines).toEqual(['defer', 'defer']);
    await bot.clock.advance(5_000);
    expect(bot.lines.at(-1)).toBe('respond done');
    expect(bot.bot.answerWindow).toEqual({ acceptedMs: 750, refusedMs: 1_500 });
    expect(bot.log.at('warn')).toEqual([
      'the platform treated /x as expired after 1500 ms; deferring commands after 750 ms at the latest',
      '/x could not be deferred',
    ]);
  });

  it('is learned from an answer too, and not from what was deferred', async () => {
    const never = await startCommand({
      defer: 'never',
      run: async ({ clock }) => {
        await clock.sleep('2s');
        return 'done';
      },
    });
    never.rest.once('interactions.respond', gone());
    never.type('/x');
    await never.clock.advance(2_000);
    expect(never.bot.answerWindow.refusedMs).toBe(2_000);

    const deferred = await slow();
    deferred.rest.once('interactions.respond', gone());
    deferred.type('/x');
    await deferred.clock.advance(5_000);
    expect(deferred.bot.answerWindow.refusedMs).toBeUndefined();
  });
});
