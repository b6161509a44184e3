import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDev } from './running-dev.js';
import { answering } from './test-project.js';

const CONFIG = (separator: string): string => `
import { defineConfig } from 'virgule';
import * as z from 'zod';
import { language } from './lib/language.js';
export default defineConfig({
  separator: '${separator}',
  env: z.object({ GREETING: z.string(), LANGUAGE: z.string().default(language) }),
});`;
const SERVICES = (name: string): string => `
import { defineServices } from 'virgule';
import { suffix } from './lib/suffix.js';
export default defineServices(({ env }) => ({
  ${name}: { text: env.GREETING + suffix, close: () => console.log('closed ${name}') },
}));`;
const FILES = {
  'virgule.config.ts': CONFIG('-'),
  'services.ts': SERVICES('one'),
  'lib/suffix.ts': `export const suffix = '!';`,
  'lib/language.ts': `export const language = 'en';`,
  '.env': 'GREETING=Hello',
  'commands/say/all.ts': `
    export default { description: 'All', run: ({ services, env }) =>
      [process.pid, env.LANGUAGE, ...Object.entries(services).map(([name, { text }]) => name + '=' + text)].join(' ') };`,
};

/** Changes one after the other, the reported reason, and the answer from then on. */
const CHANGES: readonly (readonly [file: string, text: string, reason: string, answer: string])[] =
  [
    ['services.ts', SERVICES('two'), 'services.ts runs only at startup', 'en two=Hello!'],
    [
      'lib/suffix.ts',
      `export const suffix = '?!';`,
      'lib/suffix.ts is used by services.ts, which runs only at startup',
      'en two=Hello?!',
    ],
    [
      'lib/language.ts',
      `export const language = 'german';`,
      'lib/language.ts is used by virgule.config.ts, which runs only at startup',
      'german two=Hello?!',
    ],
    ['.env', 'GREETING=Good morning', '.env is read only at startup', 'german two=Good morning?!'],
  ];

/** These run the built program: a child process cannot run the sources. */
describe('virgule dev', () => {
  let dev: Awaited<ReturnType<typeof startDev>>;
  beforeEach(async () => {
    dev = await startDev(FILES);
  });
  afterEach(() => dev[Symbol.asyncDispose]());

  /** Runs the one command there is, and returns the pid and the rest of its answer. */
  async function say(name = 'say-all'): Promise<[pid: string, answer: string]> {
    const [pid = '', ...rest] = (await dev.say(`/${name}`)).split(' ');
    return [pid, rest.join(' ')];
  }

  it('keeps its process when a command changes; starts a new one when services, settings or environment change, and says why', async () => {
    let [before] = await say();
    await dev.project.write('commands/other.ts', answering('other'));
    await dev.reported('reload');
    expect((await say())[0]).toBe(before);
    for (const [file, text, reason, answer] of CHANGES) {
      await dev.project.write(file, text);
      expect(await dev.reported('restart')).toMatchObject({ reason });
      const [after, rest] = await say();
      expect([after === before, rest]).toEqual([false, answer]);
      before = after;
      // The services of the old process were disposed.
      await dev.reported('output');
    }
    await dev.project.write('virgule.config.ts', CONFIG('_'));
    expect(await dev.reported('restart')).toMatchObject({
      reason: 'virgule.config.ts is read only at startup',
    });
    await dev.registered('other', 'say_all');
    expect((await say('say_all'))[1]).toBe('german two=Good morning?!');
    expect(await dev.identifies()).toBe(1);
  });

  it('has the environment as it is at each start, and nothing of an earlier one', async () => {
    await dev.project.write('.env', 'GREETING=Hello\nLANGUAGE=danish');
    await dev.reported('restart');
    expect((await say())[1]).toBe('danish one=Hello!');
    await dev.project.write('.env', 'GREETING=Good morning');
    await dev.reported('restart');
    expect((await say())[1]).toBe('en one=Good morning!');
  });

  it('keeps the previous version when services, settings or environment are invalid, and reports why', async () => {
    const [before] = await say();
    await dev.project.write(
      'services.ts',
      `export default () => {\n  throw new Error('no database');\n};`,
    );
    expect(await dev.reported('problems')).toMatchObject({
      answering: true,
      problems: [
        {
          code: 'E_SERVICES_FAILED',
          where: 'services.ts:2:9',
          frame: expect.stringContaining(`> 2 |   throw new Error('no database');`),
        },
      ],
    });
    expect((await say())[0]).toBe(before);

    await dev.project.write('services.ts', SERVICES('one'));
    await dev.reported('restart');
    await dev.project.write('.env', '# GREETING=Hello');
    expect(await dev.reported('problems')).toMatchObject({
      problems: [{ code: 'E_ENV_INVALID', where: 'virgule.config.ts:7:19' }],
    });
    await dev.project.write('.env', 'GREETING=Back again');
    await dev.reported('restart');
    expect((await say())[1]).toBe('en one=Back again!');
  });
});
