import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { refused } from '../../../test/client-failures.js';
import { messageWith } from '../../../test/messages.js';
import { CHANNEL, MESSAGE, OTHER_CHANNEL, OTHER_USER, SERVER } from '../../../test/ids.js';
import type { Modules } from '../../../test/project-of.js';
import { createTaskMachine } from '../../../test/task-processes.js';
import { startTestBot, type TestBotOptions } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { CallResult } from '../context/call.js';
import { defineCommand } from '../define/define-command.js';
import { defineMiddleware } from '../define/define-middleware.js';
import { defineEvent } from '../../events/define-event.js';
import { defineTask } from '../../tasks/define-task.js';
import { UserError } from '../../errors/user-error.js';

const description = 'x';

/** Runs /x, whose handler is `run`, with other modules next to it. Returns what the handler returned. */
async function callFrom<Result>(
  run: (context: CommandContext) => Promise<Result>,
  modules: Modules = {},
  options: TestBotOptions = {},
) {
  const outcomes: { result?: Result; error?: unknown }[] = [];
  const x = {
    description,
    run: async (context: CommandContext) => {
      try {
        outcomes.push({ result: await run(context) });
      } catch (error) {
        outcomes.push({ error });
      }
      return 'over';
    },
  };
  const bot = await startTestBot({ 'commands/x.ts': { default: x }, ...modules }, options);
  bot.type('/x');
  // The states of an answer are written some time apart.
  await bot.clock.advance(1_000);
  await bot.bot.idle();
  return { bot, lines: bot.lines, ...outcomes[0] };
}

const greet = defineCommand({
  description: 'Greet',
  options: z.object({ name: z.string(), loud: z.boolean().default(false) }),
  run: ({ options, caller, serverId, channelId }) =>
    [caller, options.name, options.loud, serverId === SERVER, channelId === CHANNEL].join(' '),
});

const file = (run: (context: CommandContext) => unknown, settings: object = {}) => ({
  default: { description, run, ...settings },
});

describe('call', () => {
  it('runs an imported command in the same channel, and returns its answer', async () => {
    const { result, lines } = await callFrom(({ call }) => call(greet, { name: 'Ada B' }), {
      'commands/greet.ts': { default: greet },
    });
    expect(result).toEqual({
      content: 'code Ada B false true true',
      followUps: [],
      files: [],
      result: 'ok',
    });
    // Only /x itself answers.
    expect(lines).toEqual([expect.stringContaining('over')]);
  });

  it('runs a command by its name or alias, also a command that is a function', async () => {
    const modules = {
      'commands/y.ts': { default: () => 'y', description, config: { aliases: ['z'] } },
    };
    const { result } = await callFrom(
      async ({ call }) => [(await call('y', {})).content, (await call('z', {})).content],
      modules,
    );
    expect(result).toEqual(['y', 'y']);
  });

  it('runs the current command after a reload, from the old import', async () => {
    const old = defineCommand({ description, run: () => 'old' });
    const bot = await startTestBot({ 'commands/y.ts': { default: old } });
    const next = await startTestBot({
      'commands/x.ts': file(async ({ call }) => (await call(old, {})).content),
      'commands/y.ts': { default: defineCommand({ description, run: () => 'new' }) },
    });
    bot.bot.use(next.bot.project);
    expect(await bot.run('/x')).toEqual([expect.stringContaining('new')]);
  });

  it('returns follow-ups, edits, files and silence, and sends nothing', async () => {
    const photo = { name: 'a.png', data: new Uint8Array(1) };
    const { result, lines } = await callFrom(
      async ({ call }) => {
        const results: CallResult[] = [];
        for (const name of ['many', 'states', 'silent', 'long', 'append', 'photo'])
          results.push(await call(name, {}));
        return results;
      },
      {
        'commands/many.ts': file(async ({ reply, edit }) => {
          await reply('one');
          const second = await reply({ content: 'two', files: [photo] });
          await reply('three');
          await second.edit('2');
          await edit('1');
        }),
        'commands/states.ts': file(async function* () {
          yield 'first';
          yield { content: 'last', files: [photo] };
        }),
        'commands/silent.ts': file(() => null, { defer: 'now' }),
        'commands/long.ts': file(() => ({
          content: 'x'.repeat(2_500),
          split: true,
          files: [photo],
        })),
        'commands/append.ts': file(({ append }) => append(['a', 'b', 'c'])),
        'commands/photo.ts': file(() => ({ files: [photo] })),
      },
    );
    expect(result).toMatchObject([
      { content: '1', followUps: ['2', 'three'], files: [photo] },
      { content: 'last', followUps: [], files: [photo] },
      { content: undefined, followUps: [], files: [], result: 'ok' },
      { content: 'x'.repeat(2_000), followUps: ['x'.repeat(500)], files: [photo] },
      { content: 'abc', followUps: [], result: 'ok' },
      { content: '', files: [photo] },
    ]);
    expect(lines).toEqual([expect.stringContaining('over')]);
  });

  it('is the answer of the command that returns it, with its files, or silence', async () => {
    const photo = { name: 'a.png', data: new Uint8Array(1) };
    const bot = await startTestBot({
      'commands/x.ts': file(({ call }) => call('y', {})),
      'commands/y.ts': file(() => ({ content: 'from y', files: [photo] })),
      'commands/quiet.ts': file(({ call }) => call('none', {})),
      'commands/none.ts': file(() => null),
    });
    bot.rest.once('attachments.uploadAll', [{ objectKey: 'key' }]);
    expect((await bot.run('/x')).at(-1)).toContain('respond from y');
    const [answer] = bot.rest.calls.filter(({ endpoint }) => endpoint === 'interactions.respond');
    expect(answer?.args[1]).toMatchObject({ attachments: [{ objectKey: 'key' }] });
    expect((await bot.run('/quiet')).at(-1)).toBe('ack');
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('passes on an author only by as', async () => {
    const seen: unknown[] = [];
    const modules: Modules = {
      'commands/y.ts': file(({ author }) => void seen.push(author?.id, author && String(author))),
    };
    await callFrom(async ({ call }) => {
      await call('y', {});
      await call('y', {}, { as: { id: OTHER_USER } });
      await call('y', {}, { as: { id: 'no id' } });
    }, modules);
    const unknown = [undefined, undefined];
    expect(seen).toEqual([...unknown, OTHER_USER, `<@${OTHER_USER}>`, ...unknown]);
  });

  it('refuses as a line is refused, and runs guards and error files', async () => {
    const modules: Modules = {
      'commands/greet.ts': { default: greet },
      'commands/admin/_middleware.ts': {
        default: defineMiddleware(async ({ caller }, next) => {
          const answer = await next();
          return caller === 'code' && answer === 'banned' ? 'guarded' : 'no';
        }),
      },
      'commands/admin/ban.ts': file(() => 'banned'),
      'commands/fail.ts': file(() => {
        throw new Error('secret');
      }),
      'commands/user.ts': file(() => {
        throw new UserError('Not today.');
      }),
      'commands/once.ts': file(() => 'once', { cooldown: '1h' }),
      'commands/daily.ts': file(() => 'x', {
        messages: 'only',
        options: z.object({ day: z.int() }),
      }),
    };
    const { result } = await callFrom(async ({ call }) => {
      const results: (readonly [string, string | undefined])[] = [];
      const note = (outcome: CallResult) => results.push([outcome.result, outcome.content]);
      // @ts-expect-error -- the option is required
      note(await call(greet, {}));
      // @ts-expect-error -- there is no such option
      note(await call(greet, { name: 'a', size: 1 }));
      for (const name of ['admin-ban', 'fail', 'user', 'once', 'once', 'daily'])
        note(await call(name, {}));
      return results;
    }, modules);
    expect(result).toEqual([
      ['input', 'name is missing. Usage: /greet [--loud] <name…>'],
      ['input', 'there is no option "size". Usage: /greet [--loud] <name…>'],
      ['ok', 'guarded'],
      ['failed', expect.not.stringContaining('secret')],
      ['user-error', 'Not today.'],
      ['ok', 'once'],
      ['cooldown', expect.stringContaining('60 minutes')],
      ['input', 'day is missing. Usage: !daily <day>'],
    ]);
  });

  it('refuses a command inside itself as busy, and never waits for a slot inside another command', async () => {
    const queue = { concurrency: { max: 1, when: 'queue' } };
    const { result } = await callFrom(
      async ({ call }) => [await call('x', {}), await call('y', {})],
      {
        'commands/_middleware.ts': {
          default: defineMiddleware((_, next) => next(), {
            concurrency: { max: 1, when: 'queue' },
          }),
        },
        'commands/y.ts': file(() => 'y', queue),
      },
    );
    expect(result).toMatchObject([{ result: 'busy' }, { result: 'busy' }]);
  });

  it('takes at most four commands inside each other', async () => {
    const deeper = (next: string) => file(async ({ call }) => (await call(next, {})).content);
    const { result } = await callFrom(async ({ call }) => (await call('a', {})).content, {
      'commands/a.ts': deeper('b'),
      'commands/b.ts': deeper('c'),
      'commands/c.ts': file(({ call }) =>
        call('d', {}).then(
          () => 'ran',
          (error: unknown) => String(error),
        ),
      ),
      'commands/d.ts': file(() => 'd'),
    });
    expect(result).toContain('/d was called inside 4 commands: /x, /a, /b, /c.');
  });

  it.each([
    ['gone', '/gone is not a command'],
    [undefined, 'undefined is not a command'],
    [{ description: 'x' }, 'an object is not a command'],
    ['__proto__', '/__proto__ is not a command'],
  ])('refuses %j, which is no command', async (target, message) => {
    const { error } = await callFrom(({ call }) => call(target as string, {}));
    expect(error).toMatchObject({ code: 'E_CALL', message: expect.stringContaining(message) });
  });

  it('refuses a call after the caller has ended', async () => {
    const kept: CommandContext[] = [];
    const { bot } = await callFrom(async (context) => void kept.push(context), {
      'commands/y.ts': file(() => expect.fail('ran')),
    });
    await expect(kept[0]?.call('y', {})).rejects.toMatchObject({ code: 'E_CALL' });
    expect(() => kept[0]?.tools('y')).toThrow(/not a tool/);
    await bot.bot.close();
  });

  it.each(['code', 'model'])('runs no further than a closed channel, for %s', async (caller) => {
    const ran: string[] = [];
    const outcomes: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': file(async ({ call, tools }) => {
        outcomes.push(
          caller === 'code' ? await call('y', {}) : await tools('y')['y']?.execute({}, {}),
        );
        return 'over';
      }),
      'commands/y.ts': file(
        async ({ here }) => {
          await here.send('one');
          ran.push('more');
        },
        { tool: 'writes' },
      ),
    });
    bot.rest.always('messages.send', refused(403, 'bot_channel_archived'));
    bot.type('/x');
    await bot.clock.advance(60_000);
    await bot.bot.idle();
    expect(outcomes).toMatchObject([{ content: 'Something went wrong.', result: 'failed' }]);
    expect(ran).toEqual([]);
    expect(bot.lines).toEqual(['messages.send one', expect.stringContaining('over')]);
    await bot.bot.close();
  });

  it('ends with its caller, and notes nothing as failed', async () => {
    const reasons: unknown[] = [];
    const { bot } = await callFrom(async ({ call }) => void call('y', {}), {
      'commands/y.ts': file(
        ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason);
              resolve('late');
            });
          }),
      ),
    });
    expect(reasons).toMatchObject([{ code: 'E_HANDLER_STOPPED' }]);
    expect(bot.log.at('error')).toEqual([]);
    expect(bot.log.lines.find(({ details }) => details['command'] === 'y')?.details).toMatchObject({
      caller: 'code',
    });
  });

  it('waits for no message of the answer, which is not in the channel', async () => {
    const { result } = await callFrom(({ call }) => call('ask', {}), {
      'commands/ask.ts': file(
        async ({ confirm, reply }) => {
          const sent = await reply('one');
          const failures = await Promise.allSettled([
            sent.message(),
            sent.react('x'),
            sent.delete(),
            confirm('Sure?'),
          ]);
          return failures
            .map((each) => (each.status === 'rejected' ? each.reason.code : each))
            .join();
        },
        { intents: ['MESSAGE_REACTIONS'] },
      ),
    });
    const code = 'E_CALL';
    expect(result?.content).toBe([code, code, code, code].join());
  });

  it('names the caller in the log, and runs in another channel with at', async () => {
    const { result, bot } = await callFrom(
      ({ call }) => call(greet, { name: 'a' }, { at: { channelId: OTHER_CHANNEL } }),
      { 'commands/greet.ts': { default: greet } },
    );
    expect(result?.content).toBe('code a false false false');
    const line = bot.log.lines.find(({ details }) => details['command'] === 'greet');
    expect(line?.details).toMatchObject({
      caller: 'code',
      outcome: 'answered',
      interactionId: expect.stringMatching(/^call:[\da-f-]{36}$/),
    });
  });
});

it('runs a command for a task, in the channel that the task names', async () => {
  const results: unknown[] = [];
  const machine = await createTaskMachine();
  const x = defineTask({
    run: async ({ call }) => {
      const { content } = await call('x', {}, { at: { channelId: CHANNEL } });
      const places = [undefined, { channelId: 'nope' }, { channelId: '' }, {} as never];
      for (const at of places) results.push(await call('x', {}, { at }).catch(String));
      results.push(content);
    },
  });
  const { task } = await machine.start({ x });
  await task('x').in('1s');
  await machine.clock.advance(2_000);
  const refusal = expect.stringContaining('/x was called without the id of a channel.');
  expect(results).toEqual([refusal, refusal, refusal, refusal, 'x']);
});

describe('call in an event', () => {
  const message = messageWith({ id: MESSAGE, authorId: OTHER_USER, content: 'hi' });

  it('runs in the channel of the event, and not without a channel', async () => {
    const results: unknown[] = [];
    const bot = await startTestBot({
      'commands/greet.ts': { default: greet },
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', async ({ call }) => {
          results.push((await call(greet, { name: 'a' })).content);
        }),
      },
      'events/ready.ts': {
        default: defineEvent('ready', async ({ call, tools }) => {
          results.push(await call(greet, { name: 'a' }).catch((error: unknown) => String(error)));
          expect(() => tools('greet')).toThrow(/without the id of a channel/);
        }),
      },
    });
    bot.emit('MESSAGE_CREATE', { ...message, serverId: SERVER });
    await bot.bot.idle();
    expect(results).toEqual([
      expect.stringContaining('without the id of a channel'),
      'code a false true true',
    ]);
  });
});
