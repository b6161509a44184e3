import type { VirguleError } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { loadModules } from '../../test/project-of.js';
import { defineMiddleware } from '../command/define/define-middleware.js';

const FILE = 'commands/x.ts';

async function read(settings: object, source?: string) {
  const { project, problems } = await loadModules(
    { [FILE]: { default: { description: 'x', run: () => 'done', ...settings } } },
    source === undefined ? {} : { [FILE]: source },
  );
  return { command: project.commands.get('x'), problems };
}

async function problemOf(settings: object, source?: string): Promise<VirguleError> {
  const { command, problems } = await read(settings, source);
  expect(command).toBeUndefined();
  expect(problems).toHaveLength(1);
  const [problem] = problems;
  if (!problem) throw new Error('There is no problem.');
  return problem;
}

describe('the setting cooldown', () => {
  it('is none unless it is set', async () => {
    expect((await read({})).command?.throttles).toEqual([]);
  });

  it('may be a duration, which holds for the channel', async () => {
    const { command } = await read({ cooldown: '5s' });
    expect(command?.throttles).toEqual([
      { name: '/x', cooldown: { everyMs: 5_000, limit: 1, per: 'channel' } },
    ]);
  });

  it.each(['channel', 'server', 'global', () => 'key'])('may be per %s', async (per) => {
    const { command } = await read({ cooldown: { every: '1.5m', per } });
    expect(command?.throttles[0]?.cooldown).toEqual({ everyMs: 90_000, limit: 1, per });
  });

  it.each([
    [
      5_000,
      `cooldown in commands/x.ts must be a duration like '5s', or { every: '5s', per: 'channel' }, saw 5000.`,
    ],
    [
      null,
      `cooldown in commands/x.ts must be a duration like '5s', or { every: '5s', per: 'channel' }, saw null.`,
    ],
    ['soon', `cooldown.every in commands/x.ts must be a duration like '5s', saw "soon".`],
    ['0s', `cooldown.every in commands/x.ts must be a duration like '5s', saw "0s".`],
    [
      { per: 'server' },
      `cooldown.every in commands/x.ts must be a duration like '5s', saw undefined.`,
    ],
    [
      { every: '5s', limit: 0 },
      `cooldown.limit in commands/x.ts must be a whole number from 1, saw 0.`,
    ],
  ])('may not be %j', async (cooldown, message) => {
    expect(await problemOf({ cooldown })).toMatchObject({ code: 'E_SETTING', message });
  });

  it('cannot be per user, and says why and what to write instead', async () => {
    const { code, message, hint } = await problemOf({ cooldown: { every: '5s', per: 'user' } });
    expect([code, message]).toEqual([
      'E_SETTING',
      `cooldown.per in commands/x.ts must be 'channel', 'server', 'global' or a function that returns a key, saw "user".`,
    ]);
    expect(hint).toMatch(/by: 'author'.*messages: 'only'/);
  });

  it('asks whether another key or scope was meant', async () => {
    expect(await problemOf({ cooldown: { evry: '5s', every: '5s' } })).toMatchObject({
      code: 'E_UNKNOWN_KEY',
      message: 'commands/x.ts has an unknown key "cooldown.evry".',
      hint: 'Did you mean "every"? Rename or remove it.',
    });
    expect(await problemOf({ cooldown: { every: '5s', per: 'chanel' } })).toMatchObject({
      hint: `Did you mean 'channel'?`,
    });
  });

  it('is asked for when it is written wrong', async () => {
    expect(await problemOf({ coolDown: '5s' })).toMatchObject({
      code: 'E_UNKNOWN_KEY',
      hint: 'Did you mean "cooldown"? Rename or remove it.',
    });
  });

  it('names the line of what is wrong', async () => {
    const source = `export default defineCommand({\n  cooldown: {\n    every: 5,\n  },\n});`;
    const { location } = await problemOf({ cooldown: { every: 5 } }, source);
    expect(location).toMatchObject({ file: FILE, line: 3 });
    const missing = await problemOf({ cooldown: {} }, 'const x = {\n  cooldown: {},\n};');
    expect(missing.location).toMatchObject({ line: 2 });
  });
});

describe('the setting concurrency', () => {
  it('holds for all runs of the command unless it says otherwise', async () => {
    const { command } = await read({ concurrency: { max: 3, when: 'queue' } });
    expect(command?.throttles[0]?.concurrency).toEqual({ max: 3, per: 'global', when: 'queue' });
  });

  it.each([0, -1, 1.5, Infinity, '2', undefined])('may not have a max of %s', async (max) => {
    expect(await problemOf({ concurrency: { max, when: 'drop' } })).toMatchObject({
      code: 'E_SETTING',
      message: `concurrency.max in commands/x.ts must be a whole number from 1, saw ${typeof max === 'string' ? '"2"' : String(max)}.`,
    });
  });

  it.each([
    [7, '7'],
    ['queue', '"queue"'],
    [[], 'an array'],
    [null, 'null'],
  ])('may not be %j', async (concurrency, saw) => {
    expect(await problemOf({ concurrency })).toMatchObject({
      message: `concurrency in commands/x.ts must be an object like { max: 1, when: 'queue' }, saw ${saw}.`,
    });
  });

  it.each([
    ['quue', `Did you mean 'queue'?`],
    ['later', `Set concurrency.when to 'queue', 'drop' or 'reject'.`],
    [undefined, `Set concurrency.when to 'queue', 'drop' or 'reject'.`],
  ])('declares what happens to a surplus run, for which %s is invalid', async (when, hint) => {
    expect(await problemOf({ concurrency: { max: 1, when } })).toMatchObject({
      code: 'E_SETTING',
      hint,
    });
  });

  it('reports everything that is wrong at once', async () => {
    const { problems } = await read({ concurrency: { max: 0, per: 'user', when: 'now', mx: 1 } });
    expect(problems.map(({ message }) => /"?concurrency\.\w+/.exec(message)?.[0])).toEqual([
      'concurrency.max',
      'concurrency.per',
      'concurrency.when',
      '"concurrency.mx',
    ]);
  });
});

describe('the settings of a middleware', () => {
  it('throttle the commands of its folder, before what throttles a command itself', async () => {
    const { project, problems } = await loadModules({
      'commands/_middleware.ts': {
        default: defineMiddleware((_, next) => next(), {
          cooldown: { limit: 10, every: '30s', per: 'server' },
        }),
      },
      [FILE]: { default: { description: 'x', run: () => 'done', cooldown: '5s' } },
    });
    expect(problems).toEqual([]);
    expect(project.commands.get('x')?.throttles).toEqual([
      {
        name: 'commands/_middleware.ts',
        cooldown: { everyMs: 30_000, limit: 10, per: 'server' },
      },
      { name: '/x', cooldown: { everyMs: 5_000, limit: 1, per: 'channel' } },
    ]);
  });

  it('are checked like those of a command, and reported once', async () => {
    const settings = { cooldown: 'soon' as '1s', concurency: { max: 1, when: 'queue' } };
    const { problems } = await loadModules({
      'commands/_middleware.ts': { default: defineMiddleware((_, next) => next(), settings) },
      'commands/x.ts': { default: { description: 'x', run: () => 'done' } },
      'commands/y.ts': { default: { description: 'y', run: () => 'done' } },
    });
    expect(problems).toMatchObject([
      { code: 'E_UNKNOWN_KEY', details: { key: 'concurency', meant: 'concurrency' } },
      {
        code: 'E_SETTING',
        message: `cooldown.every in commands/_middleware.ts must be a duration like '5s', saw "soon".`,
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['a duration', '5s', 'saw "5s".'],
    ['the function', () => undefined, 'saw a function.'],
  ])('are refused at their file when they are %s', async (_, settings, saw) => {
    const source = 'export default defineMiddleware((_, next) => next(), settings);';
    const { project, problems } = await loadModules(
      {
        'commands/_middleware.ts': {
          default: defineMiddleware((_, next) => next(), settings as object),
        },
        [FILE]: { default: { description: 'x', run: () => 'done' } },
      },
      { 'commands/_middleware.ts': source },
    );
    expect(problems).toMatchObject([
      {
        message: `settings in commands/_middleware.ts must be an object, such as { cooldown: '5s' }, ${saw}`,
        location: { line: 1 },
      },
    ]);
    // Without its limits, the command would run as often as anyone likes.
    expect([...project.commands.keys()]).toEqual([]);
  });

  it('are no middleware when they come first', async () => {
    const swapped = defineMiddleware as unknown as (settings: object, run: unknown) => unknown;
    const { problems } = await loadModules({
      'commands/_middleware.ts': {
        default: swapped({ cooldown: '5s' }, (_: unknown, next: () => unknown) => next()),
      },
      [FILE]: { default: { description: 'x', run: () => 'done' } },
    });
    expect(problems).toMatchObject([
      { code: 'E_NO_HANDLER', details: { file: 'commands/_middleware.ts' } },
    ]);
  });
});

describe('the setting tool', () => {
  it.each([
    { asks: ['author'] },
    { asks: [] },
    { asks: ['ada'] },
    { asks: 'ada' },
    { asks: 'anyone', within: '1x' },
    { asks: 'anyone', within: '0s' },
  ])('asks only users, by their ids, for a time: not %j', async (tool) => {
    const want =
      "tool in commands/x.ts must be 'reads', 'writes' or { asks: [ids] } with 'author', 'anyone' or user ids, and within: '1s' to '365d', saw an object.";
    expect(await problemOf({ tool })).toMatchObject({ code: 'E_SETTING', message: want });
  });
});
