import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { interactionId } from '../../../test/ids.js';
import { settle, startCommand, startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';

describe('a command handler', () => {
  it('answers with the text or the message it returns', async () => {
    const text = await startCommand({ run: () => 'Hello' });
    expect(await text.run('/x')).toEqual(['respond Hello']);

    const attachments = [{ objectKey: 'uploads/1' }];
    const message = await startCommand({ run: async () => ({ content: 'Hello', attachments }) });
    await message.run('/x');
    expect(message.rest.calls).toEqual([
      {
        endpoint: 'interactions.respond',
        args: [interactionId(1), { content: 'Hello', attachments, replyToMessageId: undefined }],
      },
    ]);
  });

  it('has the message that its answer became read only when it may look at it', async () => {
    const run = async ({ reply }: CommandContext, text: string): Promise<string | null> => {
      if (text === 'return') return text;
      await reply(text);
      return null;
    };
    for (const [text, reads] of [
      ['return', []],
      ['reply', ['interactions.respond']],
    ] as const) {
      const bot = await startCommand({ run: (context) => run(context, text) });
      expect(await bot.run('/x')).toEqual([`respond ${text}`]);
      expect(bot.rest.reads).toEqual(reads);
    }
  });

  it('receives its options as the schema returns them, its own random and the channel it ran in', async () => {
    const seen: CommandContext[] = [];
    const bot = await startCommand(
      {
        options: z.object({ sides: z.int().default(6).describe('Sides') }),
        run: (context) => {
          seen.push(context);
          return `${context.random()} of ${String(context.options['sides'])}`;
        },
      },
      { random: () => 0.25 },
    );
    expect(await bot.run('/x 20')).toEqual(['respond 0.25 of 20']);
    expect(seen[0]?.commandName).toBe('x');
  });

  it('does not run for a line that does not fit; the user is shown the usage', async () => {
    let runs = 0;
    const bot = await startCommand({
      options: z.object({ sides: z.int().describe('Sides') }),
      run: () => void (runs += 1),
    });
    const [line] = await bot.run('/x many');
    expect(line).toMatch(
      /^respond sides: expected a whole number, got "many"\. Usage: \/x <sides>$/,
    );
    expect(runs).toBe(0);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('does not run when a check of its options throws; the cause is logged and reported to the error events', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': {
        default: {
          description: 'Does x',
          options: z.object({
            name: z.string().refine((): boolean => {
              throw new Error('no database');
            }),
          }),
          run: () => 'never',
        },
      },
      'events/error.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    const [line] = await bot.run('/x Ada');
    expect(line).toBe('respond Something went wrong.');
    expect(bot.log.at('error')).toEqual(['/x failed: no database']);
    expect(reported).toEqual([{ error: new Error('no database'), source: '/x' }]);
  });

  it('is timed out while its options are checked', async () => {
    const bot = await startCommand({
      timeout: '5s',
      options: z.object({ name: z.string().refine(async () => new Promise<boolean>(() => {})) }),
      run: () => 'never',
    });
    bot.type('/x Ada');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['defer', 'respond This took too long. Please try again later.']);
    expect(bot.bot.running).toBe(0);
  });

  it('edits what it replied when it returns a text too', async () => {
    const bot = await startCommand({
      run: async ({ reply }) => {
        await reply('working');
        await reply('still working');
        return 'done';
      },
    });
    expect(await bot.run('/x')).toEqual(['respond working', 'followUp still working', 'edit done']);
  });

  it('is silent on purpose with null: acknowledged, and no warning', async () => {
    const bot = await startCommand({ run: () => null }, { development: true });
    expect(await bot.run('/x')).toEqual(['ack']);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('is silent with undefined, and warns in development only', async () => {
    const warning = '/x ended without an answer; return a string, or null for silence';
    const development = await startCommand({ run: () => {} }, { development: true });
    expect(await development.run('/x')).toEqual(['ack']);
    expect(development.log.at('warn')).toEqual([warning]);

    const production = await startCommand({ run: () => {} });
    expect(await production.run('/x')).toEqual(['ack']);
    expect(production.log.at('warn')).toEqual([]);

    const silent = await startCommand({ silent: true, run: () => {} }, { development: true });
    await silent.run('/x');
    expect(silent.log.at('warn')).toEqual([]);
  });

  it('has answered when it did not wait for its reply', async () => {
    const bot = await startCommand(
      {
        run: ({ reply }) => {
          void reply('Hello');
        },
      },
      { development: true },
    );
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    held.settle();
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond Hello']);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('has failed when an unawaited reply is refused; the process keeps running', async () => {
    const bot = await startCommand({
      run: ({ reply }) => {
        void reply('x'.repeat(2_001));
      },
    });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual([
      '/x failed: /x answered with 2001 characters; 1 to 2000 are allowed.',
    ]);
  });

  it('may be silent about a reply that failed', async () => {
    const bot = await startCommand({
      run: async ({ reply }) => {
        await reply('x'.repeat(2_001)).catch(() => {});
        return null;
      },
    });
    expect(await bot.run('/x')).toEqual(['ack']);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('writes the states of its generator and its returned value as one answer', async () => {
    const bot = await startCommand({
      async *run({ clock }) {
        yield 'one';
        await clock.sleep('1s');
        yield 'two';
        return 'three';
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_249);
    expect(bot.lines).toEqual(['respond one', 'edit two']);
    await bot.clock.advance(1);
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond one', 'edit two', 'edit three']);
  });

  it('keeps the interval of the profile between the states of a generator', async () => {
    const bot = await startCommand(
      {
        *run() {
          yield 'one';
          yield 'two';
        },
      },
      { profile: { editIntervalMs: 1_000 } },
    );
    bot.type('/x');
    await bot.clock.advance(999);
    expect(bot.lines).toEqual(['respond one']);
    await bot.clock.advance(1);
    expect(bot.lines).toEqual(['respond one', 'edit two']);
  });

  it('replaces its last state when its generator throws half-way', async () => {
    const bot = await startCommand({
      async *run() {
        yield 'one';
        throw new Error('half-way');
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual(['respond one', 'edit Something went wrong.']);
    expect(bot.log.at('error')).toEqual(['/x failed: half-way']);
  });

  it('may not answer with what is no text', async () => {
    const bot = await startCommand({ run: () => 7 as unknown as string });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual([
      '/x failed: /x answered with a content of type number; it must be a string.',
    ]);
  });

  it('has its outcome and its time in one log line', async () => {
    const bot = await startCommand({
      run: async ({ clock }) => {
        await clock.sleep('2s');
        return 'done';
      },
    });
    bot.type('/x', { agoMs: 30 });
    await bot.clock.advance(2_000);
    expect(bot.log.lines.at(-1)).toEqual({
      level: 'info',
      message: '/x answered',
      details: {
        command: 'x',
        interactionId: interactionId(1),
        outcome: 'answered',
        result: 'ok',
        ms: 2_030,
        queueMs: 30,
        handlerMs: 2_000,
        restMs: 0,
        calls: 2,
      },
    });
  });

  it('ends with its signal aborted, so that what it left running learns of it', async () => {
    let signal: AbortSignal | undefined;
    const bot = await startCommand({
      run: (context) => {
        ({ signal } = context);
        return 'done';
      },
    });
    await bot.run('/x');
    expect(signal?.aborted).toBe(true);
  });

  it('may still reply from the background after it ended well', async () => {
    const bot = await startCommand({
      run: ({ reply, interactionId: id }) => {
        void Promise.resolve().then(async () => {
          await settle();
          await reply(`later, ${id === interactionId(1)}`);
        });
        return 'now';
      },
    });
    await bot.run('/x');
    await settle();
    await settle();
    expect(bot.lines).toEqual(['respond now', 'followUp later, true']);
  });
});
