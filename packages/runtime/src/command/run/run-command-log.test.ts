import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { gone, rateLimited, unreachable } from '../../../test/client-failures.js';
import { interactionId } from '../../../test/ids.js';
import { startCommand, startTestBot, type TestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { CommandDefinition } from '../define/define-command.js';
import type { Middleware } from '../define/define-middleware.js';

interface Around {
  readonly middleware?: Middleware;
  readonly cooldown?: string;
}

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

  it('has waited for no time if another process received the command, by a clock that is ahead', async () => {
    const bot = await startTestBot({
      'commands/x.ts': { default: { description: 'X', run: () => 'done' } },
    });
    bot.type('/x', { agoMs: -0.9 });
    await bot.bot.idle();
    expect(lineOf(bot)).toMatchObject({ details: { queueMs: 0 } });
  });

  it.each<[string, Around]>([
    ['alone', {}],
    ['with a middleware', { middleware: (_, next) => next() }],
    ['with a cooldown', { cooldown: '1s' }],
  ])('has the time of a handler that throws, %s', async (_, { middleware, ...settings }) => {
    const bot = await startTestBot({
      ...(middleware && { 'commands/_middleware.ts': { default: middleware } }),
      'commands/x.ts': {
        default: {
          description: 'x',
          ...settings,
          run: async ({ clock }: CommandContext) => {
            await clock.sleep('200ms');
            throw new Error('broken');
          },
        },
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_000);
    expect(detailsOf(bot)).toMatchObject({ result: 'failed', handlerMs: 200 });
    expect(detailsOf(bot)?.['middlewareMs']).toBeUndefined();
  });

  it('has the time that a handler had until its timeout', async () => {
    const bot = await startCommand({ timeout: '3s', run: () => new Promise<null>(() => {}) });
    bot.type('/x');
    await bot.clock.advance(10_000);
    expect(detailsOf(bot)).toMatchObject({ result: 'timed-out', handlerMs: 3_000 });
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
      '/x answered, answered, ok',
      '/x failed, answered, failed',
      '/x failed, answered, timed-out',
      '/x refused: invalid input, answered, input',
    ]);
  });

  it('says why a command was refused; what was typed only in development', async () => {
    const options = z.object({ n: z.int() });
    const command = { options, cooldown: '10s', run: () => 'done' } as const;
    const lines: string[] = [];
    for (const development of [false, true]) {
      const bot = await startCommand(command, { development });
      for (const line of ['/x one', '/x 1', '/x 1']) {
        await bot.run(line);
        lines.push(lineOf(bot)?.message ?? '');
      }
    }
    expect(lines).toEqual([
      '/x refused: invalid input',
      '/x answered',
      '/x refused: cooldown',
      '/x refused: n: expected a whole number, got "one".',
      '/x answered',
      '/x refused: cooldown',
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
    // The lateness says nothing about the platform.
    expect(bot.log.at('warn')).not.toContainEqual(expect.stringContaining('as expired'));
  });

  it.each([
    ['returns', (bot: () => TestBot) => () => (bot().clock.stall(8_000), 'done')],
    ['is async', (bot: () => TestBot) => async () => (bot().clock.stall(8_000), 'done')],
  ])('names a handler that blocks the event loop itself, and %s, as the cause', async (_, run) => {
    const bot: TestBot = await startCommand({ run: run(() => bot) });
    bot.rest.once('interactions.respond', gone());
    await bot.run('/x');
    expect(bot.log.at('warn')).toEqual([
      'the event loop was blocked: /x was answered 6500 ms late',
    ]);
    expect(bot.log.at('error')).toEqual([
      expect.stringContaining('(the event loop was blocked for 6500 ms'),
    ]);
  });

  it('does not blame the event loop for an answer that comes while its defer waits', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('4s');
        return 'done';
      },
    });
    bot.rest.always('interactions.defer', rateLimited());
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond done']);
    expect(bot.log.at('warn')).toEqual(['a call of /x failed; retrying']);
  });

  it('reports an answer that never arrived', async () => {
    const bot = await startCommand({ run: () => 'done' });
    bot.rest.always('interactions.respond', unreachable());
    bot.type('/x');
    // Five answer windows, and the last wait.
    await bot.clock.advance(17_000);
    expect(lineOf(bot)).toMatchObject({
      message: '/x failed',
      details: { outcome: 'expired', result: 'failed' },
    });
    const { calls, retries } = lineOf(bot)?.details ?? {};
    // Each attempt but the first is a retry.
    expect(retries).toBe(Number(calls) - 1);
    expect(bot.log.at('error')).toEqual([
      expect.stringContaining('/x failed: /x could not be answered before it expired: '),
    ]);
  });
});

describe('a command that the platform treats as expired', () => {
  const expire = async (
    call: 'defer' | 'respond',
    {
      takes,
      ...settings
    }: Pick<CommandDefinition, 'defer'> & { readonly takes: `${number}${'s' | 'ms'}` },
  ) => {
    const bot = await startCommand({
      ...settings,
      run: async ({ clock }) => {
        await clock.sleep(takes);
        return 'done';
      },
    });
    bot.rest.once(`interactions.${call}`, gone());
    bot.type('/x');
    await bot.clock.advance(5_000);
    const lines = bot.log.lines.filter(({ message }) => message.includes('as expired'));
    return { bot, lines };
  };

  it.each([
    ['defer', { takes: '4s' }, 1_500],
    ['defer', { takes: '4s', defer: '500ms' }, 500],
    ['respond', { takes: '1s' }, 1_000],
    ['respond', { takes: '2s', defer: 'never' }, 2_000],
  ] as const)(
    'by its %s with %o is logged with its age and the setting',
    async (call, settings, ageMs) => {
      const { lines } = await expire(call, settings);
      expect(lines).toEqual([
        {
          level: 'warn',
          message: `the platform treated /x as expired after ${ageMs} ms; set a shorter defer, or profile.answerWindowMs for all commands`,
          details: { command: 'x', interactionId: expect.any(String), ageMs },
        },
      ]);
    },
  );

  it.each([
    ['that is refused too soon for that', 'respond', { takes: '499ms' }],
    ['that is deferred at once', 'defer', { takes: '4s', defer: 'now' }],
    ['that was deferred before', 'respond', { takes: '4s' }],
  ] as const)('says nothing of a command %s', async (_, call, settings) => {
    expect((await expire(call, settings)).lines).toEqual([]);
  });

  it('changes nothing about the next one: its defer is due as its settings say', async () => {
    const { bot } = await expire('defer', { takes: '4s' });
    bot.type('/x');
    await bot.clock.advance(1_499);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(1);
    expect(bot.lines).toEqual(['defer', 'defer']);
    await bot.clock.advance(5_000);
    expect(bot.lines.at(-1)).toBe('respond done');
  });
});
