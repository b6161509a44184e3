import { inspect } from 'node:util';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answering, createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';
import type { TestBot, TestBotOptions } from './test-bot.js';

const FILES = {
  'virgule.config.ts': `
    import { defineConfig } from 'virgule';
    import * as z from 'zod';
    export default defineConfig({
      separator: '_',
      texts: { silent: 'Nothing to say.' },
      env: z.object({ GREETING: z.string().default('Hello'), API_KEY: z.string() }),
    });`,
  'services.ts': `
    import { defineServices } from 'virgule';
    export default defineServices(async ({ env }) => ({
      greeter: {
        greet: (name: string) => env.GREETING + ', ' + name,
        close: () => { (globalThis as any).__virguleClosed?.push(env.GREETING); },
      },
    }));`,
  '.env': 'API_KEY=from-the-env-file',
  '.env.test': 'GREETING=Hi',
  'commands/say/hello.ts': `
    export const description = 'Greet';
    export default ({ services }) => services.greeter.greet('world');`,
  'commands/who.ts': `export default { description: 'Who', run: ({ me }) => String(me) };`,
  'commands/key.ts': `export default { description: 'Key', run: ({ env }) => env.API_KEY };`,
  'commands/quiet.ts': `
    export default { description: 'Quiet', defer: 'now', run: async () => { await 0; return null; } };`,
};

async function rootOf(files: Readonly<Record<string, string>>): Promise<string> {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return project.root;
}

async function start(options: TestBotOptions = {}, more = {}): Promise<TestBot> {
  const bot = await createTestBot({ root: await rootOf({ ...FILES, ...more }), ...options });
  onTestFinished(() => bot.close());
  return bot;
}

const textOf = async (bot: TestBot, line: string): Promise<string | undefined> =>
  (await bot.run(line)).content;

describe('createTestBot', () => {
  it("makes the project's own services, with its settings and .env files", async () => {
    const bot = await start();
    expect(await textOf(bot, '/say_hello')).toBe('Hi, world');
    expect(bot.services).toEqual({
      greeter: { greet: expect.any(Function), close: expect.any(Function) },
    });
    expect(await textOf(bot, '/who')).toBe(`<@${bot.platform.snapshot().bot.botUserId}>`);
    expect(await textOf(bot, '/key')).toBe('from-the-env-file');
    expect(await textOf(bot, '/quiet')).toBe('Nothing to say.');
  });

  it('disposes them when it is closed', async () => {
    const closed: string[] = [];
    Object.assign(globalThis, { __virguleClosed: closed });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, '__virguleClosed'));
    const bot = await start();
    expect(closed).toEqual([]);
    await bot.close();
    expect(closed).toEqual(['Hi']);
  });

  it('uses other services in a test, and does not dispose them', async () => {
    const close = vi.fn<() => void>();
    const services = { greeter: { greet: (name: string) => `Fake ${name}`, close } };
    const bot = await start(
      { services },
      { 'services.ts': `export default () => { throw new Error('made'); };` },
    );
    expect(await textOf(bot, '/say_hello')).toBe('Fake world');
    await bot.close();
    expect(close).not.toHaveBeenCalled();
  });

  it('uses another environment in a test, checked like any other', async () => {
    const bot = await start({ env: { GREETING: 'Moin', API_KEY: 'of the test' } });
    expect(await textOf(bot, '/say_hello')).toBe('Moin, world');
    expect(await textOf(bot, '/key')).toBe('of the test');
    await expect(start({ env: {} })).rejects.toMatchObject({
      problems: [
        {
          code: 'E_ENV_INVALID',
          message: 'The environment variable API_KEY is not set.',
          hint: 'Put API_KEY=… into .env, or set it for the process; in a test with env, add it there.',
        },
      ],
    });
  });

  it('uses other settings in a test, each by itself', async () => {
    const bot = await start({ config: { separator: '-' } });
    expect(await textOf(bot, '/say-hello')).toBe('Hi, world');
    expect(await textOf(bot, '/quiet')).toBe('Nothing to say.');
    // JavaScript may return anything.
    await expect(start({ config: { separator: '/' as '-' } })).rejects.toMatchObject({
      problems: [{ code: 'E_SETTING' }],
    });
  });

  it('keeps to the profile of the settings', async () => {
    const root = await rootOf({
      'virgule.config.ts': `export default { profile: { answerWindowMs: 50 } };`,
      'commands/slow.ts': `export default { description: 'S', defer: 'never', run: () => new Promise(() => {}) };`,
    });
    const clock = createFakeClock();
    const bot = await createTestBot({ root, clock });
    onTestFinished(() => bot.close());
    const ran = bot.run('/slow');
    await clock.advance(50);
    expect((await ran).state).toBe('expired');
  });

  it('compares no measured fact with the profile of a test', async () => {
    const platform = {
      uploadMaxBytes: 7,
      measured: { facts: { uploadMaxBytes: { value: 7 }, 'heartbeat.intervalMs': { value: 7 } } },
    };
    const root = await rootOf({
      'platform.json': JSON.stringify(platform),
      'virgule.config.ts': `import platform from './platform.json' with { type: 'json' };
export default { profile: platform };`,
      'commands/file.ts': `export default {
  description: 'F',
  run: () => ({ content: 'Here', files: [{ name: 'a.txt', data: 'eleven char' }] }),
};`,
    });
    for (const [profile, isSent] of [
      [{}, false],
      [{ uploadMaxBytes: 11 }, true],
    ] as const) {
      const bot = await createTestBot({ root, profile, strict: isSent });
      onTestFinished(() => bot.close());
      expect((await bot.run('/file')).content === 'Here').toBe(isSent);
      await bot.close();
    }
  });

  it('does not start when the services cannot be made, and shows the line', async () => {
    const services = `import { defineServices } from 'virgule';

export default defineServices(async ({ env }) => {
  throw new Error('refused: ' + env.API_KEY);
});`;
    await expect(start({}, { 'services.ts': services })).rejects.toMatchObject({
      code: 'E_SERVICES_FAILED',
      // The key is kept out of it.
      message: expect.stringMatching(
        /^The services of services\.ts could not be created: refused: \[redacted\]\n/,
      ),
      location: { line: 4, column: 9 },
      details: { frame: expect.stringContaining(`> 4 |   throw new Error('refused: '`) },
    });
  });

  it.each([
    ['services.ts', `export default () => { throw new Error(process.env.TEST_KEY); };`],
    ['commands/a.ts', `throw new Error('cannot open ' + process.env.TEST_KEY);`],
    ['virgule.config.ts', `throw new Error('cannot open ' + process.env.TEST_KEY);`],
  ])('keeps secrets out of all that a test shows of a failure in %s', async (file, text) => {
    vi.stubEnv('TEST_KEY', 'made-up-passw0rd');
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = `import * as z from 'zod'; export default { env: z.object({ TEST_KEY: z.string() }) };`;
    const project = await createTestProject({
      'commands/b.ts': answering('b'),
      'virgule.config.ts': config,
      [file]: text,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const error = await createTestBot({ root: project.root }).catch((caught: unknown) => caught);
    const shown = inspect(error, { depth: 10 });
    expect(shown).toContain('[redacted]');
    expect(shown).not.toContain('made-up-passw0rd');
  });

  it('reports problems of settings, environment and files together, sorted, each with its lines', async () => {
    const more = {
      'virgule.config.ts': `import * as z from 'zod';
export default {
  drain: 5,
  separater: '_',
  env: z.object({
    API_KEY: z.string().min(100),
    OTHER: z.string(),
  }),
};`,
      'commands/a.ts': 'export const x = 1;',
      'services.ts': 'export const db = 1;',
    };
    const error = await start({}, more).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      problems: [
        { code: 'E_NO_HANDLER' },
        { code: 'E_UNKNOWN_KEY' },
        { code: 'E_SERVICES_INVALID', location: { file: 'services.ts' } },
        { code: 'E_SETTING', location: { line: 3, column: 3 } },
        {
          code: 'E_UNKNOWN_KEY',
          hint: 'Did you mean "separator"? Rename or remove it.',
          location: { line: 4 },
        },
        { code: 'E_ENV_INVALID', location: { line: 6, column: 5 } },
        {
          code: 'E_ENV_INVALID',
          location: { line: 7, column: 5 },
          details: { frame: expect.stringContaining('> 7 |     OTHER: z.string(),') },
        },
      ],
    });
  });

  it.each([
    ['no code', 'export default {', 'E_SYNTAX'],
    ['code that throws', `\n\nthrow new Error('boom');`, 'E_LOAD_FAILED'],
    ['no default export', 'export const config = {};', 'E_SETTING'],
  ])('reports the line of a configuration with %s', async (_, text, code) => {
    const error = await start({}, { 'virgule.config.ts': text }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      problems: [{ code, location: { file: expect.stringMatching(/virgule\.config\.ts$/) } }],
    });
  });

  it.each(['services.mts', 'services.js', 'services.mjs', 'src/services.ts'])(
    'finds services in %s',
    async (file) => {
      const folder = file.startsWith('src/') ? 'src/commands' : 'commands';
      const bot = await createTestBot({
        root: await rootOf({
          [file]: `export default () => ({ word: 'found' });`,
          [`${folder}/say.ts`]: `export default { description: 'S', run: ({ services }) => services.word };`,
        }),
      });
      onTestFinished(() => bot.close());
      expect(await textOf(bot, '/say')).toBe('found');
    },
  );
});
