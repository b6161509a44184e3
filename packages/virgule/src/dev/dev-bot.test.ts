import { join } from 'node:path';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, createTestProject, type TestProject } from '../../test/test-project.js';
import { until } from '../../test/until.js';
import { startDevBot, type DevBot } from './dev-bot.js';
import type { FromChild, ReloadOutcome } from './messages.js';

// A busy machine takes its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const HELLO = `
import { greeting } from '../lib/words.js';

export default { description: 'Greet', run: () => greeting };`;
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

  async function start(): Promise<DevBot> {
    bot = await startDevBot({
      root: project.root,
      token: platform.token,
      baseUrl: platform.baseUrl,
      log: silentLog,
      send: (message) => sent.push(message),
    });
    if (!bot) throw new Error(`The bot was refused: ${JSON.stringify(sent)}`);
    return bot;
  }

  let reloads = 0;
  /** Hands over changed files, as the dev server does, and gives what became of them. */
  async function reload(...files: string[]): Promise<ReloadOutcome> {
    reloads += 1;
    const number = reloads;
    bot?.receive({ type: 'reload', number, files: files.map((file) => join(project.root, file)) });
    return until(() => {
      const answer = sent.find((said) => said.type === 'reloaded' && said.number === number);
      if (answer?.type !== 'reloaded') throw new Error('not reloaded yet');
      return answer.result;
    });
  }

  /** Delivers a command as the dev server does, and gives the answer. */
  async function say(rawInput: string): Promise<string | undefined> {
    const { id, commandName, channelId, serverId } = platform.run({ rawInput });
    bot?.receive({
      type: 'event',
      event: {
        t: 'APPLICATION_COMMAND',
        d: { interactionId: id, name: commandName, rawInput, channelId, serverId },
        receivedAtMs: systemClock.monotonic(),
      },
    });
    return until(() => {
      const answer = platform.messages().find((message) => message.interactionId === id);
      expect(answer).toBeDefined();
      return answer?.content;
    });
  }
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);

  it('registers its commands, tells what it has, and answers', async () => {
    await start();
    expect(sent).toEqual([{ type: 'loaded', commands: 2, events: 0 }]);
    expect(registered()).toEqual(['hello', 'other']);
    expect(await say('/hello')).toBe('Hello');
    // The socket is not its own.
    expect(platform.counts.identifies).toBe(0);
  });

  it('deletes commands that are registered and have no file: it is a simulator', async () => {
    await start();
    await bot?.close();
    await project.remove('commands/other.ts');
    await start();
    expect(registered()).toEqual(['hello']);
  });

  it('refuses a project with problems, each with its place, before it calls the platform', async () => {
    await project.write('commands/a.ts', 'export {};');
    await project.write('commands/b.ts', 'export default {');
    const refused = await startDevBot({
      root: project.root,
      token: platform.token,
      baseUrl: platform.baseUrl,
      log: silentLog,
      send: (message) => sent.push(message),
    });
    expect(refused).toBeNull();
    expect(sent).toMatchObject([
      {
        type: 'refused',
        problems: [
          { code: 'E_NO_HANDLER', where: expect.stringMatching(/^commands\/a\.ts/) },
          { code: 'E_SYNTAX', where: expect.stringMatching(/^commands\/b\.ts:1/) },
        ],
      },
    ]);
    expect(Object.values(platform.counts.requests).every((count) => count === 0)).toBe(true);
  });

  it('takes over a saved helper and everything that imports it', async () => {
    await start();
    await project.write('lib/words.ts', `export const greeting = 'Good morning';`);
    expect(await reload('lib/words.ts')).toEqual({
      outcome: 'swapped',
      evaluated: 2,
      synced: false,
    });
    expect(await say('/hello')).toBe('Good morning');
  });

  it('registers a command that came, and removes one that went', async () => {
    await start();
    await project.write('commands/new.ts', answering('brand new'));
    expect(await reload('commands/new.ts')).toMatchObject({ outcome: 'swapped', synced: true });
    expect(registered()).toEqual(['hello', 'new', 'other']);
    expect(await say('/new')).toBe('brand new');
    await project.remove('commands/new.ts');
    expect(await reload('commands/new.ts')).toMatchObject({ outcome: 'swapped', synced: true });
    expect(registered()).toEqual(['hello', 'other']);
  });

  it('takes over an event file that came and went, though nothing is registered for it', async () => {
    await start();
    await project.write(
      'events/message-create.ts',
      `import { defineEvent } from 'virgule';
       export default defineEvent('MESSAGE_CREATE', () => {});`,
    );
    expect(await reload('events/message-create.ts')).toMatchObject({ outcome: 'swapped' });
    await project.remove('events/message-create.ts');
    expect(await reload('events/message-create.ts')).toMatchObject({
      outcome: 'swapped',
      synced: false,
    });
  });

  it.each([
    ['is no part of the bot', 'README.md', 'text'],
    ['was saved as it was', 'commands/hello.ts', HELLO],
    ['is private to its folder and imported by nothing', 'commands/_draft.ts', 'export default 1;'],
  ])('takes no notice of a file that %s', async (_, file, text) => {
    await start();
    await project.write(file, text);
    expect(await reload(file)).toEqual({ outcome: 'unchanged' });
  });

  it('reads nothing again for a file it is not made of', async () => {
    await start();
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
    await start();
    await project.write(file, text);
    expect(await reload(file)).toMatchObject({
      outcome: 'unsupported',
      reason: expect.stringContaining(file.replace('src/', '')),
    });
  });

  it.each([
    ['cannot be read', 'export default {', 'E_SYNTAX'],
    ['throws', `throw new Error('boom');`, 'E_LOAD_FAILED'],
    ['has no handler', 'export {};', 'E_NO_HANDLER'],
    ['imports what is not there', `import '../lib/gone.js';`, 'E_MODULE_NOT_FOUND'],
  ])('goes on with the code before when a saved file %s', async (_, text, code) => {
    await start();
    await project.write('commands/hello.ts', text);
    const result = await reload('commands/hello.ts');
    expect(result).toMatchObject({
      outcome: 'failed',
      problems: [{ code, where: expect.stringMatching(/^commands\/hello\.ts/) }],
    });
    expect(await say('/hello')).toBe('Hello');
    expect(registered()).toEqual(['hello', 'other']);
  });

  it('tells that a broken file was put back as it was', async () => {
    await start();
    await project.write('commands/hello.ts', 'export default {');
    expect(await reload('commands/hello.ts')).toMatchObject({ outcome: 'failed' });
    await project.write('commands/hello.ts', HELLO);
    expect(await reload('commands/hello.ts')).toMatchObject({ outcome: 'swapped' });
    expect(await reload('commands/hello.ts')).toEqual({ outcome: 'unchanged' });
  });

  it('takes a failed change over once the helper that it lacked is there', async () => {
    await start();
    await project.write(
      'commands/hello.ts',
      `import { text } from '../lib/later.js';\nexport default { description: 'Greet', run: () => text };`,
    );
    expect(await reload('commands/hello.ts')).toMatchObject({
      outcome: 'failed',
      problems: [{ code: 'E_MODULE_NOT_FOUND' }],
    });
    await project.write('lib/later.ts', `export const text = 'there now';`);
    expect(await reload('lib/later.ts')).toMatchObject({ outcome: 'swapped' });
    expect(await say('/hello')).toBe('there now');
  });

  it('asks for a new process again until there is one', async () => {
    await start();
    await project.write('package.json', '{ "name": "test-bot", "type": "module", "main": "x" }');
    expect(await reload('package.json')).toMatchObject({ outcome: 'unsupported' });
    expect(await reload('README.md')).toMatchObject({ outcome: 'unsupported' });
  });

  it('tells when the folder of commands is gone, and goes on', async () => {
    await start();
    await project.remove('commands/hello.ts');
    await project.remove('commands/other.ts');
    const result = await reload('commands/hello.ts', 'commands/other.ts');
    expect(result.outcome).toBe('failed');
    expect(registered()).toEqual(['hello', 'other']);
    expect(await say('/other')).toBe('other');
  });

  it('tells when the platform does not take the new commands', async () => {
    await start();
    await platform.close();
    await project.write('commands/hello.ts', answering('changed'));
    expect(await reload('commands/hello.ts')).toMatchObject({
      outcome: 'failed',
      problems: [{ code: expect.stringMatching(/^E_/) }],
    });
  }, 30_000);

  it('answers each of several reloads, in their order', async () => {
    await start();
    await project.write('commands/other.ts', answering('one'));
    const first = reload('commands/other.ts');
    const second = reload('README.md');
    const third = reload('package.json');
    expect((await Promise.all([first, second, third])).map(({ outcome }) => outcome)).toEqual([
      'swapped',
      'unchanged',
      'unsupported',
    ]);
  });
});
