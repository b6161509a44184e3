import { VirguleError } from '@virgule/core/errors';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { loadModules, type Modules } from '../../test/project-of.js';
import { defineCommand } from '../command/define/define-command.js';
import { defineEvent } from '../events/define-event.js';
import { scan } from '../scan/scan.js';
import type { ModuleExports } from './import-file.js';
import { loadProject } from './load-project.js';
import { commandNamed, wireCommands } from '../command/define/command.js';

const command = { description: 'Does it', default: () => 'done' };
const problemOf = (name: string): VirguleError =>
  new VirguleError({ code: 'E_MODULE_SYNTAX', kind: 'user', message: name });

describe('loadProject', () => {
  it('reads a command in both forms as the same', async () => {
    const options = z.object({ sides: z.int().describe('Sides') });
    const run = (): string => 'done';
    const settings = { defer: '2s', timeout: '1m', silent: true } as const;
    const { project, problems } = await loadModules({
      'commands/one.ts': {
        default: defineCommand({ description: 'Roll', options, run, ...settings }),
      },
      'commands/two.ts': { description: 'Roll', options, config: settings, default: run },
    });
    expect(problems).toEqual([]);
    const [one, two] = ['one', 'two'].map((name) => project.commands.get(name));
    expect(one).toEqual({ ...two, name: 'one', file: 'commands/one.ts', wire: one?.wire });
    expect(one).toMatchObject({ deferAfterMs: 2_000, timeoutMs: 60_000, silent: true, run });
    expect(wireCommands(project)).toEqual(
      ['one', 'two'].map((name) => ({
        name,
        description: 'Roll',
        options: [{ name: 'sides', description: 'Sides', type: 'integer', required: true }],
      })),
    );
  });

  it('creates new objects for each command, because other code may fill the objects', async () => {
    const { project } = await loadModules({ 'commands/a.ts': command, 'commands/b.ts': command });
    const [a, b] = [...project.commands.values()];
    expect(a?.aliases).not.toBe(b?.aliases);
    expect(a?.meta).not.toBe(b?.meta);
  });

  it('registers the aliases of a command with the same description and options', async () => {
    const { project, problems } = await loadModules({
      'commands/roll.ts': {
        default: { description: 'Roll', run: () => '', aliases: ['r'] },
      },
      'commands/say.ts': command,
    });
    expect(problems).toEqual([]);
    expect(wireCommands(project)).toEqual([
      { name: 'roll', description: 'Roll', options: [] },
      { name: 'say', description: 'Does it', options: [] },
      { name: 'r', description: 'Roll', options: [] },
    ]);
    const named = ['roll', 'r', 'say', 'x'].map(
      (name) => commandNamed(project.commands, name)?.name,
    );
    expect(named).toEqual(['roll', 'roll', 'say', undefined]);
  });

  it.each([
    [
      ['say'],
      'E_COMMAND_CONFLICT',
      'commands/roll.ts has the alias say, but /say is already defined by commands/say.ts.',
    ],
    [
      ['roll'],
      'E_COMMAND_CONFLICT',
      'commands/roll.ts has the alias roll, but /roll is already defined by commands/roll.ts.',
    ],
    [
      ['s'],
      'E_COMMAND_CONFLICT',
      'commands/say.ts has the alias s, but /s is already defined by commands/roll.ts.',
    ],
    [
      ['R'],
      'E_SETTING',
      `aliases in commands/roll.ts must be a list of command names, such as ['r', 'dice'], saw an array.`,
    ],
    [
      'r',
      'E_SETTING',
      `aliases in commands/roll.ts must be a list of command names, such as ['r', 'dice'], saw "r".`,
    ],
  ])(
    'rejects the aliases %j next to a command with the alias s',
    async (aliases, code, message) => {
      const { problems } = await loadModules({
        'commands/roll.ts': { default: { description: 'Roll', run: () => '', aliases } },
        'commands/say.ts': { default: { description: 'Say', run: () => '', aliases: ['s'] } },
      });
      expect(problems).toMatchObject([{ code, message }]);
    },
  );

  it('assigns a command the middleware and error handlers of its folders, in their order', async () => {
    const functions = Object.fromEntries(
      ['outer', 'inner', 'outerError', 'innerError'].map((name) => [name, () => name]),
    );
    const { project } = await loadModules({
      'commands/_middleware.ts': { default: functions['outer'] },
      'commands/_error.ts': { default: functions['outerError'] },
      'commands/a/_middleware.ts': { default: functions['inner'] },
      'commands/a/_error.ts': { default: functions['innerError'] },
      'commands/a/x.ts': command,
      'commands/y.ts': command,
    });
    const { outer, inner, outerError, innerError } = functions;
    expect(project.commands.get('a-x')).toMatchObject({
      middleware: [outer, inner],
      errorHandlers: [innerError, outerError],
    });
    expect(project.commands.get('y')).toMatchObject({
      middleware: [outer],
      errorHandlers: [outerError],
    });
  });

  it('gathers the handlers of each event, and the intents they need', async () => {
    const { project, problems } = await loadModules({
      'events/message-create/a.ts': {
        default: defineEvent('MESSAGE_CREATE', () => {}, { own: true, once: true }),
      },
      'events/message-create/b.ts': { default: () => {} },
      'events/voice-state-update.ts': { default: () => {} },
      'events/ready.ts': { default: defineEvent('ready', () => {}) },
    });
    expect(problems).toEqual([]);
    expect(project.events.get('MESSAGE_CREATE')).toMatchObject([
      { file: 'events/message-create/a.ts', own: true, once: true },
      { file: 'events/message-create/b.ts', own: false, once: false },
    ]);
    expect([...project.events.keys()].sort()).toEqual([
      'MESSAGE_CREATE',
      'VOICE_STATE_UPDATE',
      'ready',
    ]);
    expect(project.intents).toEqual(['SERVER_MESSAGES', 'SERVER_VOICE', 'APPLICATION_COMMANDS']);
  });

  it('needs the intent of commands and no other without events', async () => {
    const { project } = await loadModules({ 'commands/x.ts': command });
    expect(project.intents).toEqual(['APPLICATION_COMMANDS']);
  });

  it('needs the intents that its commands declare, in addition to those of its events', async () => {
    const run = (): string => 'done';
    const { project } = await loadModules({
      'commands/x.ts': command,
      'commands/ask.ts': {
        default: defineCommand({ description: 'Ask', intents: ['MESSAGE_REACTIONS'], run }),
      },
      'commands/wait.ts': { default: defineCommand({ description: 'W', intents: [], run }) },
      'events/voice-state-update.ts': { default: () => {} },
    });
    expect(project.intents).toEqual(['MESSAGE_REACTIONS', 'SERVER_VOICE', 'APPLICATION_COMMANDS']);
  });

  it.each([true, 'only'])(
    'needs the intent of the messages that run a command: %s',
    async (messages) => {
      const daily = { description: 'Claim coins', messages, run: () => 'done' };
      const { project } = await loadModules({ 'commands/daily.ts': { default: daily } });
      expect(project.intents).toEqual(['SERVER_MESSAGES', 'APPLICATION_COMMANDS']);
    },
  );

  it('adds the intents of the configuration', async () => {
    const { manifest } = scan(['commands/x.ts']);
    const { project } = await loadProject(manifest, {
      importModule: async () => command,
      config: { intents: ['MESSAGE_REACTIONS', 'APPLICATION_COMMANDS'] },
    });
    expect(project.intents).toEqual(['MESSAGE_REACTIONS', 'APPLICATION_COMMANDS']);
    // Its commands may wait for them without declaring intents.
    expect(project.commands.get('x')?.intents).toContain('MESSAGE_REACTIONS');
  });

  it('returns the function that creates the services, and does not call it', async () => {
    const create = vi.fn<() => object>();
    const { createServices, problems } = await loadModules({
      'commands/x.ts': command,
      'services.ts': { default: create, helper: 1 },
    });
    expect([createServices, problems]).toEqual([create, []]);
    expect(create).not.toHaveBeenCalled();
    expect((await loadModules({ 'commands/x.ts': command })).createServices).toBeNull();
  });

  it.each<[string, ModuleExports | Error, string, string]>([
    ['no default export', { db: 1 }, 'E_SERVICES_INVALID', 'saw undefined.'],
    ['an object', { default: { db: 1 } }, 'E_SERVICES_INVALID', 'saw an object.'],
    ['a class', { default: class Services {} }, 'E_SERVICES_INVALID', 'saw a class.'],
    ['an error', new TypeError('x is not a function'), 'E_MODULE_THREW', 'x is not a function'],
  ])('reports services with %s next to the other problems', async (_, services, code, message) => {
    const { createServices, problems } = await loadModules({
      'commands/z.ts': {},
      'src/services.mts': services,
    });
    expect(createServices).toBeNull();
    expect(problems).toMatchObject([
      { code: 'E_NO_HANDLER' },
      { code, message: expect.stringContaining(message), location: { file: 'src/services.mts' } },
    ]);
  });

  it('imports each file once, however many commands share it', async () => {
    const imported: string[] = [];
    const route = (name: string) => ({
      name,
      file: `commands/${name}.ts`,
      middleware: ['commands/_middleware.ts'],
      errorHandlers: [],
    });
    await loadProject(
      { commands: [route('x'), route('y')], events: [], tasks: [], services: null, config: null },
      {
        importModule: async (file) => {
          imported.push(file);
          return file.includes('_') ? { default: () => {} } : command;
        },
      },
    );
    expect(imported.sort()).toEqual(['commands/_middleware.ts', 'commands/x.ts', 'commands/y.ts']);
  });

  it('reports every problem, each once, sorted by file, and loads the rest', async () => {
    const { project, problems } = await loadModules({
      'commands/sound.ts': command,
      'commands/z.ts': { description: 'No handler' },
      'commands/b/_middleware.ts': { default: 'not a function' },
      'commands/b/x.ts': command,
      'commands/b/y.ts': command,
      'commands/a.ts': new TypeError('x is not a function'),
      'events/message-create.ts': {},
      'events/message-delete.ts': { default: () => {} },
    });
    expect(problems.map(({ code, location }) => `${location?.file} ${code}`)).toEqual([
      'commands/a.ts E_MODULE_THREW',
      'commands/b/_middleware.ts E_NO_HANDLER',
      'commands/z.ts E_NO_HANDLER',
      'events/message-create.ts E_NO_HANDLER',
    ]);
    expect([...project.commands.keys()]).toEqual(['sound']);
    expect([...project.events.keys()]).toEqual(['MESSAGE_DELETE']);
  });

  it('names what a file threw when it was imported, and keeps the cause', async () => {
    const cause = new TypeError('x is not a function');
    const { problems } = await loadModules({ 'commands/a.ts': cause });
    expect(problems[0]).toMatchObject({
      code: 'E_MODULE_THREW',
      message: 'commands/a.ts could not be imported: TypeError: x is not a function',
      location: { file: 'commands/a.ts' },
      cause,
    });
  });

  it('passes on what the loader says about a file', async () => {
    const error = problemOf('commands/a.ts:3 is no TypeScript');
    const { problems } = await loadModules({ 'commands/a.ts': error });
    expect(problems).toEqual([error]);
  });

  it.each<[string, Modules]>([
    ['middleware cannot be imported', { 'commands/_middleware.ts': new Error('broken') }],
    ['middleware is no function', { 'commands/_middleware.ts': { default: {} } }],
    ['middleware is a class', { 'commands/_middleware.ts': { default: class Guard {} } }],
    ['error handler is no function', { 'commands/_error.ts': {} }],
  ])('never runs a command whose %s', async (_, special) => {
    const { project, problems } = await loadModules({ ...special, 'commands/x.ts': command });
    expect(problems).toHaveLength(1);
    expect([...project.commands]).toEqual([]);
  });

  it('says what to write in place of a middleware that is a class', async () => {
    const { problems } = await loadModules({
      'commands/_middleware.ts': { default: class Guard {} },
      'commands/x.ts': command,
    });
    expect(problems).toMatchObject([
      {
        code: 'E_NO_HANDLER',
        message:
          'The default export of commands/_middleware.ts is a class, which is not a handler.',
        hint: 'Write: export default defineMiddleware(async (ctx, next) => next())',
      },
    ]);
  });

  it('does not suggest to hide a middleware that has no function', async () => {
    const { problems } = await loadModules({
      'commands/_middleware.ts': { default: undefined },
      'commands/x.ts': command,
    });
    expect(problems).toMatchObject([
      {
        code: 'E_NO_HANDLER',
        hint: 'Write: export default defineMiddleware(async (ctx, next) => next())',
      },
    ]);
  });

  it('says what to write in place of an error handler that is an object', async () => {
    const { problems } = await loadModules({
      'commands/_error.ts': { default: {} },
      'commands/x.ts': command,
    });
    expect(problems).toMatchObject([
      {
        code: 'E_NO_HANDLER',
        hint: "Write: export default defineErrorHandler((error, ctx) => '…')",
      },
    ]);
  });

  it('reports what is wrong with a command also when its middleware is broken', async () => {
    const { problems } = await loadModules({
      'commands/_middleware.ts': new Error('broken'),
      'commands/x.ts': { default: () => 'done' },
    });
    expect(problems.map(({ code }) => code)).toEqual(['E_MODULE_THREW', 'E_DESCRIPTION']);
  });
});
