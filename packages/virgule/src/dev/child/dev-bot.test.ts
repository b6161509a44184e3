import { readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { createRedactor, silentLog } from '@virgule/core/log';
import { createLog } from '@virgule/runtime/process';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answering, createTestProject, type TestProject } from '../../../test/test-project.js';
import { until } from '../../../test/until.js';
import { newProblems } from '../server/problems.js';
import { startDevBot, type DevBotOptions } from './dev-bot.js';
import type { FromChild, ReloadOutcome, ToChild } from '../ipc.js';

type DevBot = NonNullable<Awaited<ReturnType<typeof startDevBot>>>;

const HELLO = `
import { greeting } from '../lib/words.js';

export default { description: 'Greet', run: () => greeting };`;
const READY_STATUS = {
  state: 'ready',
  reconnected: false,
  ready: {
    applicationId: 'a',
    botUserId: 'b',
    username: 'dice',
    displayName: 'Dice',
    serverIds: [],
  },
} as const;
const FILES = {
  'lib/words.ts': `export const greeting = 'Hello';`,
  'commands/hello.ts': HELLO,
  'commands/other.ts': answering('other'),
};

describe('startDevBot', () => {
  let platform: Simulator;
  let project: TestProject;
  let sent: FromChild[];
  let bot: DevBot | null;

  beforeEach(async () => {
    platform = await startSimulator();
    project = await createTestProject(FILES);
    sent = [];
    bot = null;
  });
  afterEach(async () => {
    await bot?.close();
    await platform.close();
    await project[Symbol.asyncDispose]();
  });

  async function start(options: Partial<DevBotOptions> = {}): Promise<DevBot> {
    bot = await startDevBot({
      root: project.root,
      live: false,
      env: {},
      redact: createRedactor(),
      token: platform.token,
      baseUrl: platform.baseUrl,
      log: silentLog,
      send: (message) => sent.push(message),
      ...options,
    });
    if (!bot) throw new Error(`The bot was refused: ${JSON.stringify(sent)}`);
    return bot;
  }
  /** Starts it, and makes it the one that answers. */
  async function begin(options?: Partial<DevBotOptions>): Promise<DevBot> {
    const started = await start(options);
    await register();
    return started;
  }

  let reloads = 0;
  const register = (): Promise<ReloadOutcome> =>
    ask((number) => ({ type: 'reload', files: [], number }));
  /** Hands over changed files, as the dev server does, and returns the outcome. */
  async function reload(...files: string[]): Promise<ReloadOutcome> {
    const paths = files.map((file) => join(project.root, file));
    return ask((number) => ({ type: 'reload', number, files: paths }));
  }

  /** Sends a message and returns the result. */
  async function ask(message: (number: number) => ToChild): Promise<ReloadOutcome> {
    reloads += 1;
    const number = reloads;
    bot?.receive(message(number));
    return until(() => {
      const answer = sent.find((said) => said.type === 'reply' && said.number === number);
      if (answer?.type !== 'reply') throw new Error('not reloaded yet');
      return answer.value as ReloadOutcome;
    });
  }

  /** Runs a command, delivers it as the dev server does, and returns the id of its interaction. */
  function deliver(rawInput: string, isDeferred = false): string {
    const { id, commandName, channelId, serverId } = platform.run({ rawInput });
    if (isDeferred) platform.defer(id);
    bot?.receive({
      type: 'event',
      number: 1,
      isDeferred,
      event: {
        t: 'APPLICATION_COMMAND',
        d: { interactionId: id, name: commandName, rawInput, channelId, serverId },
        receivedAtMs: systemClock.monotonic(),
      },
    });
    return id;
  }

  /** The same, and returns the answer. */
  async function say(rawInput: string): Promise<string | undefined> {
    const id = deliver(rawInput);
    return until(() => {
      const answer = platform.messages().find((message) => message.interactionId === id);
      expect(answer).toBeDefined();
      return answer?.content;
    });
  }
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);

  /** Messages of the child, except `loading`. */
  const reported = () => sent.filter(({ type }) => type !== 'loading' && type !== 'code');

  it('registers its commands once it is the one that answers', async () => {
    await start();
    expect(reported()).toEqual([
      { type: 'loaded', commands: 2, events: 0, tasks: 0, problems: [] },
    ]);
    expect(registered()).toEqual([]);
    expect(await register()).toEqual({
      isNew: false,
      evaluated: 0,
      commands: { added: ['hello', 'other'], changed: [], removed: [] },
      problems: [],
    });
    expect(registered()).toEqual(['hello', 'other']);
    expect(await say('/hello')).toBe('Hello');
    // The socket is not its own.
    expect(platform.counts.identifies).toBe(0);
  });

  it('names what it handles in each request, so that the trace shows them together', async () => {
    const send = (name: string) => `export default { description: 'S', async run({ here }) {
      await here.send('working');
      return '${name}';
    } };`;
    await project.write('commands/one.ts', send('one'));
    await project.write('commands/two.ts', send('two'));
    await begin();
    expect(await Promise.all([say('/one'), say('/two')])).toEqual(['one', 'two']);
    const groups = new Map<string | null, string[]>();
    for (const { kind, group, what } of platform.trace()) {
      const name = what.replace(/^POST .*\//, '');
      if (kind === 'request') groups.set(group, [...(groups.get(group) ?? []), name]);
    }
    const commands = platform.snapshot().interactions.map(({ id }) => groups.get(id));
    expect(commands).toEqual([
      ['messages', 'response'],
      ['messages', 'response'],
    ]);
  });

  describe('of a handler that throws', () => {
    const FAILING = {
      'virgule.config.ts': `import * as z from 'zod'; export default { env: z.object({ KEY: z.string() }) };`,
      'commands/hello.ts': `export default { description: 'H', run({ env }) {
        throw new Error('refused: ' + env.KEY);
      } };`,
    };
    beforeEach(async () => {
      for (const [file, text] of Object.entries(FAILING)) await project.write(file, text);
    });
    const env = { KEY: 'a-long-secret' };

    it('shows the cause on a simulator, without secrets', async () => {
      await begin({ env });
      expect(await say('/hello')).toBe('Something went wrong. Error: refused: [redacted]');
    });

    it('shows on a real platform what production shows', async () => {
      await createRestCommands();
      await begin({ env, live: true });
      expect(await say('/hello')).toBe('Something went wrong.');
    });

    /** A bot on a real platform registers nothing. */
    async function createRestCommands(): Promise<void> {
      await using rest = createRest({ token: platform.token, baseUrl: platform.baseUrl });
      await rest.commands.replace([{ name: 'hello', description: 'H', options: [] }]);
    }
  });

  it('reports only the current problem of a file that was empty before', async () => {
    await begin();
    await project.write('events/ready.ts', '');
    expect((await reload('events/ready.ts')).problems).toMatchObject([{ code: 'E_NO_HANDLER' }]);
    await project.write('events/ready.ts', `import 'not-installed';\nexport default () => {};`);
    const { problems } = await reload('events/ready.ts');
    expect(problems).toMatchObject([{ code: 'E_MODULE_NOT_FOUND' }]);
  });

  it('logs the handlers of a message in its trace, with the options of called commands', async () => {
    await project.write(
      'commands/water.ts',
      `import * as z from 'zod';
       export default {
         description: 'Water',
         options: z.object({ ml: z.int() }),
         run: ({ log, options: { ml } }) => (log.info({ causeId: 1 }, 'pouring'), String(ml)),
       };`,
    );
    await project.write(
      'events/message-create.ts',
      `export default async ({ call }) => {
         await call('water', { ml: 300 });
         throw new Error('on purpose');
       };`,
    );
    const write = (line: string): boolean => Boolean(platform.logged(line));
    await begin({ log: createLog({ destination: { write } }) });
    bot?.receive({ type: 'status', status: READY_STATUS });
    const d = platform.sendMessage({ content: 'Hi' });
    const event = { t: 'MESSAGE_CREATE', d, receivedAtMs: systemClock.monotonic() } as const;
    bot?.receive({ type: 'event', number: 1, isDeferred: false, event });
    await until(() => {
      const rows = platform.trace().filter(({ kind, group }) => kind === 'log' && group === d.id);
      expect(rows.map(({ what }) => what)).toEqual([
        'pouring',
        '/water 300 answered',
        'events/message-create.ts failed: on purpose',
      ]);
    });
    expect(platform.messages().at(-1)).toMatchObject({ failure: { message: 'on purpose' } });
  });

  it('reports problems without secrets, at the start and after a change', async () => {
    const secret = 'a-long-secret';
    await project.write(
      'virgule.config.ts',
      `import * as z from 'zod'; export default { env: z.object({ KEY: z.string() }) };`,
    );
    const throwing = (text: string) => `throw new Error('${text}: ${secret}');`;
    await project.write('commands/a.ts', throwing('first'));
    await begin({ env: { KEY: secret } });
    const [loaded] = reported();
    expect(loaded).toMatchObject({
      problems: [{ code: 'E_LOAD_FAILED', message: expect.stringContaining('first: [redacted]') }],
    });
    await project.write('commands/a.ts', throwing('then'));
    const changed = await reload('commands/a.ts');
    expect(changed).toMatchObject({
      problems: [{ message: expect.stringContaining('then: [redacted]') }],
    });
    expect(JSON.stringify([sent, changed])).not.toContain(secret);
  });

  it('reports which file it loads, and which package that file waits for', async () => {
    await start();
    const loading = sent.filter(({ type }) => type === 'loading');
    expect(loading).toContainEqual({
      type: 'loading',
      file: join(project.root, 'commands/other.ts'),
      imports: 'virgule',
    });
    await register();
    sent.length = 0;
    await project.write('commands/other.ts', answering('again'));
    await reload('commands/other.ts');
    expect(sent.map(({ type }) => type)).toEqual(['reply']);
  });

  it('reports the settings for answers of the server, and each change of them', async () => {
    await project.write(
      'virgule.config.ts',
      `export default { texts: { restarting: 'Un moment.' } };`,
    );
    await begin();
    await project.write(
      'commands/other.ts',
      `export default { description: 'x', aliases: ['o'], defer: 'never', run: () => 'x' };`,
    );
    await reload('commands/other.ts');
    await reload('commands/other.ts');
    const restarting = 'Un moment.';
    expect(sent.filter(({ type }) => type === 'code')).toMatchObject([
      { restarting, defers: {} },
      { restarting, defers: { other: null, o: null } },
    ]);
  });

  it('deletes commands that are registered and have no file: it is a simulator', async () => {
    await begin();
    await bot?.close();
    await project.remove('commands/other.ts');
    await begin();
    expect(registered()).toEqual(['hello']);
  });

  it('runs the valid part of a project with problems, and reports each with its location', async () => {
    await project.write('commands/a.ts', 'export {};');
    await project.write('commands/b.ts', 'export default {');
    await begin();
    expect(reported()[0]).toMatchObject({
      type: 'loaded',
      commands: 2,
      problems: [
        { code: 'E_NO_HANDLER', where: expect.stringMatching(/^commands\/a\.ts/) },
        { code: 'E_SYNTAX', where: expect.stringMatching(/^commands\/b\.ts:1/) },
      ],
    });
    expect(registered()).toEqual(['hello', 'other']);
    expect(await say('/hello')).toBe('Hello');

    await project.write('commands/a.ts', answering('a'));
    expect(await reload('commands/a.ts')).toMatchObject({
      isNew: true,
      commands: { added: ['a'] },
      problems: [{ code: 'E_SYNTAX' }],
    });
    await project.write('commands/b.ts', answering('b'));
    expect(await reload('commands/b.ts')).toMatchObject({ isNew: true, problems: [] });
    expect(registered()).toEqual(['a', 'b', 'hello', 'other']);
  });

  it('answers with the last valid version of a broken file, and swaps the others', async () => {
    await begin();
    await project.write('commands/hello.ts', 'export default {');
    expect(await reload('commands/hello.ts')).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code: 'E_SYNTAX' }],
    });
    await project.write('commands/other.ts', answering('changed meanwhile'));
    expect(await reload('commands/other.ts')).toMatchObject({
      isNew: true,
      evaluated: 1,
      problems: [{ code: 'E_SYNTAX' }],
    });
    expect(await say('/other')).toBe('changed meanwhile');
    expect(await say('/hello')).toBe('Hello');
    expect(registered()).toEqual(['hello', 'other']);

    // It defines nothing that could answer: as wrong as one that cannot be read.
    await project.write('commands/hello.ts', 'export {};');
    expect(await reload('commands/hello.ts')).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code: 'E_NO_HANDLER' }],
    });
    expect(await say('/hello')).toBe('Hello');
    await project.write('lib/words.ts', `export const greeting = 'Salut';`);
    await project.write('commands/hello.ts', HELLO);
    expect(await reload('lib/words.ts', 'commands/hello.ts')).toMatchObject({
      isNew: true,
      problems: [],
    });
    expect(await say('/hello')).toBe('Salut');
  });

  it('lets a command keep its name that a second file claims', async () => {
    await project.write('commands/zoo/index.ts', answering('the first'));
    await begin();
    await project.write('commands/zoo.ts', answering('the second'));
    expect(await reload('commands/zoo.ts')).toMatchObject({
      problems: [{ code: 'E_COMMAND_CONFLICT' }],
    });
    expect(await say('/zoo')).toBe('the first');
    await project.remove('commands/zoo/index.ts');
    expect(await reload('commands/zoo/index.ts')).toMatchObject({ problems: [] });
    expect(await say('/zoo')).toBe('the second');
  });

  it('keeps the guard of a folder that is broken now', async () => {
    await project.write(
      'commands/_middleware.ts',
      `export default (context, next) => context.commandName === 'other' ? 'guarded' : next();`,
    );
    await begin();
    await project.write('commands/_middleware.ts', 'export default 5;');
    expect(await reload('commands/_middleware.ts')).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code: 'E_NO_HANDLER' }],
    });
    await project.write('commands/hello.ts', answering('new, and unguarded?'));
    await reload('commands/hello.ts');
    expect(await say('/other')).toBe('guarded');
    // A command never runs without the guards of its folder, so its last good version is kept.
    expect(await say('/hello')).toBe('Hello');
  });

  it('stores in a file of its own', async () => {
    await project.write(
      'commands/count.ts',
      `export default {
         description: 'Count',
         run: ({ storage }) => storage.update('n', (n = 0) => n + 1).then(String),
       };`,
    );
    await begin();
    expect([await say('/count'), await say('/count')]).toEqual(['1', '2']);
    const files = readdirSync(join(project.root, '.virgule'));
    expect(files).toContain('storage.dev.db');
    expect(files).not.toContain('storage.db');
  });

  it('ends a run that is in progress on the old code after a save, and begins the next on the new', async () => {
    const task = (version: string) => `export default {
      async run({ storage, clock }) {
        await storage.update('log', (log = []) => [...log, '${version} begins']);
        while (!(await storage.get('may end'))) await clock.sleep('5ms');
        await storage.update('log', (log = []) => [...log, '${version} ends']);
      },
    };`;
    await project.write('tasks/work.ts', task('old'));
    await project.write(
      'commands/start.ts',
      `export default { description: 'Starts', run: ({ tasks }) => tasks.work.in('0s').then(() => 'ok') };`,
    );
    await project.write(
      'commands/end.ts',
      `export default { description: 'Ends', run: ({ storage }) => storage.set('may end', true).then(() => 'ok') };`,
    );
    await project.write(
      'commands/log.ts',
      `export default { description: 'Shows', run: async ({ storage }) => String(await storage.get('log')) };`,
    );
    await begin();
    bot?.receive({ type: 'status', status: READY_STATUS });
    await say('/start');
    await until(async () => expect(await say('/log')).toBe('old begins'));
    await project.write('tasks/work.ts', task('new'));
    expect(await reload('tasks/work.ts')).toMatchObject({ isNew: true, problems: [] });
    await say('/start');
    await until(async () => expect(await say('/log')).toBe('old begins,new begins'));
    await say('/end');
    await until(async () =>
      expect((await say('/log'))?.split(',').toSorted()).toEqual([
        'new begins',
        'new ends',
        'old begins',
        'old ends',
      ]),
    );
  });

  describe('on a real platform', () => {
    const puts = (): number => platform.counts.requests['commands.replace'];

    it('registers nothing, and reports the plan', async () => {
      await begin({ live: true });
      expect(reported().at(-2)).toEqual({
        type: 'plan',
        plan: { added: ['hello', 'other'], changed: [], removed: [] },
      });
      await project.write('commands/third.ts', answering('third'));
      expect(await reload('commands/third.ts')).toMatchObject({ commands: null });
      expect(reported().at(-2)).toMatchObject({ plan: { added: ['hello', 'other', 'third'] } });
      // Code that runs is no part of a plan.
      await project.write('commands/third.ts', answering('other code'));
      await reload('commands/third.ts');
      expect(reported().filter(({ type }) => type === 'plan')).toHaveLength(2);
      await register();
      expect(reported().at(-2)).toMatchObject({ type: 'plan' });
      expect(puts()).toBe(0);
    });

    it('answers what a process left open that is gone, and remembers what is open', async () => {
      await project.write(
        'commands/slow.ts',
        `export default { description: 'S', defer: 'now', run: () => new Promise(() => {}) };`,
      );
      await begin();
      await bot?.close();
      const { id, ...slow } = platform.run({ rawInput: '/slow' });
      platform.defer(id);
      const folder = join(project.root, '.virgule/interactions');
      const { baseUrl, token } = platform;
      const rest = createRest({ baseUrl, token });
      const { botUserId } = await rest.users.me();
      await rest.close();
      const owner = { pid: 2 ** 30, started: '', host: hostname(), baseUrl, bot: botUserId };
      const atMs = systemClock.now();
      const entry = { ...slow, key: id, interactionId: id, name: 'slow', shows: 'thinking', atMs };
      const text = `${JSON.stringify(owner)}\n${JSON.stringify(entry)}\n\n`;
      await project.write('.virgule/interactions/left.jsonl', text);
      await begin({ live: true });
      await until(() => expect(platform.interaction(id)?.state).toBe('answered'));
      expect(platform.messages().at(-1)?.content).toContain('The bot is restarting.');
      deliver('/slow');
      const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
      await until(() => expect(readdirSync(folder).map(read).join('')).toContain('"slow"'));
      expect(readdirSync(folder)).not.toContain('left.jsonl');
    });
  });

  it('fills in the thinking state that was shown before it was there, also when it chooses silence', async () => {
    await project.write(
      'commands/quiet.ts',
      `export default { description: 'Q', run: () => null };`,
    );
    await begin();
    const id = deliver('/quiet', true);
    await until(() => expect(platform.interaction(id)?.state).toBe('answered'));
    expect(platform.messages().at(-1)?.content).toBe('Done.');
  });

  it('puts nothing when the commands are the same, and reads them only when they changed', async () => {
    await begin();
    const before = { ...platform.counts.requests };
    await project.write('commands/hello.ts', `${HELLO} // another text, the same command`);
    expect(await reload('commands/hello.ts')).toMatchObject({ isNew: true, commands: null });
    expect(platform.counts.requests).toEqual(before);

    await project.write('commands/hello.ts', HELLO.replace('Greet', 'Greet someone'));
    expect(await reload('commands/hello.ts')).toMatchObject({
      commands: { added: [], changed: ['hello'], removed: [] },
    });
    expect(platform.counts.requests['commands.replace']).toBe(before['commands.replace'] + 1);
  });

  it('takes over a saved helper and everything that imports it', async () => {
    await begin();
    await project.write('lib/words.ts', `export const greeting = 'Good morning';`);
    expect(await reload('lib/words.ts')).toEqual({
      isNew: true,
      evaluated: 2,
      commands: null,
      problems: [],
    });
    expect(await say('/hello')).toBe('Good morning');
  });

  it('registers a command that came, and removes one that went', async () => {
    await begin();
    await project.write('commands/new.ts', answering('brand new'));
    expect(await reload('commands/new.ts')).toMatchObject({
      isNew: true,
      commands: { added: ['new'] },
    });
    expect(registered()).toEqual(['hello', 'new', 'other']);
    expect(await say('/new')).toBe('brand new');
    await project.remove('commands/new.ts');
    expect(await reload('commands/new.ts')).toMatchObject({
      isNew: true,
      commands: { removed: ['new'] },
    });
    expect(registered()).toEqual(['hello', 'other']);
  });

  it('takes over an event file that came and went, though nothing is registered for it', async () => {
    await begin();
    await project.write(
      'events/message-create.ts',
      `import { defineEvent } from 'virgule';
       export default defineEvent('MESSAGE_CREATE', () => {});`,
    );
    expect(await reload('events/message-create.ts')).toMatchObject({ isNew: true });
    await project.remove('events/message-create.ts');
    expect(await reload('events/message-create.ts')).toMatchObject({
      isNew: true,
      commands: null,
    });
  });

  it.each([
    ['is no part of the bot', 'README.md', 'text'],
    ['was saved as it was', 'commands/hello.ts', HELLO],
    ['is private to its folder and imported by nothing', 'commands/_draft.ts', 'export default 1;'],
  ])('takes no notice of a file that %s', async (_, file, text) => {
    await begin();
    await project.write(file, text);
    expect(await reload(file)).toEqual({
      isNew: false,
      evaluated: 0,
      commands: null,
      problems: [],
    });
  });

  it('reads nothing again for a file it is not made of', async () => {
    await begin();
    const before = platform.counts.requests['commands.list'];
    await project.write('notes.txt', 'text');
    await reload('notes.txt');
    expect(platform.counts.requests['commands.list']).toBe(before);
  });

  it.each([
    ['package.json', '{ "name": "test-bot", "type": "module", "version": "2.0.0" }'],
    ['tsconfig.json', '{}'],
    ['.env', 'A=1'],
    ['.env.development', 'A=1'],
    ['virgule.config.ts', 'export default {};'],
    ['services.ts', 'export default {};'],
    ['src/services.ts', 'export default {};'],
  ])('asks for a new process for %s', async (file, text) => {
    await begin();
    await project.write(file, text);
    expect(await reload(file)).toMatchObject({
      isNew: false,
      restart: expect.stringContaining(file.replace('src/', '')),
    });
  });

  it.each([
    ['cannot be read', 'export default {', 'E_SYNTAX'],
    ['throws', `throw new Error('boom');`, 'E_LOAD_FAILED'],
    ['has no handler', 'export {};', 'E_NO_HANDLER'],
    ['imports what is not there', `import '../lib/gone.js';`, 'E_MODULE_NOT_FOUND'],
  ])('keeps the previous code when a saved file %s', async (_, text, code) => {
    await begin();
    await project.write('commands/hello.ts', text);
    const result = await reload('commands/hello.ts');
    expect(result).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code, where: expect.stringMatching(/^commands\/hello\.ts/) }],
    });
    expect(await say('/hello')).toBe('Hello');
    expect(registered()).toEqual(['hello', 'other']);
  });

  it('reports that a broken file was restored', async () => {
    await begin();
    await project.write('commands/hello.ts', 'export default {');
    expect(await reload('commands/hello.ts')).toMatchObject({ isNew: false, commands: null });
    await project.write('commands/hello.ts', HELLO);
    expect(await reload('commands/hello.ts')).toEqual({
      isNew: false,
      evaluated: 0,
      commands: null,
      problems: [],
    });
  });

  it('takes a failed change over once the helper that it lacked is there', async () => {
    await begin();
    await project.write(
      'commands/hello.ts',
      `import { text } from '../lib/later.js';\nexport default { description: 'Greet', run: () => text };`,
    );
    expect(await reload('commands/hello.ts')).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code: 'E_MODULE_NOT_FOUND' }],
    });
    await project.write('lib/later.ts', `export const text = 'there now';`);
    expect(await reload('lib/later.ts')).toMatchObject({ isNew: true });
    expect(await say('/hello')).toBe('there now');
  });

  it('asks for a new process again until there is one', async () => {
    await begin();
    await project.write('package.json', '{ "name": "test-bot", "type": "module", "main": "x" }');
    expect(await reload('package.json')).toMatchObject({ restart: expect.any(String) });
    expect(await reload('README.md')).toMatchObject({ restart: expect.any(String) });
  });

  it.each([
    ['imports what is not there', { 'commands/wip.ts': `import '../lib/none.js';` }],
    ['is empty', { 'commands/wip.ts': '' }],
    ['has no description', { 'commands/wip.ts': `export default { description: '', run() {} };` }],
    ['shares its name', { 'commands/hello/index.ts': answering('again') }],
  ])(
    'has the problems that a new process has: one file %s, from the start or saved',
    async (_, files) => {
      await begin();
      const [[file, text] = ['', '']] = Object.entries(files);
      await project.write(file, text);
      const saved = await reload(file);
      const problems = 'problems' in saved ? saved.problems : [];
      expect(problems).toHaveLength(1);
      await bot?.close();
      sent.length = 0;
      await start();
      const [loaded] = reported();
      expect(loaded).toMatchObject({ type: 'loaded' });
      const cold = loaded?.type === 'loaded' ? loaded.problems : [];
      expect(newProblems(cold, problems)).toEqual([]);
      // Another process then finds what this one found.
      const again = await register();
      expect(newProblems(cold, 'problems' in again ? again.problems : [])).toEqual([]);
    },
  );

  it('takes what a link leads to that is changed: a command, a helper and a folder of commands', async () => {
    for (const n of [1, 2]) {
      await project.write(`real/x${n}.ts`, answering(`x${n}`));
      await project.write(`real/words${n}.ts`, `export const greeting = 'Hello ${n}';`);
      await project.write(`releases/${n}/r.ts`, answering(`r${n}`));
    }
    await project.write('releases/2/more.ts', answering('more'));
    const link = (target: string, file: string): void => {
      symlinkSync(join(project.root, target), join(project.root, `${file}~`));
      renameSync(join(project.root, `${file}~`), join(project.root, file));
    };
    const LINKS = ['commands/x.ts', 'lib/words.ts', 'commands/rel'];
    const to = (n: number): void =>
      [`real/x${n}.ts`, `real/words${n}.ts`, `releases/${n}`].forEach((target, index) =>
        link(target, LINKS[index] ?? ''),
      );
    to(1);
    await begin();
    expect([await say('/x'), await say('/hello'), await say('/rel-r')]).toEqual([
      'x1',
      'Hello 1',
      'r1',
    ]);
    to(2);
    expect(
      await reload('commands/x.ts', 'lib/words.ts', 'commands/rel/r.ts', 'commands/rel/more.ts'),
    ).toMatchObject({ isNew: true, problems: [] });
    expect([
      await say('/x'),
      await say('/hello'),
      await say('/rel-r'),
      await say('/rel-more'),
    ]).toEqual(['x2', 'Hello 2', 'r2', 'more']);
    // From now on, changes of what they lead to count.
    await project.write('real/x2.ts', answering('x3'));
    await reload('real/x2.ts');
    expect(await say('/x')).toBe('x3');
  });

  it('reports when the folder of commands is gone, and keeps running', async () => {
    await begin();
    await project.remove('commands/hello.ts');
    await project.remove('commands/other.ts');
    const result = await reload('commands/hello.ts', 'commands/other.ts');
    expect(result).toMatchObject({
      isNew: false,
      commands: null,
      problems: [{ code: 'E_NO_COMMANDS_FOLDER' }],
    });
    expect(registered()).toEqual(['hello', 'other']);
    expect(await say('/other')).toBe('other');
  });

  it('reports that the platform does not take the new commands', async () => {
    await begin({ syncTimeoutMs: 20 });
    await platform.close();
    await project.write('commands/new.ts', answering('new'));
    expect(await reload('commands/new.ts')).toMatchObject({
      isNew: true,
      problems: [{ code: expect.stringMatching(/^E_/) }],
    });
  });

  it('answers each of several reloads, in their order', async () => {
    await begin();
    await project.write('commands/other.ts', answering('one'));
    const first = reload('commands/other.ts');
    const second = reload('README.md');
    const third = reload('package.json');
    expect((await Promise.all([first, second, third])).map(({ isNew }) => isNew)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
