import type { VirguleError } from '@virgule/core/errors';
import type { ProfileSettings } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loadModules } from '../../test/project-of.js';
import type { ModuleExports } from './import-file.js';
import type { CommandContext } from '../command/context/command-context.js';
import type { Command } from '../command/define/command.js';
import { defineMiddleware } from '../command/define/define-middleware.js';
import { requireAuthor } from '../command/define/require-author.js';
import { option } from '../options/option.js';

const FILE = 'commands/x.ts';
const run = (): string => 'done';

async function read(
  exports: ModuleExports,
  source?: string,
): Promise<{ readonly command: Command | undefined; readonly problems: readonly VirguleError[] }> {
  const { project, problems } = await loadModules(
    { [FILE]: exports },
    source === undefined ? {} : { [FILE]: source },
  );
  return { command: project.commands.get('x'), problems };
}

const problemOf = async (exports: ModuleExports, source?: string): Promise<VirguleError> => {
  const { command, problems } = await read(exports, source);
  expect(command).toBeUndefined();
  expect(problems).toHaveLength(1);
  return problems[0] ?? expect.fail('no problem');
};

const whole = (parts: Readonly<Record<string, unknown>>): ModuleExports => ({
  default: { description: 'Does x', run, ...parts },
});

const FORM = "export default defineCommand({ description: '…', run: (ctx) => '…' })";
const OBJECT = 'is an object without a function run';

describe('a command file', () => {
  it('is deferred 1.5 s after receipt and stopped after 15 minutes unless it says otherwise', async () => {
    const { command } = await read(whole({}));
    expect(command).toMatchObject({ deferAfterMs: 1_500, timeoutMs: 900_000, silent: false });
  });

  it.each([
    ['auto', 1_500],
    ['now', 0],
    ['never', null],
    ['800ms', 800],
    ['2.5s', 2_500],
  ])('may set defer to %s', async (defer, deferAfterMs) => {
    expect((await read(whole({ defer }))).command).toMatchObject({ deferAfterMs });
  });

  it.each([
    [{}, 1_000, 500],
    [{ defer: 'auto' }, 1_000, 500],
    [{}, 60_000, 1_500],
    [{ defer: '800ms' }, 1_000, 800],
    [{ defer: 'never' }, 1_000, null],
  ])(
    'with %o on a platform that waits %d ms is deferred after %s ms',
    async (parts, answerWindowMs, deferAfterMs) => {
      const { project } = await loadModules({ [FILE]: whole(parts) }, {}, { answerWindowMs });
      expect(project.commands.get('x')).toMatchObject({ deferAfterMs });
    },
  );

  it.each([2_000, '2', '2 s', 'later', null, true])('may not set defer to %j', async (defer) => {
    expect(await problemOf(whole({ defer }))).toMatchObject({
      code: 'E_SETTING',
      message: `defer in commands/x.ts must be 'auto', 'now', 'never' or a duration like '2s', saw ${JSON.stringify(defer)}.`,
    });
  });

  it.each([
    ['timeout', 30_000, `timeout in commands/x.ts must be a duration like '30s', saw 30000.`],
    ['silent', 'yes', 'silent in commands/x.ts must be true or false, saw "yes".'],
  ])('may not set %s to another type', async (key, value, message) => {
    expect(await problemOf(whole({ [key]: value }))).toMatchObject({ code: 'E_SETTING', message });
    const plain = { description: 'Does x', default: run, config: { [key]: value } };
    expect(await problemOf(plain)).toMatchObject({ code: 'E_SETTING', message });
  });

  it.each<[string, unknown, string]>([
    ['a bigint', 1n, '1'],
    ['a list of bigints', [1n], 'an array'],
    ['itself', circular(), 'an object'],
    ['a function', run, 'a function'],
    ['a long string', 'x'.repeat(90), 'a string of 90 characters'],
  ])('reports a setting that is %s', async (_, silent, saw) => {
    expect((await problemOf(whole({ silent }))).message).toBe(
      `silent in commands/x.ts must be true or false, saw ${saw}.`,
    );
  });

  it('may declare the intents it waits for', async () => {
    const intents = ['MESSAGE_REACTIONS', 'SERVER_MESSAGES'];
    expect((await read(whole({ intents }))).command).toMatchObject({ intents });
    expect((await read(whole({}))).command).toMatchObject({ intents: [] });
    const plain = { description: 'Does x', default: run, config: { intents } };
    expect((await read(plain)).command).toMatchObject({ intents });
  });

  it.each([
    [['MESSAGE_REACTION'], '"MESSAGE_REACTION"', `Did you mean 'MESSAGE_REACTIONS'?`],
    [['server_messages'], '"server_messages"', `Did you mean 'SERVER_MESSAGES'?`],
    [['SERVER_VOICE', 7], '7', expect.stringContaining('Set intents to a list of')],
    ['MESSAGE_REACTIONS', '"MESSAGE_REACTIONS"', expect.stringContaining('')],
    [null, 'null', expect.stringContaining('Set intents to a list of')],
  ])('may not declare %j as intents; the error says what was meant', async (intents, saw, hint) => {
    const source = `export default {\n  description: 'Does x',\n  intents: [],\n};\n`;
    expect(await problemOf(whole({ intents }), source)).toMatchObject({
      code: 'E_SETTING',
      message: `intents in commands/x.ts must be a list of SERVER_MESSAGES, MESSAGE_REACTIONS, SERVER_VOICE, APPLICATION_COMMANDS, saw ${saw}.`,
      hint,
      location: { line: 3 },
    });
  });

  it('reports each of several invalid intents', async () => {
    const { problems } = await read(whole({ intents: ['A', 'B', 'SERVER_VOICE'] }));
    expect(problems.map(({ details }) => details['saw'])).toEqual(['"A"', '"B"']);
  });

  it.each([undefined, '', 7])('needs a description, which %j is not', async (description) => {
    expect(await problemOf(whole({ description }))).toMatchObject({
      code: 'E_DESCRIPTION',
      message: 'commands/x.ts has no description.',
    });
  });

  it('has a description of 100 characters at most', async () => {
    expect((await read(whole({ description: 'x'.repeat(100) }))).problems).toEqual([]);
    expect(await problemOf(whole({ description: 'x'.repeat(101) }))).toMatchObject({
      code: 'E_DESCRIPTION',
      message: 'The description of commands/x.ts has 101 characters; 100 are allowed.',
    });
  });

  it.each<[string, ModuleExports]>([
    ['nothing', {}],
    ['no default', { description: 'Does x' }],
    ['a list', { default: [] }],
    ['a text', { default: 'done' }],
    ['null', { default: null }],
  ])('has no handler when it exports %s', async (_, exports) => {
    expect(await problemOf(exports)).toMatchObject({
      code: 'E_NO_HANDLER',
      message:
        'commands/x.ts has no handler. It needs a default export made by defineCommand, or a function.',
      location: { file: FILE },
    });
  });

  it.each<[string, unknown, string, string, number]>([
    ['an object without run', { description: 'Does x' }, OBJECT, `Write: ${FORM}`, 2],
    ['a run that is no function', { description: 'x', run: 'done' }, OBJECT, `Write: ${FORM}`, 2],
    ['a class', class Play {}, 'is a class, which is not a handler', `Write: ${FORM}`, 2],
    [
      'a class that extends another',
      class extends Date {},
      'is a class, which is not a handler',
      `Write: ${FORM}`,
      2,
    ],
  ])('says what to write instead of %s', async (_, main, message, hint, line) => {
    const source = [
      'const execute = () => execute(1), handler = { messageRun: 1 };',
      'export default defineCommand({',
      '  options: { execute: 1, handler() { execute: 1 } },',
      '  execute,',
      '  async messageRun() {},',
      '  handler: execute,',
      '});',
    ].join('\n');
    // The other exports of a file whose default export is a class are those of a plain function.
    const exports = { default: main, ...(typeof main === 'function' && { description: 'x' }) };
    expect(await problemOf(exports, source)).toMatchObject({
      code: 'E_NO_HANDLER',
      message: `The default export of commands/x.ts ${message}.`,
      hint,
      location: { file: FILE, line },
    });
  });

  it('may be an instance of a class whose run is on its prototype', async () => {
    class Say {
      readonly description = 'Says it';
      run(): string {
        return 'said';
      }
    }
    const { command, problems } = await read({ default: new Say() });
    expect(problems).toEqual([]);
    expect(command?.wire.description).toBe('Says it');
  });

  it('speaks of other files only for an export', async () => {
    expect((await problemOf(whole({ whatever: 1 }))).hint).toMatch(/^Use one of .*, meta\.$/);
    expect((await problemOf({ ...whole({}), whatever: 1 })).hint).toBe(
      'Such a file may export only default. Move whatever to another file, such as lib/whatever.ts.',
    );
  });

  it('keeps the settings as they are written, in one order, for listings', async () => {
    const parts = { silent: true, timeout: '5s', defer: 'now' };
    const settings = { defer: 'now', timeout: '5s', silent: true };
    expect(JSON.stringify((await read(whole(parts))).command?.settings)).toBe(
      JSON.stringify(settings),
    );
    const plain = { description: 'Does x', default: run, config: { timeout: '5s' } };
    expect((await read(plain)).command?.settings).toEqual({ timeout: '5s' });
    expect((await read(whole({ defer: undefined }))).command?.settings).toEqual({});
  });

  it('may hold no unknown key, and guesses what was meant, with the line', async () => {
    const source = `export default defineCommand({\n  descripton: 'Does x',\n  run: () => 'done',\n});\n`;
    const { problems } = await read({ default: { descripton: 'Does x', run } }, source);
    expect(problems.map(({ code }) => code)).toEqual(['E_UNKNOWN_KEY', 'E_DESCRIPTION']);
    expect(problems[0]).toMatchObject({
      message: 'commands/x.ts has an unknown key "descripton".',
      hint: 'Did you mean "description"? Rename or remove it.',
      location: { file: FILE, line: 2 },
    });
  });

  it('may have no unknown export, in either form', async () => {
    const unknownExport = await problemOf(
      { ...whole({}), helper: run },
      `export default defineCommand({ run });\n\nexport function helper() {}\n`,
    );
    expect(unknownExport).toMatchObject({
      code: 'E_UNKNOWN_KEY',
      hint: 'Such a file may export only default. Move helper to another file, such as lib/helper.ts.',
      location: { line: 3 },
    });
    const plain = await problemOf({ description: 'Does x', default: run, option: z.object({}) });
    expect(plain).toMatchObject({ hint: 'Did you mean "options"? Rename or remove it.' });
  });

  it('may hold no unknown setting', async () => {
    const exports = { description: 'Does x', default: run, config: { timout: '5s' } };
    const source = `export const description = 'Does x';\nexport const config = {\n  timout: '5s',\n};\n`;
    expect(await problemOf(exports, source)).toMatchObject({
      code: 'E_UNKNOWN_KEY',
      hint: 'Did you mean "timeout"? Rename or remove it.',
      location: { line: 3 },
    });
  });

  it.each([
    ['name', 'Remove it: the file name is the name.'],
    ['execute', 'Did you mean "run"? Rename or remove it.'],
  ])('has advice on the key %s of discord.js', async (key, hint) => {
    expect(await problemOf(whole({ [key]: 'x' }))).toMatchObject({ code: 'E_UNKNOWN_KEY', hint });
  });

  it.each(['a-b', 'a(b', '*', '$x', 'ö', '[', 'a.b'])(
    'names the line of a key that is written in quotes: %s',
    async (key) => {
      const source = `export default {\n  description: 'Does x',\n  ${JSON.stringify(key)}: 1,\n};\n`;
      const { message, location } = await problemOf(whole({ [key]: 1 }), source);
      expect(message).toContain(`"${key}"`);
      expect(location).toEqual({ file: FILE, line: 3, column: 3 });
    },
  );

  it('names the line of what is wrong, and only the file where it is not known', async () => {
    const source = [
      `const myTimeout = 5;`,
      `export default defineCommand({`,
      `  description: '',`,
      `  timeout: 5,`,
      `  defer: 'x',`,
      `  silent: 1, run })`,
    ].join('\n');
    const parts = { description: '', timeout: 5, defer: 'x', silent: 1 };
    const { problems } = await read(whole(parts), source);
    expect(problems.map(({ details, location }) => [details['key'], location?.line])).toEqual([
      [undefined, 3],
      ['defer', 5],
      ['timeout', 4],
      ['silent', 6],
    ]);
    for (const problem of (await read(whole(parts))).problems) {
      expect(problem.location).toEqual({ file: FILE, line: undefined });
    }
    expect((await read(whole(parts), '// generated')).problems[0]?.location?.line).toBeUndefined();
  });

  it('has all its problems reported at once, those of its options among them', async () => {
    const { command, problems } = await read(
      whole({
        description: undefined,
        defer: 5,
        extra: true,
        options: z.object({ 'b d': z.string(), date: z.date() }),
      }),
    );
    expect(command).toBeUndefined();
    expect(problems.map(({ code }) => code)).toEqual([
      'E_UNKNOWN_KEY',
      'E_DESCRIPTION',
      'E_SETTING',
      'E_OPTION_NAME',
      'E_OPTION_TYPE',
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['a defer', { defer: '10s' }, 'defer in commands/x.ts is 10s, but the platform waits only 3s.'],
    [
      'a timeout',
      { timeout: '1d' },
      'timeout in commands/x.ts is 1d, but the platform waits only 15m.',
    ],
  ])('is loaded with a warning when %s exceeds its window', async (_, setting, message) => {
    const { project, problems, warnings } = await loadModules({ [FILE]: whole(setting) });
    expect(problems).toEqual([]);
    expect(project.commands.has('x')).toBe(true);
    expect(warnings).toMatchObject([
      { code: 'E_DURATION_TOO_LONG', message, location: { file: FILE } },
    ]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["cooldown.by: 'author'", { cooldown: { every: '1d', by: 'author' } }],
    ['requireAuthor()', { run: requireAuthor(() => 'x') }],
    ["by: 'author'", { run: ({ confirm }: CommandContext) => confirm('?', { by: 'author' }) }],
    ["default: 'author'", { options: z.object({ who: option.user({ default: 'author' }) }) }],
  ])('is loaded with a warning when %s never has an author', async (part, setting) => {
    const seen = async (more: object, profile?: ProfileSettings): Promise<unknown> => {
      const { warnings } = await loadModules(
        { [FILE]: whole({ ...setting, ...more }) },
        {},
        profile,
      );
      return warnings.map(({ code, message }) => [code, message]);
    };
    const slash = `${part} of /x needs an author, and a slash command has none.`;
    expect(await seen({})).toEqual([['E_AUTHOR_UNKNOWN', slash]]);
    expect(await seen({}, { commandUser: 'userId' })).toEqual([]);
    expect(await seen({ messages: true })).toEqual([]);
    const model = `${part} of /x needs an author, and a language model has none.`;
    // A model states the user, and confirms nothing.
    const isRefused = part === 'requireAuthor()' || part.startsWith('cooldown');
    expect(await seen({ messages: true, tool: 'reads' })).toEqual(
      isRefused ? [['E_AUTHOR_UNKNOWN', model]] : [],
    );
  });

  it('is loaded with a warning at the setting that needs an author, and says what to set', async () => {
    const exports = whole({ cooldown: { every: '1d', by: 'author' } });
    const source = `export default {\n  description: 'Does x',\n  cooldown: { every: '1d', by: 'author' },\n  run,\n};`;
    const { warnings } = await loadModules({ [FILE]: exports }, { [FILE]: source });
    expect(warnings).toMatchObject([
      {
        hint: "Set messages: 'only' in the command, so that users send it as a message.",
        location: { line: 3 },
      },
    ]);
  });

  it('is loaded with a warning when the guard of its folder never has an author', async () => {
    const guard = defineMiddleware(requireAuthor(), { cooldown: '5s' });
    const files = { [FILE]: whole({}), 'commands/_middleware.ts': { default: guard } };
    const { warnings } = await loadModules(files);
    expect(warnings).toMatchObject([{ code: 'E_AUTHOR_UNKNOWN' }]);
  });

  it('may not have a timeout of nothing, nor settings that are no object', async () => {
    expect(await problemOf(whole({ timeout: '0s' }))).toMatchObject({
      code: 'E_SETTING',
      details: { key: 'timeout' },
    });
    expect(await problemOf({ description: 'Does x', default: run, config: 'now' })).toMatchObject({
      code: 'E_SETTING',
      details: { key: 'config' },
    });
  });

  it('has its description on one line, as it is registered', async () => {
    const { command } = await read(whole({ description: '  Does\n  x ' }));
    expect(command?.wire.description).toBe('Does x');
    expect(await problemOf(whole({ description: ' \n' }))).toMatchObject({ code: 'E_DESCRIPTION' });
  });
});

function circular(): object {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
}
