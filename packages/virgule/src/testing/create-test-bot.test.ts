import { AsyncLocalStorage } from 'node:async_hooks';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, createTestProject, type TestProject } from '../../test/test-project.js';
import { until } from '../../test/until.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBot, TestBotOptions } from './test-bot.js';

const open: TestBot[] = [];
afterEach(async () => {
  for (const bot of open.splice(0)) await bot.close();
});

async function projectWith(files: Readonly<Record<string, string>>): Promise<TestProject> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project;
}

async function start(
  files: Readonly<Record<string, string>>,
  options: TestBotOptions = {},
): Promise<TestBot> {
  const { root } = await projectWith(files);
  const bot = await createTestBot({ root, ...options });
  open.push(bot);
  return bot;
}

/** A command file whose handler has this body. */
const running = (body: string, settings = ''): string =>
  `export default { description: 'Test', ${settings} async run(ctx) { ${body} } };`;

describe('createTestBot', () => {
  // Node.js before version 24 spends time on each promise of the process for each of them.
  it('disables its AsyncLocalStorage when it is closed', async () => {
    const enabled = vi.spyOn(AsyncLocalStorage.prototype, 'run');
    const disabled = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
    onTestFinished(() => [enabled, disabled].forEach((spy) => spy.mockRestore()));
    const bot = await start({ 'commands/hello.ts': answering('Hello!') });
    await bot.run('/hello');
    await bot.close();
    expect(enabled.mock.contexts).not.toEqual([]);
    const left = enabled.mock.contexts.filter((each) => !disabled.mock.contexts.includes(each));
    expect(left).toEqual([]);
  });

  it('answers from the files of a folder', async () => {
    const bot = await start({ 'commands/hello.ts': answering('Hello!') });
    expect(await bot.run('/hello')).toEqual({
      content: 'Hello!',
      edits: [],
      followUps: [],
      replies: ['Hello!'],
      deferred: false,
      state: 'answered',
      files: [],
      result: 'ok',
      error: undefined,
      calls: [
        {
          endpoint: 'interactions.respond',
          method: 'POST',
          path: expect.stringMatching(/^\/api\/bot\/v1\/interactions\/[^/]+\/response$/),
          body: expect.objectContaining({ content: 'Hello!' }),
          status: 200,
          atMs: 0,
        },
      ],
      called: [],
      timings: { answeredMs: 0, deferredMs: undefined, endedMs: 0 },
      transcript: '#general\n  ada used /hello\n  demo-bot: Hello!',
    });
  });

  it('returns what was written, oldest first, and the final state of the answer', async () => {
    const bot = await start({
      'commands/two.ts': running(
        `const first = await ctx.reply('draft'); await ctx.reply('more'); await first.edit('final');`,
      ),
    });
    expect(await bot.run('/two')).toMatchObject({ content: 'final', replies: ['final', 'more'] });
  });

  it('takes over a changed file, and keeps services and the state of other modules', async () => {
    const project = await projectWith({
      'services.ts': `export default () => ({ started: Math.random() });`,
      'lib/count.ts': `let count = 0; export const next = () => (count += 1);`,
      'commands/hello.ts': `
        import { next } from '../lib/count.js';
        export default { description: 'Old', run: ({ services }) => 'old ' + next() + ' ' + services.started };`,
    });
    const bot = await createTestBot({ root: project.root });
    open.push(bot);
    const [, , started] = (await bot.run('/hello')).content?.split(' ') ?? [];
    await project.write(
      'commands/hello.ts',
      `import { next } from '../lib/count.js';
       export default { description: 'New', run: ({ services }) => 'new ' + next() + ' ' + services.started };`,
    );
    await project.write('commands/other.ts', answering('other'));
    await bot.reload('commands/hello.ts', 'commands/other.ts');
    expect((await bot.run('/hello')).content).toBe(`new 2 ${started}`);
    expect((await bot.run('/other')).content).toBe('other');
    const { commands } = bot.platform.snapshot();
    expect(commands.map(({ name, description }) => [name, description])).toContainEqual([
      'hello',
      'New',
    ]);
  });

  it('keeps the version before when a changed file has a problem, and refuses what only a start reads', async () => {
    const project = await projectWith({
      'services.ts': `export { create as default } from './lib/create.js';`,
      'lib/create.ts': `export const create = () => ({});`,
      'commands/hello.ts': answering('Hello!'),
    });
    const bot = await createTestBot({ root: project.root });
    open.push(bot);
    await project.write('commands/hello.ts', 'export default {');
    await expect(bot.reload('commands/hello.ts')).rejects.toThrow(/E_SYNTAX.*commands\/hello\.ts/);
    expect((await bot.run('/hello')).content).toBe('Hello!');
    await project.write('lib/create.ts', `export const create = () => ({ db: 1 });`);
    await expect(bot.reload('lib/create.ts')).rejects.toMatchObject({
      code: 'E_TEST_CALL',
      message: expect.stringMatching(
        /^The change needs a new bot: lib\/create\.ts is used by services\.ts, which runs only at startup\.\n/,
      ),
    });
  });

  it('runs the tasks that are due when its clock is advanced', async () => {
    const clock = createFakeClock();
    const times: string[] = [];
    const bot = await start(
      {
        'commands/remind.ts': running(
          `const { id } = await ctx.tasks.remind.in('2h', { channelId: ctx.channelId, text: 'tea' });
           return id.split(':')[0];`,
        ),
        'tasks/remind.ts': `export default { payload: (await import('zod')).looseObject({}), run: ({ payload, channel }) => channel(payload.channelId).send(payload.text) };`,
        'tasks/digest.ts': `export default { every: '1h', run: ({ services }) => services.times.push('digest') };`,
      },
      { clock, services: { times } },
    );
    expect(await bot.run('/remind')).toMatchObject({ content: 'remind' });
    await clock.advance(2 * 3_600_000 - 1);
    await bot.idle();
    expect(bot.platform.messages('general').at(-1)?.content).toBe('remind');
    await clock.advance(1);
    await bot.idle();
    expect(bot.platform.messages('general').at(-1)?.content).toBe('tea');
    expect(times).toEqual(['digest', 'digest']);
  });

  it('returns the replies of one run only', async () => {
    const bot = await start({
      'commands/a.ts': answering('a'),
      'commands/b.ts': answering('b'),
    });
    await bot.run('/a');
    expect((await bot.run('/b')).replies).toEqual(['b']);
    expect((await bot.run('/a')).replies).toEqual(['a']);
  });

  it('leaves out what users write meanwhile', async () => {
    const bot = await start({ 'commands/a.ts': answering('a') });
    bot.platform.sendMessage({ content: 'a user' });
    const ran = bot.run('/a');
    bot.platform.sendMessage({ content: 'another user' });
    expect((await ran).replies).toEqual(['a']);
  });

  it('hands handlers a file that a user uploads, which they download from its platform', async () => {
    const bot = await start(
      {
        'commands/read.ts': `import { option } from 'virgule';
        import * as z from 'zod';
        export default { description: 'Read', options: z.object({ file: option.attachment() }),
          run: async ({ options }) => (await fetch(options.file)).text() };`,
      },
      { network: true },
    );
    const { url } = bot.platform.upload({ name: 'my notes.txt', data: Buffer.from('hello') });
    expect(await bot.run(`/read ${url}`)).toMatchObject({ content: 'hello', error: undefined });
  });

  it('has no text for a command that chose silence', async () => {
    const bot = await start({ 'commands/quiet.ts': running('return null;') });
    expect(await bot.run('/quiet')).toMatchObject({
      content: undefined,
      replies: [],
      state: 'acknowledged',
      files: [],
      result: 'ok',
      error: undefined,
    });
  });

  it('waits for the handler of a deferred command', async () => {
    const bot = await start({
      'commands/slow.ts': running(
        `await new Promise((resolve) => setTimeout(resolve, 30)); return 'at last';`,
        `defer: 'now',`,
      ),
    });
    expect(await bot.run('/slow')).toMatchObject({ content: 'at last', state: 'answered' });
  });

  it('waits for what a handler does after its answer', async () => {
    const bot = await start({
      'commands/after.ts': running(
        `await ctx.reply('first'); await new Promise((resolve) => setTimeout(resolve, 30)); await ctx.reply('second');`,
      ),
    });
    expect((await bot.run('/after')).replies).toEqual(['first', 'second']);
  });

  it('says when nothing came in time', async () => {
    const clock = createFakeClock();
    const bot = await start(
      { 'commands/mute.ts': running('await new Promise(() => {});', `defer: 'never',`) },
      { clock },
    );
    const ran = bot.run('/mute');
    await clock.advance(3_000);
    expect(await ran).toMatchObject({
      content: undefined,
      replies: [],
      state: 'expired',
      files: [],
      result: 'expired',
      error: undefined,
    });
  });

  it('runs in the channel and as the user that are named', async () => {
    const bot = await start({ 'commands/a.ts': answering('a') });
    expect((await bot.as('linus').in('#bot-spam').run('/a')).replies).toEqual(['a']);
    const { channels, users, interactions } = bot.platform.snapshot();
    const last = interactions.at(-1);
    expect(channels.find(({ id }) => id === last?.channelId)?.name).toBe('bot-spam');
    expect(users.find(({ id }) => id === last?.userId)?.username).toBe('linus');
  });

  it('refuses a command, a channel and a user that are not there', async () => {
    const bot = await start({ 'commands/hello.ts': answering('Hello!') });
    const codeOf = (code: string) => ({ code: expect.stringContaining(code) });
    await expect(bot.run('/helo')).rejects.toMatchObject({
      ...codeOf('E_SIM_UNKNOWN'),
      // Test runners print the message and not the hint.
      message: 'No registered command matches "/helo".\nTry:  Did you mean /hello?',
    });
    await expect(bot.in('nowhere').run('/hello')).rejects.toMatchObject(codeOf('E_SIM_UNKNOWN'));
    await expect(bot.as('nobody').run('/hello')).rejects.toMatchObject(codeOf('E_SIM_UNKNOWN'));
  });

  it('passes the random numbers of the test to handlers', async () => {
    const numbers = [0.25, 0.75];
    const bot = await start(
      { 'commands/roll.ts': running('return [ctx.random(), ctx.random()].join(" ");') },
      { random: () => numbers.shift() ?? 0 },
    );
    expect((await bot.run('/roll')).content).toBe('0.25 0.75');
  });

  it('shows handlers the time of the test', async () => {
    const clock = createFakeClock();
    const files = { 'commands/now.ts': running('return String(ctx.clock.now());') };
    const bot = await start(files, { clock });
    await clock.advance(1_234);
    expect((await bot.run('/now')).content).toBe(String(clock.now()));
  });

  it('passes the clock of the test to handlers', async () => {
    const clock = createFakeClock();
    const bot = await start(
      { 'commands/wait.ts': running(`await ctx.clock.sleep('5m'); return 'five minutes later';`) },
      { clock },
    );
    const ran = bot.run('/wait');
    const state = (): unknown => bot.platform.snapshot().interactions.at(-1)?.state;
    await until(async () => {
      await clock.advance(100);
      expect(state()).toBe('deferred');
    });
    await clock.advance(5 * 60_000);
    expect(await ran).toMatchObject({ content: 'five minutes later', state: 'answered' });
  });

  it('has a platform that behaves as the profile says', async () => {
    const clock = createFakeClock();
    const bot = await start(
      { 'commands/mute.ts': running('await new Promise(() => {});', `defer: 'never',`) },
      { clock, profile: { answerWindowMs: 500 } },
    );
    const ran = bot.run('/mute');
    await clock.advance(500);
    expect((await ran).state).toBe('expired');
  });

  it('imports the files with the given function', async () => {
    const importModule = vi.fn(async () => ({
      description: 'A',
      default: () => 'from elsewhere',
    }));
    const bot = await start({ 'commands/a.ts': 'not even code' }, { importModule });
    expect((await bot.run('/a')).content).toBe('from elsewhere');
    expect(importModule).toHaveBeenCalledWith(expect.stringMatching(/commands[\\/]a\.ts$/));
  });

  it('logs the error of a handler with the line of the source', async () => {
    const error = vi.fn();
    const bot = await start(
      {
        'commands/broken.ts': `\n\nexport default { description: 'B', run() {\n  throw new Error('boom'); } };`,
      },
      { log: { ...silentLog, error }, strict: false },
    );
    expect((await bot.run('/broken')).content).toContain('boom');
    const logged = error.mock.calls.map(([{ err }]) => String((err as Error).stack)).join('\n');
    expect(logged).toMatch(/commands[\\/]broken\.ts:4/);
  });

  it('refuses an unknown option, and a file that is not in a list', async () => {
    const send = `files: { name: 'a.txt', data: 'x' } }`;
    const files = {
      'commands/both.ts': running(`return { content: 'one', ${send};`),
      'commands/alone.ts': running(`await ctx.reply({ ${send});`),
    };
    const bot = await start(files, { strict: false });
    for (const name of ['both', 'alone'])
      expect((await bot.run(name, {})).error).toMatchObject({
        message: expect.stringContaining('files must be an array of files'),
      });
    const misspelled = { vai: 'code' } as never;
    await expect(bot.run('both', {}, misspelled)).rejects.toMatchObject({ code: 'E_UNKNOWN_KEY' });
    await expect(createTestBot({ strct: false } as never)).rejects.toThrow(
      'createTestBot() has an unknown key "strct".',
    );
  });

  it('reports the problems of a project, and starts nothing of it', async () => {
    const { root } = await projectWith({
      'commands/a.ts': 'export {};',
      'commands/b.ts': 'export default {',
    });
    await expect(createTestBot({ root })).rejects.toMatchObject({
      problems: [{ code: 'E_NO_HANDLER' }, { code: 'E_SYNTAX' }],
    });
  });

  it('leaves no platform behind when the bot cannot start', async () => {
    const { root } = await projectWith({ 'commands/a.ts': answering('a') });
    const servers = (): number =>
      process.getActiveResourcesInfo().filter((name) => /^tcpserver/i.test(name)).length;
    const before = servers();
    const silent = await createTestBot({ root });
    expect(servers()).toBe(before);
    await silent.close();
    const bot = await createTestBot({ root, network: true });
    expect(servers()).toBe(before + 1);
    await bot.close();

    const info = (): void => {
      throw new Error('The disk is full.');
    };
    await expect(
      createTestBot({ root, network: true, log: { ...silentLog, info } }),
    ).rejects.toThrow('disk is full');
    await until(() => expect(servers()).toBe(before));
  });

  it('keeps two bots apart', async () => {
    const files = { 'commands/count.ts': `let n = 0;\n${running('return String((n += 1));')}` };
    const { root } = await projectWith(files);
    await using one = await createTestBot({ root });
    await using other = await createTestBot({ root });
    const seeded = one.platform.messages().length;
    await one.run('/count');
    expect((await one.run('/count')).content).toBe('2');
    expect((await other.run('/count')).content).toBe('1');
    expect(one.platform.messages()).toHaveLength(2 + seeded);
    expect(other.platform.messages()).toHaveLength(1 + seeded);
  });

  it('names the option network to a handler that downloads from a platform in memory', async () => {
    const files = {
      'commands/lines.ts': `
        import { defineCommand, option } from 'virgule';
        import * as z from 'zod';
        export default defineCommand({
          description: 'Lines',
          options: z.object({ file: option.attachment() }),
          run: async ({ options }) => (await fetch(options.file)).text(),
        });`,
    };
    const bot = await start(files, { strict: false });
    const { url } = bot.platform.upload({ name: 'a.txt', data: Buffer.from('one') });
    const { error, transcript } = await bot.run(`/lines ${url}`);
    expect(error).toMatchObject({ message: 'fetch failed' });
    expect(transcript).toMatch(
      /fetch failed\n {2}\(It called the platform, which listens on no port: pass network: true to createTestBot\.\)$/,
    );
  });

  it('closes once, however often it is asked, and frees its port', async () => {
    const bot = await start({ 'commands/a.ts': answering('a') }, { network: true });
    expect((await fetch(bot.platform.page)).ok).toBe(true);
    await Promise.all([bot.close(), bot.close()]);
    await bot[Symbol.asyncDispose]();
    await expect(fetch(bot.platform.baseUrl)).rejects.toThrow('fetch failed');
  });

  it.each([
    ['ends at its signal', `ctx.signal.addEventListener('abort', resolve)`],
    ['ignores its signal', ''],
    ['sleeps on a clock that stands still', `ctx.clock.sleep('1h').then(resolve, resolve)`],
  ])('does not wait for a handler that %s', async (_, body) => {
    const bot = await start(
      {
        'commands/long.ts': running(
          `await ctx.reply('begun'); await new Promise((resolve) => { ${body} });`,
        ),
      },
      { clock: createFakeClock() },
    );
    // It never ends, which is reported after its limit if the machine is slow.
    bot.run('/long').catch(() => {});
    await until(() =>
      expect(bot.platform.messages().map(({ content }) => content)).toContain('begun'),
    );
    await expect(bot.close()).resolves.toBeUndefined();
  });
});
