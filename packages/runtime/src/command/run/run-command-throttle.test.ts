import { describe, expect, it } from 'vitest';
import { OTHER_CHANNEL, SERVER, interactionId } from '../../../test/ids.js';
import { projectOf } from '../../../test/project-of.js';
import {
  startCommand,
  startTestBot,
  type TestBot,
  type TestBotOptions,
} from '../../../test/test-bot.js';
import type { CommandContext } from '../context/command-context.js';
import type { CommandDefinition } from '../define/define-command.js';
import { defineMiddleware, type Middleware } from '../define/define-middleware.js';
import type { ConcurrencySlot } from '../throttle/concurrency-store.js';
import type { CooldownStore } from '../throttle/cooldown-store.js';
import type { ThrottleKey } from '../throttle/throttle-settings.js';

const WAIT_5 = 'respond Please wait 5 seconds before you use /x again.';
const BUSY = 'respond /x is busy. Please try again in a moment.';

const quick = (cooldown: CommandDefinition['cooldown'], options: TestBotOptions = {}) =>
  startCommand({ cooldown, run: () => 'done' }, options);

/** A command that takes two seconds. */
const slow = (
  concurrency: CommandDefinition['concurrency'],
  parts: object = {},
  options: TestBotOptions = {},
) =>
  startCommand(
    {
      concurrency,
      run: async ({ clock }) => {
        await clock.sleep('2s');
        return 'done';
      },
      ...parts,
    },
    options,
  );

/** Runs /x elsewhere, or with fields that the interface document does not know. */
async function runWith(bot: TestBot, n: number, parts: object): Promise<readonly string[]> {
  bot.emit('APPLICATION_COMMAND', {
    interactionId: interactionId(900 + n),
    serverId: SERVER,
    channelId: '5e9b3c17-a264-4d80-b91e-07f3c8d5624a',
    name: 'x',
    rawInput: '/x',
    ...parts,
  });
  await bot.bot.idle();
  return bot.lines;
}

describe('the cooldown of a command', () => {
  it('refuses the next run in the same channel, and says for how long', async () => {
    const bot = await quick('5s');
    await bot.run('/x');
    expect(await bot.run('/x')).toEqual(['respond done', WAIT_5]);
    await bot.clock.advance(4_200);
    expect((await bot.run('/x')).at(-1)).toBe(
      'respond Please wait 1 second before you use /x again.',
    );
    await bot.clock.advance(800);
    expect((await bot.run('/x')).at(-1)).toBe('respond done');
    expect(bot.log.at('error')).toEqual([]);
  });

  it.each([
    ['channel', 'respond done'],
    ['server', WAIT_5],
    ['global', WAIT_5],
  ] as const)('counts per %s', async (per, elsewhere) => {
    const bot = await quick({ every: '5s', per });
    await bot.run('/x');
    expect((await runWith(bot, 1, { channelId: OTHER_CHANNEL })).at(-1)).toBe(elsewhere);
  });

  it('counts by a key of its own', async () => {
    const bot = await quick({ every: '5s', per: ({ raw }) => raw['userId'] as string });
    await runWith(bot, 1, { userId: 'ada' });
    await runWith(bot, 2, { userId: 'bob' });
    expect(await runWith(bot, 3, { userId: 'ada' })).toEqual([
      'respond done',
      'respond done',
      WAIT_5,
    ]);
  });

  it.each<ThrottleKey>([
    ({ raw }) => raw['userId'] as undefined,
    ({ raw }) => String(raw['userId']),
    () => '',
    // JavaScript may return anything.
    (async () => 'ada') as unknown as ThrottleKey,
    (() => ({ id: 'ada' })) as unknown as ThrottleKey,
  ])(
    'holds for the channel when the key is nothing (%#), and warns once that the user is unknown',
    async (per) => {
      const bot = await quick({ every: '5s', per });
      await bot.run('/x');
      await bot.run('/x');
      expect(bot.lines).toEqual(['respond done', WAIT_5]);
      expect(bot.log.at('warn')).toEqual([
        'the key function of /x returned no key, so it counts the whole channel; the platform does not report who ran a command',
      ]);
    },
  );

  it('is not used up by a line that could not be read', async () => {
    const bot = await quick('5s');
    await bot.run('/x surplus');
    expect((await bot.run('/x')).at(-1)).toBe('respond done');
  });

  it('is kept in the given store, and awaited there', async () => {
    const asked: string[] = [];
    const cooldowns: CooldownStore = {
      count: async (key, change, { everyMs, limit }) => {
        asked.push(`${key} ${change} ${everyMs} ${limit}`);
        return 1_000;
      },
    };
    const bot = await quick({ every: '5s', per: 'global' }, { cooldowns });
    expect(await bot.run('/x')).toEqual(['respond Please wait 1 second before you use /x again.']);
    expect(asked).toEqual(['/x 1 5000 1']);
  });

  it('fails the command when its store fails', async () => {
    const cooldowns: CooldownStore = { count: () => Promise.reject(new Error('store away')) };
    const bot = await quick('5s', { cooldowns });
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
  });

  it('is reported with the bot’s own text', async () => {
    const bot = await quick('90s', {
      texts: { cooldown: ({ name, leftMs }) => `/${name}: noch ${leftMs / 1_000} s` },
    });
    await bot.run('/x');
    expect((await bot.run('/x')).at(-1)).toBe('respond /x: noch 90 s');
  });

  it('outlives a reload of the code', async () => {
    const definition = { description: 'x', cooldown: '5s', run: () => 'done' };
    const bot = await startCommand({ cooldown: '5s', run: () => 'done' });
    await bot.run('/x');
    bot.bot.use(await projectOf({ 'commands/x.ts': { default: definition } }));
    expect((await bot.run('/x')).at(-1)).toBe(WAIT_5);
  });
});

describe('the concurrency of a command', () => {
  it('with "reject" answers that the command is busy', async () => {
    const bot = await slow({ max: 2, when: 'reject' });
    for (let n = 0; n < 3; n += 1) bot.type('/x');
    await bot.clock.advance(0);
    expect(bot.lines).toEqual([BUSY]);
    await bot.clock.advance(2_000);
    bot.type('/x');
    await bot.clock.advance(2_000);
    expect(bot.lines.filter((line) => line === 'respond done')).toHaveLength(3);
  });

  it('with "drop" ends a surplus run silently', async () => {
    const bot = await slow({ max: 1, when: 'drop' });
    bot.type('/x');
    bot.type('/x');
    await bot.clock.advance(0);
    expect(bot.lines).toEqual(['ack']);
    await bot.clock.advance(2_000);
    expect(bot.lines.toSorted()).toEqual(['ack', 'defer', 'respond done']);
  });

  it('with "queue" runs them one after the other, in their order, deferred meanwhile', async () => {
    const started: string[] = [];
    const bot = await slow(
      { max: 1, when: 'queue' },
      {
        run: async ({ interactionId: id, clock }: CommandContext) => {
          started.push(id.slice(-1));
          await clock.sleep('2s');
          return `done ${id.slice(-1)}`;
        },
      },
    );
    for (let n = 0; n < 3; n += 1) bot.type('/x');
    await bot.clock.advance(1_500);
    expect([started, bot.lines]).toEqual([['1'], ['defer', 'defer', 'defer']]);
    await bot.clock.advance(500);
    expect(started).toEqual(['1', '2']);
    await bot.clock.advance(4_000);
    expect(bot.lines.slice(3)).toEqual(['respond done 1', 'respond done 2', 'respond done 3']);
  });

  it("counts per channel with per: 'channel'", async () => {
    const bot = await slow({ max: 1, per: 'channel', when: 'reject' });
    bot.type('/x');
    const elsewhere = runWith(bot, 1, { channelId: OTHER_CHANNEL });
    bot.type('/x');
    await bot.clock.advance(2_000);
    await elsewhere;
    expect(bot.lines.filter((line) => line === BUSY)).toHaveLength(1);
    expect(bot.lines.filter((line) => line === 'respond done')).toHaveLength(2);
  });

  it('releases the slot when the handler throws, and when it times out', async () => {
    let runs = 0;
    const bot = await slow(
      { max: 1, when: 'reject' },
      {
        timeout: '1s',
        run: () => {
          runs += 1;
          if (runs === 1) throw new Error('broken');
          return runs === 2 ? new Promise(() => {}) : 'done';
        },
      },
    );
    await bot.run('/x');
    bot.type('/x');
    await bot.clock.advance(1_000);
    expect(await bot.run('/x')).toEqual([
      'respond Something went wrong.',
      'respond This took too long. Please try again later.',
      'respond done',
    ]);
  });

  it('stops waiting when a run waits too long, and at a shutdown', async () => {
    const bot = await slow(
      { max: 1, when: 'queue' },
      { timeout: '3s', run: () => new Promise(() => {}) },
    );
    bot.type('/x');
    await bot.clock.advance(1_000);
    bot.type('/x');
    await bot.clock.advance(2_000);
    // The first one timed out and made room; the second one has one second of its own left.
    await bot.clock.advance(500);
    const closed = bot.bot.close();
    await bot.clock.advance(10_000);
    await closed;
    expect(bot.lines.filter((line) => line.startsWith('respond'))).toEqual([
      'respond This took too long. Please try again later.',
      'respond This took too long. Please try again later.',
    ]);
    expect(bot.bot.running).toBe(0);
  });

  it('releases a slot that a custom store grants to a run that no longer waits', async () => {
    const left: string[] = [];
    let grant: (slot: ConcurrencySlot) => void = () => {};
    const bot = await slow(
      { max: 1, when: 'queue' },
      { timeout: '3s', run: () => 'done' },
      // The handler ignores the signal.
      { concurrency: { acquire: () => new Promise((resolve) => (grant = resolve)) } },
    );
    bot.type('/x');
    await bot.clock.advance(3_000);
    expect(bot.bot.running).toBe(0);
    grant({ release: () => void left.push('left') });
    await bot.clock.advance(0);
    expect(left).toEqual(['left']);
  });

  it('releases a slot that a custom store grants after the middleware has failed', async () => {
    const left: string[] = [];
    let runs = 0;
    let grant: (slot: ConcurrencySlot) => void = () => {};
    const bot = await startTestBot(
      {
        'commands/_middleware.ts': {
          default: (_: CommandContext, next: () => Promise<unknown>) => {
            void next();
            throw new Error('broken');
          },
        },
        'commands/x.ts': {
          default: {
            description: 'x',
            concurrency: { max: 1, when: 'reject' },
            run: () => void (runs += 1),
          },
        },
      },
      { concurrency: { acquire: () => new Promise((resolve) => (grant = resolve)) } },
    );
    expect(await bot.run('/x')).toEqual(['respond Something went wrong.']);
    grant({ release: () => void left.push('left') });
    await bot.clock.advance(0);
    expect({ left, runs }).toEqual({ left: ['left'], runs: 0 });
  });

  it('does not use up the cooldown of a run that finds no place', async () => {
    const bot = await slow({ max: 1, per: 'global', when: 'reject' }, { cooldown: '5ms' });
    bot.type('/x');
    await bot.clock.advance(10);
    for (let n = 0; n < 2; n += 1) {
      bot.type('/x');
      await bot.clock.advance(0);
    }
    // The second would have to wait, had the first one started a cooldown.
    expect(bot.lines).toEqual([BUSY, BUSY]);
  });

  it('with "drop" fills in a run that was deferred at once: nothing else ends the thinking state', async () => {
    const bot = await slow({ max: 1, when: 'drop' }, { defer: 'now' });
    bot.type('/x');
    bot.type('/x');
    await bot.clock.advance(0);
    expect(bot.lines).toEqual([
      'defer',
      'defer',
      'respond /x is busy. Please try again in a moment.',
    ]);
  });

  it('says in the log line how long a run waited for its turn', async () => {
    const bot = await slow({ max: 1, when: 'queue' });
    bot.type('/x');
    bot.type('/x');
    await bot.clock.advance(4_000);
    expect(bot.log.lines.at(-1)?.details).toMatchObject({ queueMs: 2_000, handlerMs: 2_000 });
  });
});

describe('throttling', () => {
  /** Lets those pass whose line says so. */
  const guard: Middleware = async ({ raw, locals }, next) => {
    const { userId } = raw;
    if (typeof userId !== 'string') return 'Not you.';
    Object.assign(locals, { user: userId });
    return next();
  };
  const user = ({ locals }: CommandContext): string => String(Object(locals).user);

  it('runs after the guards: users who are refused use up nothing', async () => {
    const bot = await startTestBot({
      'commands/_middleware.ts': { default: guard },
      'commands/x.ts': {
        default: {
          description: 'x',
          cooldown: { every: '5s', per: 'global' },
          concurrency: { max: 1, when: 'reject' },
          run: () => 'done',
        },
      },
    });
    await runWith(bot, 1, {});
    await runWith(bot, 2, { userId: 'ada' });
    await runWith(bot, 3, { userId: 'ada' });
    expect(bot.lines).toEqual(['respond Not you.', 'respond done', WAIT_5]);
  });

  it('sees in its key functions what the middleware has filled in', async () => {
    const bot = await startTestBot({
      'commands/_middleware.ts': { default: guard },
      'commands/x.ts': {
        default: { description: 'x', cooldown: { every: '5s', per: user }, run: () => 'done' },
      },
    });
    for (const [n, userId] of ['ada', 'bob', 'ada'].entries()) await runWith(bot, n, { userId });
    expect(bot.lines).toEqual(['respond done', 'respond done', WAIT_5]);
    expect(bot.log.at('warn')).toEqual([]);
  });

  it('is visible to the middleware, which can word it', async () => {
    const bot = await startTestBot({
      'commands/_middleware.ts': {
        default: async (_: CommandContext, next: () => Promise<unknown>) =>
          String(await next()).toUpperCase(),
      },
      'commands/x.ts': { default: { description: 'x', cooldown: '5s', run: () => 'done' } },
    });
    await bot.run('/x');
    expect(await bot.run('/x')).toEqual([
      'respond DONE',
      'respond PLEASE WAIT 5 SECONDS BEFORE YOU USE /X AGAIN.',
    ]);
    expect(bot.log.lines.at(-1)?.details['result']).toBe('cooldown');
  });

  it('allows several runs in a window, which begins with the first', async () => {
    const bot = await quick({ limit: 3, every: '10s' });
    for (let n = 0; n < 3; n += 1) {
      await bot.run('/x');
      await bot.clock.advance(2_000);
    }
    expect((await bot.run('/x')).at(-1)).toBe(
      'respond Please wait 4 seconds before you use /x again.',
    );
    await bot.clock.advance(4_000);
    expect((await bot.run('/x')).at(-1)).toBe('respond done');
  });

  const folder = (settings: object, own: object = {}, inner?: Middleware) =>
    startTestBot({
      'commands/_middleware.ts': {
        default: defineMiddleware((_, next) => next(), settings),
      },
      ...(inner && { 'commands/admin/_middleware.ts': { default: inner } }),
      'commands/x.ts': { default: { description: 'x', run: () => 'done', ...own } },
      'commands/y.ts': { default: { description: 'y', run: () => 'done' } },
      'commands/admin/z.ts': { default: { description: 'z', run: () => 'done' } },
    });

  it('of a folder counts all commands of the folder', async () => {
    const bot = await folder({ cooldown: { limit: 2, every: '10s', per: 'server' } });
    await bot.run('/x');
    await bot.run('/y');
    expect((await bot.run('/admin-z')).at(-1)).toBe(
      'respond Please wait 10 seconds before you use /admin-z again.',
    );
  });

  it('of a folder is used up by no one whom an inner guard or the command itself refuses', async () => {
    const bot = await folder(
      { cooldown: { every: '10s', per: 'global' } },
      { cooldown: { every: '1s', per: 'global' } },
      () => 'Not here.',
    );
    await bot.run('/admin-z');
    await bot.run('/x');
    await bot.clock.advance(500);
    await bot.run('/y');
    await bot.clock.advance(9_500);
    await bot.run('/x');
    expect(bot.lines).toEqual([
      'respond Not here.',
      'respond done',
      'respond Please wait 10 seconds before you use /y again.',
      'respond done',
    ]);
  });

  it('of a folder limits how many of its commands run at a time', async () => {
    const bot = await folder(
      { concurrency: { max: 1, when: 'reject' } },
      {
        run: async ({ clock }: CommandContext) => {
          await clock.sleep('1s');
          return 'slow';
        },
      },
    );
    bot.type('/x');
    await bot.clock.advance(0);
    bot.type('/y');
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual([
      'respond /y is busy. Please try again in a moment.',
      'respond slow',
    ]);
    expect((await bot.run('/y')).at(-1)).toBe('respond done');
  });

  it('that a run stops waiting for uses up nothing of what it had', async () => {
    const bot = await startCommand(
      {
        timeout: '1s',
        cooldown: { every: '1h', per: 'global' },
        concurrency: { max: 1, when: 'queue' },
        run: () => 'done',
      },
      {
        concurrency: {
          acquire: (_, { signal }) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason));
            }),
        },
      },
    );
    bot.type('/x');
    await bot.clock.advance(1_000);
    bot.type('/x');
    await bot.clock.advance(1_000);
    expect(bot.lines).toEqual(Array(2).fill('respond This took too long. Please try again later.'));
  });

  it('starts no handler for a run that was stopped while it waited', async () => {
    let started = 0;
    let grant: (slot: ConcurrencySlot) => void = () => {};
    const bot = await startCommand(
      {
        timeout: '1s',
        concurrency: { max: 1, when: 'queue' },
        run: () => {
          started += 1;
          return 'done';
        },
      },
      { concurrency: { acquire: () => new Promise((resolve) => (grant = resolve)) } },
    );
    bot.type('/x');
    await bot.clock.advance(1_000);
    grant({ release: () => {} });
    await bot.clock.advance(0);
    expect(started).toBe(0);
  });
});
