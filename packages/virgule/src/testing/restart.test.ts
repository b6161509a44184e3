import { systemClock } from '@virgule/core/clock';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBotOptions } from './test-bot.js';

/** Notes of handlers and services of all processes, shared with this one. */
const noted: string[] = [];
Object.assign(globalThis, { noted });
beforeEach(() => void noted.splice(0));

const FILES = {
  'services.ts': `
    import { defineServices } from 'virgule';
    let count = 0;
    export default defineServices(() => ({ db: { id: (count += 1), close: () => { noted.push('closed'); } } }));`,
  'commands/count.ts': `
    let count = 0;
    export default { description: 'Count', run: ({ services }) => (count += 1) + ' ' + services.db.id };`,
  'commands/remind.ts': `export default { description: 'R', async run({ tasks, channelId }) {
    await tasks.remind.in('2h', { channelId }); return 'I will.'; } };`,
  'tasks/remind.ts': `import * as z from 'zod';
    export default { payload: z.object({ channelId: z.string() }), async run({ payload, channel }) {
      await channel(payload.channelId).send('Now.'); } };`,
  'commands/long.ts': `export default { description: 'L', async run(ctx) {
    try { await ctx.clock.sleep('1h'); noted.push('slept'); } finally { noted.push('ended'); }
    await ctx.storage.set('late', true); return 'late'; } };`,
  'commands/late.ts': `export default { description: 'L', run: async ({ storage }) => String(await storage.get('late')) };`,
};

async function start(options: TestBotOptions = {}) {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({ root: project.root, ...options });
  onTestFinished(() => bot.close());
  return { bot, project };
}

const kinds = [{ kill: false }, { kill: true }];

describe('restart', () => {
  it.each(kinds)('keeps messages and tasks, and starts with new modules: %j', async (kind) => {
    const { bot, project } = await start();
    const grace = bot.as('grace');
    expect((await grace.run('/count')).content).toBe('1 1');
    expect((await grace.run('/count')).content).toBe('2 1');
    await bot.run('/remind');
    const known = bot.platform.messages();
    await project.write(
      'commands/new.ts',
      `export default { description: 'N', run: () => 'new' };`,
    );
    await bot.restart(kind);
    expect(noted).toEqual(kind.kill ? [] : ['closed']);
    expect(bot.platform.messages()).toEqual(known);
    expect((await grace.run('/count')).content).toBe('1 1');
    expect((await bot.run('/new')).content).toBe('new');
    expect(bot.services).toMatchObject({ db: { id: 1 } });
    await bot.clock.advance('2h');
    expect(bot.platform.messages().at(-1)?.content).toBe('Now.');
    expect(bot.platform.counts.identifies).toBe(2);
  });

  it('stops a command as SIGTERM does', async () => {
    const { bot } = await start();
    const ran = bot.run('/long');
    await bot.clock.advance('5s');
    await bot.restart();
    expect(await ran).toMatchObject({
      result: 'stopped',
      content: expect.stringMatching(/restart/),
    });
    expect(noted).toEqual(['ended', 'closed']);
  });

  it('kills a command, whose user reads of the restart from the next process', async () => {
    const { bot } = await start({ strict: false });
    const ran = bot.run('/long');
    await bot.clock.advance('5s');
    await bot.restart({ kill: true });
    expect(await ran).toMatchObject({ result: 'stopped', state: 'deferred', content: undefined });
    await bot.idle();
    expect(bot.platform.messages().at(-1)?.content).toMatch(/restarting/);
    await bot.clock.advance('3h');
    expect(noted).toEqual([]);
    expect((await bot.run('/late')).content).toBe('undefined');
  });

  it.each([2, 5, 8])('begins a task again that was killed after %i s', async (seconds) => {
    const { bot, project } = await start();
    await project.write(
      'tasks/remind.ts',
      `import * as z from 'zod';
      export default { payload: z.unknown(), async run({ clock }) {
        noted.push('begun'); await clock.sleep('20s'); } };`,
    );
    await bot.restart();
    await bot.run('/remind');
    await bot.clock.advance(`${7_200 + seconds}s`);
    await bot.restart({ kill: true });
    expect(noted).toEqual(['closed', 'begun']);
    await bot.clock.advance('35s');
    expect(noted).toEqual(['closed', 'begun', 'begun']);
  });

  it('replies to a message whose handler was killed before its question was stored', async () => {
    const { bot, project } = await start({ strict: false });
    // The check of the payload takes as long as a storage may.
    await project.write(
      'tasks/deploy.ts',
      `import * as z from 'zod';
      const payload = z.string().refine(() => new Promise(() => {}));
      export default { waits: 'confirm', payload, run() {} };`,
    );
    await project.write(
      'events/message-create.ts',
      `export default async ({ reply, tasks }) =>
        tasks.deploy.ask(await reply('Sure?'), 'x', { within: '1d' });`,
    );
    await bot.restart();
    bot.platform.sendMessage({ content: 'do it' });
    await bot.clock.advance('1s');
    expect(bot.platform.messages().at(-1)).toMatchObject({ content: 'Sure?', reactions: [] });
    await bot.restart({ kill: true });
    await bot.idle();
    expect(bot.platform.messages().at(-1)?.content).toMatch(/restarting/);
    await bot.restart({ kill: true });
    await bot.idle();
    expect(bot.platform.messages().at(-2)?.content).toBe('Sure?');
  });

  it.each(kinds)('leaves no timer of the machine: %j', async (kind) => {
    // The runner of the tests has timers too.
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { bot } = await start({ clock: systemClock, strict: false });
    bot.run('/long').catch(() => {});
    await bot.restart(kind);
    await bot.close();
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it('fails for problems of changed files, and closes', async () => {
    const { bot, project } = await start();
    await project.write('commands/count.ts', 'export default {');
    await expect(bot.restart()).rejects.toThrow('E_SYNTAX');
    await expect(bot.close()).resolves.toBeUndefined();
  });
});
