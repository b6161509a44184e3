import { describe, expect, it } from 'vitest';
import { gone } from '../../../test/client-failures.js';
import { settle, startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';

describe('middleware', () => {
  const order: string[] = [];
  const wrap =
    (name: string) =>
    async (_: CommandContext, next: () => Promise<void>): Promise<undefined> => {
      order.push(`${name} before`);
      await next();
      order.push(`${name} after`);
    };

  it('runs around the handler, outermost first', async () => {
    order.length = 0;
    const bot = await startTestBot({
      'commands/_middleware.ts': { default: wrap('outer') },
      'commands/admin/_middleware.ts': { default: wrap('inner') },
      'commands/admin/x.ts': {
        description: 'Does x',
        default: () => {
          order.push('handler');
          return 'done';
        },
      },
    });
    expect(await bot.run('/admin-x')).toEqual(['respond done']);
    expect(order).toEqual([
      'outer before',
      'inner before',
      'handler',
      'inner after',
      'outer after',
    ]);
  });

  const guarded = (
    middleware: (context: CommandContext, next: () => Promise<void>) => unknown,
    run: (context: CommandContext) => unknown = () => 'done',
    development = false,
  ) =>
    startTestBot(
      {
        'commands/_middleware.ts': { default: middleware },
        'commands/x.ts': { description: 'Does x', default: run },
      },
      { development },
    );

  it('refuses with a text when it does not call next()', async () => {
    let runs = 0;
    const bot = await guarded(
      () => 'Not here.',
      () => void (runs += 1),
    );
    expect(await bot.run('/x')).toEqual(['respond Not here.']);
    expect(runs).toBe(0);
  });

  it('refuses in silence with null, or, with a warning in development, with nothing', async () => {
    const silent = await guarded(() => null, undefined, true);
    expect(await silent.run('/x')).toEqual(['ack']);
    expect(silent.log.at('warn')).toEqual([]);
    const careless = await guarded(() => {}, undefined, true);
    expect(await careless.run('/x')).toEqual(['ack']);
    expect(careless.log.at('warn')).toHaveLength(1);
  });

  it('keeps the answer of the handler unless it returns one itself', async () => {
    const kept = await guarded(async (_, next) => next());
    expect(await kept.run('/x')).toEqual(['respond done']);
    const replaced = await guarded(async (_, next) => {
      await next();
      return 'replaced';
    });
    expect(await replaced.run('/x')).toEqual(['respond replaced']);
  });

  it('can answer for a handler that throws', async () => {
    const bot = await guarded(
      async (_, next) => {
        try {
          await next();
          return undefined;
        } catch {
          return 'Try again.';
        }
      },
      () => Promise.reject(new Error('failed')),
    );
    expect(await bot.run('/x')).toEqual(['respond Try again.']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('that throws fails the command like its handler', async () => {
    const bot = await guarded(() => {
      throw new Error('no guard');
    });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual(['/x failed: no guard']);
  });

  it('runs the handler once, however often it calls next()', async () => {
    let runs = 0;
    const bot = await guarded(
      async (_, next) => {
        await Promise.all([next(), next()]);
        await next();
      },
      () => {
        runs += 1;
        return 'done';
      },
    );
    expect(await bot.run('/x')).toEqual(['respond done']);
    expect(runs).toBe(1);
  });

  it('that does nothing is named, in development only', async () => {
    const warning = 'a middleware of /x neither called next() nor answered';
    for (const development of [true, false]) {
      const bot = await guarded(async () => {}, undefined, development);
      expect(await bot.run('/x')).toEqual(['ack']);
      expect(bot.log.at('warn')).toEqual(development ? [warning] : []);
    }
    const answers = await guarded(({ reply }) => void reply('no'), undefined, true);
    expect(await answers.run('/x')).toEqual(['respond no']);
    expect(answers.log.at('warn')).toEqual([]);
  });

  it('that has refused cannot let the command run later', async () => {
    let runs = 0;
    let later: () => Promise<unknown> = () => Promise.resolve();
    const bot = await guarded(
      (_, next) => {
        later = next;
        return 'The check takes too long.';
      },
      () => void (runs += 1),
    );
    await bot.run('/x');
    await later();
    expect(runs).toBe(0);
    expect(bot.lines).toEqual(['respond The check takes too long.']);
    expect(bot.log.at('warn')).toEqual([
      'a middleware of /x called next() after it had ended; nothing runs then',
    ]);
  });

  it('that forgets to await next() loses neither the answer nor the error', async () => {
    const forgetful = (_: CommandContext, next: () => Promise<void>): void => void next();
    const slow = await guarded(forgetful, async ({ clock }) => {
      await clock.sleep('1s');
      return 'done';
    });
    slow.type('/x');
    await slow.clock.advance(1_000);
    expect(slow.lines).toEqual(['respond done']);

    for (const run of [
      (): never => {
        throw new Error('failed');
      },
      async ({ clock }: CommandContext): Promise<never> => {
        await clock.sleep('1s');
        throw new Error('failed');
      },
    ]) {
      const failing = await guarded(forgetful, run);
      failing.type('/x');
      await failing.clock.advance(1_000);
      expect(failing.lines).toEqual(['respond Something went wrong.']);
      expect(failing.log.at('error')).toEqual(['/x failed: failed']);
    }
  });

  it('that forgets to await next() and runs for longer does not lose the error either', async () => {
    const bot = await guarded(
      async (_, next) => {
        void next();
        await settle();
      },
      () => Promise.reject(new Error('failed')),
    );
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual(['/x failed: failed']);
  });

  it('that forgets to await next() does not cut a generator short', async () => {
    const bot = await guarded(
      (_, next) => void next(),
      async function* ({ clock }: CommandContext) {
        yield 'one';
        await clock.sleep('1s');
        yield 'two';
      },
    );
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['respond one', 'edit two']);
  });
});

describe('error handlers', () => {
  type Handler = (error: unknown, context: CommandContext) => unknown;
  const failing = (
    outer: Handler,
    inner: Handler,
    run: (context: CommandContext) => unknown = () => Promise.reject(new Error('failed')),
  ) =>
    startTestBot({
      'commands/_error.ts': { default: outer },
      'commands/admin/_error.ts': { default: inner },
      'commands/admin/x.ts': { description: 'Does x', default: run },
    });

  it('are asked innermost first; the first one with words wins', async () => {
    const asked: string[] = [];
    const bot = await failing(
      () => void asked.push('outer'),
      (error, { commandName }) => {
        asked.push('inner');
        return `${commandName}: ${String(error)}`;
      },
    );
    expect(await bot.run('/admin-x')).toEqual(['respond admin-x: Error: failed']);
    expect(asked).toEqual(['inner']);
  });

  it('with undefined leave it to the next outer one, and at last to the usual words', async () => {
    const outer = await failing(
      async () => 'outer words',
      async () => undefined,
    );
    expect(await outer.run('/admin-x')).toEqual(['respond outer words']);
    const none = await failing(
      () => undefined,
      () => undefined,
    );
    expect(await none.run('/admin-x')).toEqual(['respond Something went wrong.']);
  });

  it.each<readonly [string, Handler]>([
    ['awaits a reply', async (_, { reply }) => void (await reply('Oops.'))],
    ['does not await it', (_, { reply }) => void reply('Oops.')],
    ['edits the answer', async (_, { edit }) => edit('Oops.')],
  ])('that %s and return nothing have shown the error', async (_, inner) => {
    const asked: string[] = [];
    const bot = await failing(() => void asked.push('outer'), inner);
    expect([await bot.run('/admin-x'), asked]).toEqual([['respond Oops.'], []]);
  });

  it('whose reply fails leave it to the next outer one', async () => {
    const bot = await failing(
      () => 'outer words',
      (_, { reply }) => void reply('x'.repeat(2_001)),
    );
    expect(await bot.run('/admin-x')).toEqual(['respond outer words']);
  });

  it('with null end it in silence', async () => {
    const bot = await failing(
      () => 'outer words',
      () => null,
    );
    expect(await bot.run('/admin-x')).toEqual(['ack']);
  });

  it('with null fill in a thinking state that shows', async () => {
    const bot = await failing(
      () => 'outer words',
      () => null,
      async ({ clock }) => {
        await clock.sleep('2s');
        throw new Error('failed');
      },
    );
    bot.type('/admin-x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['defer', 'respond Done.']);
  });

  it('answer in a follow-up when the answer is there', async () => {
    const bot = await failing(
      () => undefined,
      () => 'It broke.',
      async ({ reply }) => {
        await reply('here');
        throw new Error('failed');
      },
    );
    expect(await bot.run('/admin-x')).toEqual(['respond here', 'followUp It broke.']);
  });

  it('may reply by themselves', async () => {
    const bot = await failing(
      () => 'outer words',
      async (_, { reply }) => {
        await reply('in my own words');
        return null;
      },
    );
    expect(await bot.run('/admin-x')).toEqual(['respond in my own words']);
  });

  it('that throw, or whose words cannot be sent, leave it to the next outer one', async () => {
    for (const broken of [
      (): never => {
        throw new Error('broken too');
      },
      () => Promise.reject(new Error('broken too')),
      () => 'x'.repeat(2_001),
    ]) {
      const bot = await failing(() => 'outer words', broken);
      expect(await bot.run('/admin-x')).toEqual(['respond outer words']);
      expect(bot.log.at('error')).toHaveLength(2);
      expect(bot.log.at('error')[1]).toMatch(/^an error handler of \/admin-x failed: /);
    }
  });

  it('that all throw leave the usual words, so that nothing hangs', async () => {
    const broken = (): never => {
      throw new Error('broken too');
    };
    const bot = await failing(broken, broken);
    expect(await bot.run('/admin-x')).toEqual(['respond Something went wrong.']);
  });

  it('are asked about a timeout too', async () => {
    const bot = await failing(
      () => undefined,
      (error) => `inner: ${(error as { readonly code?: string }).code}`,
      () => new Promise(() => {}),
    );
    bot.type('/admin-x');
    await bot.clock.advance(15 * 60_000);
    expect(bot.lines).toEqual(['defer', 'respond inner: E_COMMAND_TIMEOUT']);
  });

  it('cannot answer what has expired', async () => {
    const bot = await failing(
      () => 'outer words',
      () => 'inner words',
      () => 'too late',
    );
    bot.rest.once('interactions.respond', gone());
    expect(await bot.run('/admin-x')).toEqual(['respond too late']);
    expect(bot.log.at('error').at(-1)).toBe('the answer of /admin-x could not be delivered');
  });
});
