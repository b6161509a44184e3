import { describe, expect, it } from 'vitest';
import { alreadyAnswered, gone, outcomeUnknown, refused } from '../../../test/client-failures.js';
import { interactionId } from '../../../test/ids.js';
import { settle, startCommand, startTestBot } from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { CommandDefinition } from '../define/define-command.js';
import { runtimeErrors } from '../../errors/runtime-errors.js';
import { UserError } from '../../errors/user-error.js';

describe('a command that fails', () => {
  const failing = (definition: Parameters<typeof startCommand>[0], development = false) =>
    startCommand(definition, { development });

  it('is reported in chat in plain words, and in development with the cause', async () => {
    const run = (): never => {
      throw new TypeError('no such die');
    };
    expect(await (await failing({ run })).run('/x')).toEqual(['respond Something went wrong.']);
    const development = await failing({ run }, true);
    expect(await development.run('/x')).toEqual([
      'respond Something went wrong. TypeError: no such die',
    ]);
    expect(development.log.lines.find(({ level }) => level === 'error')).toEqual({
      level: 'error',
      message: '/x failed: no such die',
      details: {
        command: 'x',
        file: 'commands/x.ts',
        interactionId: interactionId(1),
        err: new TypeError('no such die'),
      },
    });
    expect(development.log.at('info').at(-1)).toBe('/x failed');
  });

  it('shows no usage for an invalid call of a task, which only the log describes', async () => {
    const bot = await failing({
      run() {
        const want = "a cron expression with a future time, such as '0 9 * * 1-5'";
        throw runtimeErrors.E_TASK_CALL({ kind: 'option', task: 'x', want, saw: '"@everyone"' });
      },
    });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual([
      expect.stringContaining('the task x is invalid: "@everyone" is not a cron expression'),
    ]);
  });

  it('adds nothing to the answer of another process', async () => {
    const bot = await failing({ run: () => 'mine' });
    bot.rest.once('interactions.respond', alreadyAnswered());
    expect(await bot.run('/x')).toEqual(['respond mine']);
    expect(bot.log.at('error')).toEqual([expect.stringMatching(/^\/x failed: .+ 409 /)]);
  });

  it.each([400, 409, 422])(
    'is reported after a refusal with another code and status %d',
    async (status) => {
      const bot = await failing({ run: ({ clock }) => clock.sleep('5s').then(() => 'mine') });
      bot.rest.once('interactions.respond', refused(status, 'bot_channel_archived'));
      bot.type('/x');
      await bot.clock.advance(5_000);
      expect(bot.lines).toEqual(['defer', 'respond mine', 'respond Something went wrong.']);
    },
  );

  it('reports a long cause in 500 characters at most', async () => {
    const bot = await failing({ run: () => Promise.reject(new Error('x'.repeat(5_000))) }, true);
    const [line = ''] = await bot.run('/x');
    expect(line).toHaveLength('respond Something went wrong. '.length + 500);
  });

  it.each([
    ['in its answer', ''],
    ['after its answer', 'here'],
    ['across the place where it is cut', 'x'.repeat(485)],
  ])('reports a cause without secrets, %s', async (_, before) => {
    const secret = 'hunter22-made-up';
    const bot = await startCommand(
      {
        run: async ({ reply }) => {
          if (before === 'here') await reply(before);
          throw new Error(`${before}${secret}`);
        },
      },
      { development: true, redact: (text) => text.replaceAll(secret, '[redacted]') },
    );
    const reported = (await bot.run('/x')).join();
    expect(reported).toMatch(/\[red/);
    expect(reported).not.toContain('hunter');
  });

  it('fills in the thinking state with the error', async () => {
    const bot = await failing({
      run: async ({ clock }) => {
        await clock.sleep('2s');
        throw new Error('late');
      },
    });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['defer', 'respond Something went wrong.']);
  });

  it.each([
    ['a text', 'just a text'],
    ['undefined', undefined],
    ['null', null],
  ])('may have thrown %s', async (_, thrown) => {
    const bot = await failing({ run: () => Promise.reject(thrown) });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    expect(bot.log.at('error')).toEqual([`/x failed: ${String(thrown)}`]);
    expect(bot.log.at('info').at(-1)).toBe('/x failed');
  });

  it('after its answer is logged, and shown in a follow-up, with the cause in development only', async () => {
    const run = async ({ reply }: CommandContext): Promise<never> => {
      await reply('here');
      throw new Error('afterwards');
    };
    const production = await failing({ run });
    expect(await production.run('/x')).toEqual(['respond here', 'followUp Something went wrong.']);
    expect(production.log.at('error')).toEqual(['/x failed: afterwards']);
    const development = await failing({ run }, true);
    expect(await development.run('/x')).toEqual([
      'respond here',
      'followUp Something went wrong. Error: afterwards',
    ]);
  });

  it('does not write over a reply that it did not wait for', async () => {
    const bot = await failing({
      run: ({ reply }) => {
        void reply('here');
        throw new Error('at once');
      },
    });
    const held = bot.rest.hold('interactions.respond');
    bot.type('/x');
    await settle();
    held.settle();
    await bot.bot.idle();
    expect(bot.lines).toEqual(['respond here', 'followUp Something went wrong.']);
  });

  it('writes nothing after the error, whatever it left running', async () => {
    const refusals: unknown[] = [];
    const bot = await failing({
      run: ({ reply, edit }) => {
        void (async () => {
          await settle();
          await settle();
          for (const write of [() => reply('late'), () => edit('later')]) {
            await write().catch((error: unknown) => refusals.push(error));
          }
        })();
        throw new Error('failed');
      },
    });
    await bot.run('/x');
    for (let n = 0; n < 5; n += 1) await settle();
    expect(bot.lines).toEqual(['respond Something went wrong.']);
    expect(refusals).toEqual([new Error('failed'), new Error('failed')]);
  });

  it('is reported to the error events', async () => {
    const reported: unknown[] = [];
    const bot = await startTestBot({
      'commands/x.ts': {
        default: () => Promise.reject(new Error('failed')),
        description: 'Does x',
      },
      'events/error.ts': { default: ({ data }: { data: unknown }) => void reported.push(data) },
    });
    await bot.run('/x');
    expect(reported).toEqual([{ error: new Error('failed'), source: '/x' }]);
  });

  it('is logged when its error cannot be reported either, and the bot keeps running', async () => {
    const bot = await failing({ run: () => Promise.reject(new Error('failed')) });
    bot.rest.once('interactions.respond', refused(403));
    await bot.run('/x');
    expect(bot.log.at('error')).toEqual([
      '/x failed: failed',
      'the answer of /x could not be delivered',
    ]);
    // A thinking state that came now would never be filled in.
    await bot.clock.advance(2_000);
    await bot.run('/x');
    expect(bot.lines).toEqual(['respond Something went wrong.', 'respond Something went wrong.']);
  });

  it('reports the error when its answer was refused', async () => {
    const bot = await failing({ run: () => 'Hello' });
    bot.rest.once('interactions.respond', refused(400, 'bot_validation_error'));
    expect(await bot.run('/x')).toEqual(['respond Hello', 'respond Something went wrong.']);
  });

  it('says nothing more when its interaction has expired', async () => {
    const bot = await failing({ run: () => 'too late' }, true);
    bot.rest.once('interactions.respond', gone());
    expect(await bot.run('/x')).toEqual(['respond too late']);
    expect(bot.log.at('error')).toEqual([
      '/x failed: /x was not answered in time (expired): the platform no longer accepts an answer.',
    ]);
    expect(bot.log.lines.at(-1)?.details['outcome']).toBe('expired');
  });

  it('never creates a second answer when the outcome of the first is unknown', async () => {
    const bot = await failing({ run: () => 'Hello' }, true);
    bot.rest.once('interactions.respond', outcomeUnknown());
    bot.rest.once('interactions.editResponse', gone());
    bot.rest.once('interactions.defer', gone());
    expect(await bot.run('/x')).toEqual(['respond Hello', 'edit Hello', 'defer']);
    expect(bot.log.at('error')).toEqual([
      expect.stringMatching(/^\/x failed: \/x could not be answered before it expired: POST/),
    ]);
  });
});

const FAILED = 'Something went wrong.';
const TIMED_OUT = 'This took too long. Please try again later.';
const RESTARTING = 'The bot is restarting. Please try again in a moment.';
const TOO_LONG = 'x'.repeat(2_001);

type Run = CommandDefinition['run'];

/** The ways in which a command fails, each with the text that users see. */
const ENDS: readonly (readonly [string, string, (context: CommandContext) => Promise<string>])[] = [
  ['throws', FAILED, () => Promise.reject(new Error('broken'))],
  ['takes too long', TIMED_OUT, () => new Promise(() => {})],
  ['is stopped', RESTARTING, () => new Promise(() => {})],
  ['answers with too much', FAILED, async () => TOO_LONG],
  ['throws a UserError', 'No luck.', () => Promise.reject(new UserError('No luck.'))],
];

/** Messages of a command before it fails, and the calls that show the failure. */
const PROGRESS: readonly (readonly [string, (end: (typeof ENDS)[number][2]) => Run, string])[] = [
  [
    'yielded',
    (end) =>
      async function* (context) {
        yield 'Working…';
        return end(context);
      },
    'edit',
  ],
  [
    'replied',
    (end) => async (context) => {
      await context.reply('Working…');
      return end(context);
    },
    'followUp',
  ],
  [
    'appended',
    (end) => async (context) => {
      await context.append(['Working…']);
      return end(context);
    },
    'followUp',
  ],
  [
    'appended by a source that fails',
    (end) => async (context) => {
      const source = async function* (): AsyncGenerator<string> {
        yield 'Working…';
        const text = await end(context);
        await context.reply(text);
      };
      await context.append(source());
      return null;
    },
    'followUp',
  ],
];

describe.each(PROGRESS)('progress that was %s', (_, run, call) => {
  it.each(ENDS)('does not hide that the command then %s', async (how, text, end) => {
    const timeout = how === 'is stopped' ? '1m' : '5s';
    const bot = await startCommand({ run: run(end), timeout });
    bot.type('/x');
    await bot.clock.advance(1_000);
    if (how === 'is stopped') void bot.bot.close();
    await bot.clock.advance(15_000);
    expect(bot.lines.slice(0, 2)).toEqual(['respond Working…', `${call} ${text}`]);
    expect([bot.lines.length - (how === 'is stopped' ? 1 : 0), bot.bot.running]).toEqual([2, 0]);
  });
});

describe('the last state of an answer', () => {
  it('that was finished is not replaced by a later failure', async () => {
    const bot = await startTestBot({
      'commands/_middleware.ts': {
        default: async (_: CommandContext, next: () => Promise<unknown>) => {
          await next();
          throw new Error('afterwards');
        },
      },
      'commands/x.ts': {
        default: {
          description: 'x',
          *run() {
            yield 'one';
          },
        },
      },
    });
    expect(await bot.run('/x')).toEqual(['respond one', `followUp ${FAILED}`]);
  });

  it.each<readonly [string, Run]>([
    [
      'after a yielded state',
      async function* () {
        yield 'Drawing…';
        return { content: 'Done.', files: ['cat.png'] };
      },
    ],
    [
      'after a reply',
      async ({ reply }) => {
        await reply('Drawing…');
        return { content: 'Done.', files: ['cat.png'] };
      },
    ],
    [
      'with files that were uploaded before',
      async function* () {
        yield 'Drawing…';
        return { content: 'Done.', attachments: [{ objectKey: 'cat' }] };
      },
    ],
  ])('may have files, %s: they follow the text', async (_, run) => {
    const bot = await startCommand({ run });
    bot.rest.always('attachments.uploadAll', [{ objectKey: 'cat' }]);
    bot.type('/x');
    await bot.clock.advance(1_000);
    const calls = bot.rest.calls.filter(({ endpoint }) => endpoint.startsWith('interactions.'));
    expect(calls.map(({ endpoint, args }) => [endpoint.split('.')[1], args[1]])).toEqual([
      ['respond', expect.objectContaining({ content: 'Drawing…' })],
      ['editResponse', { content: 'Done.' }],
      ['followUp', expect.objectContaining({ content: null, attachments: [{ objectKey: 'cat' }] })],
    ]);
    expect(bot.log.at('error')).toEqual([]);
  });

  it('of files alone replaces the text before it', async () => {
    const bot = await startCommand({
      *run() {
        yield 'Drawing…';
        return { content: '', attachments: [{ objectKey: 'cat' }] };
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual(['respond Drawing…', 'edit 📎', 'followUp null']);
  });
});

describe('silence that was chosen', () => {
  it.each<readonly [string, Run]>([
    ['null', () => null],
    ['nothing', () => {}],
  ])('by returning %s does not become an error in the chat', async (_, run) => {
    const bot = await startCommand({ run });
    bot.rest.always('interactions.ack', refused(403));
    expect(await bot.run('/x')).toEqual(['ack']);
    expect(bot.log.at('error')).toEqual(['the answer of /x could not be delivered']);
  });
});

describe('the timeout of a command', () => {
  it('aborts its signal with the reason, and replies to the user', async () => {
    let reason: unknown;
    const bot = await startCommand({
      timeout: '10s',
      run: ({ signal }) =>
        new Promise(() => {
          signal.addEventListener('abort', () => (reason = signal.reason));
        }),
    });
    bot.type('/x', { agoMs: 1_000 });
    await bot.clock.advance(8_998);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(2);
    expect(bot.lines).toEqual(['defer', 'respond This took too long. Please try again later.']);
    expect(reason).toMatchObject({
      code: 'E_COMMAND_TIMEOUT',
      details: { commandName: 'x', timeoutMs: 10_000 },
    });
    expect(bot.bot.running).toBe(0);
  });

  it('is 15 minutes when none is set', async () => {
    const bot = await startCommand({ run: () => new Promise(() => {}) });
    bot.type('/x');
    await bot.clock.advance(15 * 60_000 - 2);
    expect(bot.bot.running).toBe(1);
    await bot.clock.advance(2);
    expect(bot.bot.running).toBe(0);
  });

  it('ends a generator that does not continue, and nothing of it is written afterwards', async () => {
    const bot = await startCommand({
      timeout: '3s',
      async *run({ clock }) {
        yield 'one';
        await clock.sleep('2900ms');
        yield 'two';
        yield 'three';
        await new Promise(() => {});
      },
    });
    bot.type('/x');
    await bot.clock.advance(10_000);
    expect(bot.lines).toEqual([
      'respond one',
      'edit two',
      'edit This took too long. Please try again later.',
    ]);
    expect(bot.log.at('error')).toEqual(['/x failed: /x took longer than its timeout of 3s.']);
  });

  const HEEDING: readonly (readonly [string, CommandDefinition['run']])[] = [
    [
      'replies at the abort',
      ({ signal, reply }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => void reply('Mine.').then(() => resolve(null)));
        }),
    ],
    [
      'replies when its call ends',
      ({ clock, reply }) => clock.sleep('1h').catch(() => reply('Mine.')),
    ],
    [
      'returns a text from a generator',
      async function* ({ clock }) {
        try {
          yield await clock.sleep('1h').then(() => 'Done.');
          return 'Late.';
        } catch {
          return 'Mine.';
        }
      },
    ],
    ['returns a text when its call ends', ({ clock }) => clock.sleep('1h').catch(() => 'Mine.')],
    [
      'edits when a call of its own ends',
      async ({ signal, edit }) => {
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        }).catch(() => edit('Mine.'));
      },
    ],
  ];
  describe.each(HEEDING)('leaves the final word to a handler that %s', (_, run) => {
    it.each(['timeout', 'shutdown'])('at a %s', async (end) => {
      const bot = await startCommand({ ...(end === 'timeout' && { timeout: '1s' }), run });
      bot.type('/x');
      await bot.clock.advance(500);
      if (end === 'shutdown') void bot.bot.close();
      await bot.clock.advance(20_000);
      expect(bot.lines.filter((line) => line.includes(' '))).toEqual(['respond Mine.']);
    });
  });

  it.each([undefined, null])('speaks for a handler that then ends with %s', async (nothing) => {
    const bot = await startCommand({
      timeout: '1s',
      run: ({ clock }) => clock.sleep('1h').catch(() => nothing),
    });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['respond This took too long. Please try again later.']);
  });

  it('refuses what the handler writes after the reply about the timeout', async () => {
    let late: Promise<unknown> | undefined;
    const bot = await startCommand({
      timeout: '1s',
      run: async ({ clock, reply }) => {
        await clock.sleep('1s').catch(() => {});
        for (let n = 0; n < 5; n += 1) await settle();
        late = reply('too late');
        await late;
      },
    });
    bot.type('/x');
    await bot.clock.advance(1_000);
    for (let n = 0; n < 8; n += 1) await settle();
    await expect(late).rejects.toMatchObject({ code: 'E_COMMAND_TIMEOUT' });
    expect(bot.lines).toEqual(['respond This took too long. Please try again later.']);
  });

  it('defers while an error handler is slow, also if the timeout comes before the defer', async () => {
    const bot = await startTestBot({
      'commands/_error.ts': { default: () => new Promise(() => {}) },
      'commands/x.ts': {
        default: { description: 'x', timeout: '1s', defer: '2s', run: () => new Promise(() => {}) },
      },
    });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['defer']);
  });

  it('leaves an error handler three seconds for the last word, and then speaks for it', async () => {
    const bot = await startTestBot({
      'commands/_error.ts': { default: () => new Promise(() => {}) },
      'commands/x.ts': {
        default: { description: 'x', timeout: '4s', run: () => new Promise(() => {}) },
      },
    });
    bot.type('/x');
    await bot.clock.advance(6_999);
    expect(bot.lines).toEqual(['defer']);
    await bot.clock.advance(1);
    expect(bot.lines).toEqual(['defer', 'respond This took too long. Please try again later.']);
    expect(bot.bot.running).toBe(0);
  });

  it('waits for an error handler that is slower than the window as for any handler', async () => {
    const bot = await startTestBot({
      'commands/_error.ts': {
        default: async (_: unknown, { clock }: CommandContext) => {
          await clock.sleep('2s');
          return 'It broke.';
        },
      },
      'commands/x.ts': { description: 'x', default: () => Promise.reject(new Error('broken')) },
    });
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines).toEqual(['defer', 'respond It broke.']);
  });

  it('shorter than the defer ends the command before the thinking state is shown', async () => {
    const bot = await startCommand({ timeout: '1s', run: () => new Promise(() => {}) });
    bot.type('/x');
    await bot.clock.advance(5_000);
    expect(bot.lines).toEqual(['respond This took too long. Please try again later.']);
  });
});
