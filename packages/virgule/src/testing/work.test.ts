import { createFakeClock, systemClock } from '@virgule/core/clock';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBot, TestBotOptions } from './test-bot.js';

async function start(
  files: Readonly<Record<string, string>>,
  options: TestBotOptions = {},
): Promise<TestBot> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(() => bot.close().catch(() => {}));
  return bot;
}

/** Real work that no clock of a test moves. */
const WORK = `const work = async () => { for (let n = 0; n < 50; n += 1) await new Promise((r) => setImmediate(r)); };\n`;
const command = (body: string, settings = ''): string =>
  `${WORK}export default { description: 'Test', ${settings} async run(ctx) { ${body}; return null; } };`;
const task = (body: string, settings: string): string =>
  `${WORK}export default { ${settings} async run(ctx) { ${body} } };`;
/** Notes of handlers and tasks, shared with this process. */
const noted: unknown[] = [];
Object.assign(globalThis, { noted });
/** A task that works, and then notes the time since the start. */
const reporting = (settings: string): string =>
  task(`await work(); noted.push(ctx.clock.now() - ${Date.UTC(2026, 0, 1)});`, settings);
/** A task that sends a message, and then notes that. */
const sending = task(
  `await ctx.channel(noted[0]).send('Hello'); noted.push('sent');`,
  `every: '1h',`,
);
const HELLO = { 'commands/hello.ts': command(`return 'Hello!';`) };

const DAY_MS = 86_400_000;
afterEach(() => void noted.splice(0));

describe('clock.advance', () => {
  it('costs by what happens, not by the time: a year with one due task', async () => {
    const clock = createFakeClock();
    const bot = await start(
      {
        'commands/remind.ts': command(`await ctx.tasks.tick.in('200d'); return 'ok';`),
        'tasks/tick.ts': reporting(''),
      },
      { clock },
    );
    await bot.run('/remind');
    const timers = vi.spyOn(clock, 'setTimeout');
    const rows = bot.platform.trace().length;
    await bot.clock.advance('365d');
    expect(noted).toEqual([200 * DAY_MS]);
    expect(timers.mock.calls.length).toBeLessThan(100);
    expect(bot.platform.trace().length - rows).toBeLessThan(100);
    expect(bot.platform.counts).toMatchObject({ identifies: 1 });
  });

  it('keeps the connection alive to the end, so that a gap is as long as it was', async () => {
    const bot = await start({
      ...HELLO,
      'events/gap.ts': `export default ({ data }) => void noted.push(data.ms);`,
    });
    await bot.clock.advance('3d');
    bot.dropSocket();
    await bot.clock.advance('1m');
    expect(noted).toEqual([expect.any(Number)]);
    expect(noted[0]).toBeLessThan(60_000);
  });

  it('plays every heartbeat while there are faults', async () => {
    const bot = await start(HELLO);
    bot.platform.setFaults({
      rules: [{ name: 'dead', on: { frame: 'HEARTBEAT_ACK' }, do: { type: 'lose' } }],
    });
    await bot.clock.advance('1h');
    expect(bot.platform.counts.identifies).toBeGreaterThan(2);
  });

  it('stops at each due task until its run is over', async () => {
    const bot = await start({ ...HELLO, 'tasks/tick.ts': reporting(`every: '10m',`) });
    await bot.clock.advance('1h');
    expect(noted).toEqual([1, 2, 3, 4, 5, 6].map((n) => n * 600_000));
  });

  it('does not wait for a task that waits for the clock or for the platform', async () => {
    const bot = await start({
      ...HELLO,
      'tasks/one.ts': task(
        `await ctx.clock.sleep('5m'); await work(); noted.push('slept');`,
        `every: '1h',`,
      ),
      'tasks/two.ts': sending,
      'tasks/three.ts': sending,
    });
    bot.platform.setFaults({
      rules: [
        {
          name: 'busy',
          on: { request: 'messages.send' },
          do: { type: 'status', status: 429, retryAfter: 60 },
          times: 1,
        },
      ],
    });
    noted.push(bot.platform.channel().id);
    await bot.clock.advance('90m');
    expect(noted.slice(1)).toEqual(['sent', 'sent', 'slept']);
  });

  it('does not run ahead of a handler that sleeps for no time, or that shows states', async () => {
    const bot = await start({
      'commands/sleep.ts': command(
        `for (let n = 0; n < 50; n += 1) {
           await ctx.clock.sleep('1s'); await ctx.clock.sleep('0s'); noted.push(ctx.clock.now());
         }`,
        `timeout: '1m',`,
      ),
      'commands/states.ts': `export default { description: 'Test', timeout: '1m', async *run({ clock }) {
        for (let n = 1; n < 50; n += 1) { yield String(n); await clock.sleep('1s'); }
        return '50';
      } };`,
    });
    const startMs = bot.clock.now();
    const ran = [bot.run('/sleep'), bot.run('/states')];
    await bot.clock.advance('1h');
    const [, states] = await Promise.all(ran);
    const counted = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(noted.map((atMs) => Number(atMs) - startMs)).toEqual(counted.map((n) => n * 1_000));
    expect(states?.edits).toEqual(counted.slice(1).map(String));
  });

  it('fails when a task does not end', async () => {
    const bot = await start(
      { ...HELLO, 'tasks/hang.ts': task('await new Promise(() => {});', `every: '1h',`) },
      { limit: '1ms' },
    );
    await expect(bot.clock.advance('2h')).rejects.toThrow(
      'A run of the task hang did not end in 1ms.',
    );
  });
});

describe('idle', () => {
  it('starts what is due now, and waits for its real work', async () => {
    const files = {
      'commands/now.ts': command(`await ctx.tasks.tick.in('0ms'); return 'ok';`),
      'tasks/tick.ts': reporting(''),
    };
    for (const [index, clock] of [createFakeClock(), systemClock].entries()) {
      const bot = await start(files, { clock });
      await bot.run('/now');
      await bot.idle();
      expect(noted).toHaveLength(index + 1);
    }
  });

  it.each([
    ['a reaction', `await ctx.confirm('Sure?');`],
    ['a message', `await ctx.waitForMessage({ within: '1h' });`],
    ['the clock', `await ctx.clock.sleep('1h');`],
    ['a rate limit', `await ctx.here.send('one'); await ctx.here.send('two');`],
  ])('resolves when a handler only waits for %s', async (_, body) => {
    const files = {
      'commands/wait.ts': command(
        `await work(); noted.push('worked'); ${body}`,
        `timeout: '2h', intents: ['MESSAGE_REACTIONS', 'SERVER_MESSAGES'],`,
      ),
      'events/message-create.ts': `export default async ({ clock }) => { await clock.sleep('1h'); };`,
    };
    const bot = await start(files, { strict: false });
    bot.platform.setFaults({
      rules: [
        {
          name: 'busy',
          on: { request: 'messages.send' },
          do: { type: 'status', status: 429, retryAfter: 60 },
        },
      ],
    });
    const ran = bot.run('/wait');
    // The second one waits for its turn behind the first.
    const said = [bot.say('one'), bot.say('two')];
    await bot.idle();
    void Promise.allSettled([ran, ...said]);
    expect(noted).toEqual(['worked']);
  });

  it('waits for the clock where time passes by itself', async () => {
    const bot = await start(
      { 'commands/wait.ts': command(`await ctx.clock.sleep('20ms'); noted.push('slept');`) },
      { clock: systemClock },
    );
    const ran = bot.run('/wait');
    await bot.idle();
    expect(noted).toEqual(['slept']);
    await ran;
  });

  it('does not count a loop of a service as a handler that waits', async () => {
    const bot = await start({
      'services.ts': `export default ({ clock }) => {
        (async () => { for (;;) await clock.sleep('1m'); })().catch(() => {});
        return {};
      };`,
      'commands/work.ts': command(`await work(); noted.push('worked');`),
    });
    const ran = bot.run('/work');
    await bot.idle();
    expect(noted).toEqual(['worked']);
    await ran;
  });

  it('does not take two waits of one handler for those of two', async () => {
    const bot = await start({
      'commands/two.ts': command(
        `await Promise.all([ctx.clock.sleep('1m'), ctx.clock.sleep('1m')]);`,
      ),
      'commands/work.ts': command(`await work(); noted.push('worked');`),
    });
    const ran = [bot.run('/two'), bot.run('/work')];
    await bot.idle();
    void Promise.allSettled(ran);
    expect(noted).toEqual(['worked']);
  });

  it('resolves when a handler of ready waits', async () => {
    const bot = await start({
      ...HELLO,
      'events/ready.ts': `export default async ({ clock }) => { for (;;) await clock.sleep('1m'); };`,
    });
    expect(await bot.idle()).toBeUndefined();
  });

  it('ends with the bot', async () => {
    const bot = await start(
      { 'commands/hang.ts': command('await new Promise(() => {});') },
      { limit: 'none' },
    );
    void bot.run('/hang');
    const idle = bot.idle();
    await bot.close();
    expect(await idle).toBeUndefined();
  });

  it('is not needed for the error of an action that the test awaits later, or never', async () => {
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const files = {
      'events/message-create.ts': `export default () => { throw new Error('on purpose'); };`,
    };
    const logged = { code: 'E_TEST_STRICT', message: expect.stringContaining('on purpose') };
    const bot = await start(files);
    const saying = bot.say('hi');
    await bot.clock.advance('10s');
    await systemClock.sleep(0);
    await expect(saying).rejects.toMatchObject(logged);
    await bot.close();
    const other = await start(files);
    void other.say('hi');
    await other.clock.advance('10s');
    await systemClock.sleep(0);
    await expect(other.close()).rejects.toMatchObject(logged);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('fails after the limit, once', async () => {
    const unhandled = vi.fn<(reason: unknown) => void>();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const bot = await start(
      { 'commands/hang.ts': command('await new Promise(() => {});') },
      { limit: '1ms' },
    );
    const ran = bot.run('/hang');
    await expect(bot.idle()).rejects.toThrow('A handler did not end in 1ms.');
    await systemClock.sleep(0);
    await expect(ran).rejects.toThrow('/hang did not end in 1ms.');
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('react', () => {
  it('goes to the message that asks, and is in the transcript', async () => {
    const bot = await start({
      'commands/pages.ts': command(
        `await work(); await ctx.paginate(['one', 'two']);`,
        `timeout: '2m', intents: ['MESSAGE_REACTIONS'],`,
      ),
      'commands/vote.ts': command(
        `for await (const { emoji } of ctx.reactions(await ctx.reply('Which?'), { within: '10s' })) return emoji.unicodeEmoji;`,
        `intents: ['MESSAGE_REACTIONS'],`,
      ),
    });
    const paged = bot.run('/pages');
    await bot.idle();
    const voted = bot.run('/vote');
    await bot.idle();
    await bot.say('by the way');
    await bot.as('grace').react('▶️');
    await bot.as('grace').react('🍕');
    const { content, transcript } = await voted;
    expect(content).toBe('🍕');
    // The pages end after a minute, well before the timeout of their command.
    await bot.clock.advance('1m');
    expect((await paged).edits).toEqual(['two']);
    expect(transcript).toContain('(grace reacted with ▶️)');
    await bot.as('grace').react('👋');
    expect(bot.platform.messages().at(-1)?.reactions[0]?.emoji.unicodeEmoji).toBe('👋');
  });

  it('shows a reaction to a message of before the bot in the transcript', async () => {
    const bot = await start(HELLO);
    const { transcript } = await bot.as('grace').react('👋');
    expect(transcript).toBe('#general\n  (grace reacted with 👋)');
  });
});

it('changes one entry from several handlers at once without a step of the clock', async () => {
  const bot = await start({
    'commands/count.ts': command(
      `const add = () => ctx.storage.update('n', async (n = 0) => { await work(); return n + 1; });
       const counts = await Promise.all([add(), add(), add(), add()]);
       return counts.toSorted().join(' ')`,
    ),
  });
  const { replies } = await bot.run('/count');
  expect(replies).toEqual(['1 2 3 4']);
});
