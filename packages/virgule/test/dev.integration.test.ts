import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDev, type RunningDev } from './running-dev.js';
import { answering } from './test-project.js';

const FILES = {
  'lib/words.ts': `export const greeting = 'Hello';`,
  'commands/hello.ts': `
    import { defineCommand } from 'virgule';
    import { greeting } from '../lib/words.js';
    export default defineCommand({ description: 'Greet', run: () => greeting + ', world' });`,
  'commands/pid.ts': `export default { description: 'Pid', run: () => String(process.pid) };`,
  'commands/saved.ts': answering('saved once'),
  'commands/typed.ts': answering('valid'),
};

/**
 * These run the built program: a child process cannot run the sources. They share one, which keeps its connection
 * through all of them, and each changes files of its own.
 */
describe('virgule dev', () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await startDev(FILES);
  });
  beforeEach(() => dev.forgetReports());
  afterAll(() => dev[Symbol.asyncDispose]());

  it('answers, and says where', async () => {
    expect(dev.ready).toMatchObject({ v: 1, commands: 4, events: 0 });
    expect(dev.ready['page']).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+\/$/);
    expect(await dev.say('/hello')).toMatch(/^(Hello|Good morning), world$/);
  });

  it('takes over a saved command, and a saved helper, without a reconnect', async () => {
    expect(await dev.say('/saved')).toBe('saved once');
    expect(await dev.say('/hello')).toBe('Hello, world');
    await dev.project.write('commands/saved.ts', answering('saved again'));
    await dev.reported('reload');
    expect(await dev.say('/saved')).toBe('saved again');

    await dev.project.write('lib/words.ts', `export const greeting = 'Good morning';`);
    await dev.reported('reload');
    expect(await dev.say('/hello')).toBe('Good morning, world');
    expect(await dev.identifies()).toBe(1);
  });

  it('registers commands that come, change and go', async () => {
    await dev.project.write('commands/new.ts', answering('brand new'));
    await dev.reported('reload');
    await dev.registered('hello', 'new', 'pid', 'saved', 'typed');
    expect(await dev.say('/new')).toBe('brand new');
    await dev.project.remove('commands/new.ts');
    await dev.reported('reload');
    await dev.registered('hello', 'pid', 'saved', 'typed');
  });

  it('hides the flags of the child process from the bot, whose workers may refuse these flags', async () => {
    const flags = `export default { description: 'x', run: () => JSON.stringify(process.execArgv) };`;
    await dev.project.write('commands/flags.ts', flags);
    await dev.reported('reload');
    expect(await dev.say('/flags')).toBe('[]');
    await dev.project.remove('commands/flags.ts');
    await dev.reported('reload');
  });

  it('keeps answering with the last working code while a file is broken, and shows the problem on the page', async () => {
    await dev.project.write('commands/typed.ts', 'export default {\n  run: (');
    const { problems } = (await dev.reported('problems')) as unknown as {
      problems: { code: string; where: string }[];
    };
    expect(problems).toEqual([expect.objectContaining({ code: 'E_SYNTAX' })]);
    expect(problems[0]?.where).toMatch(/^commands\/typed\.ts:2/);
    expect((await dev.get('/_sim/world')).problems).toHaveLength(1);
    expect(await dev.say('/typed')).toBe('valid');

    await dev.project.write('commands/typed.ts', answering('fixed'));
    await dev.reported('reload');
    expect(await dev.say('/typed')).toBe('fixed');
    expect((await dev.get('/_sim/world')).problems).toHaveLength(0);
  });

  it('starts a new process for what cannot be swapped, without a reconnect', async () => {
    const before = await dev.say('/pid');
    await dev.project.write(
      'package.json',
      '{ "name": "test-bot", "type": "module", "version": "2.0.0" }',
    );
    expect((await dev.reported('restart'))['reason']).toContain('package.json');
    expect(await dev.say('/pid')).not.toBe(before);
    expect(await dev.identifies()).toBe(1);
  });

  it('brings the bot back when its process is killed, and answers what came meanwhile', async () => {
    const pid = Number(await dev.say('/pid'));
    process.kill(pid, 'SIGKILL');
    expect(await dev.reported('lost')).toMatchObject({ how: 'killed by SIGKILL' });
    expect(await dev.say('/hello')).toMatch(/, world$/);
    await dev.reported('restart');
    expect(Number(await dev.say('/pid'))).not.toBe(pid);
    expect(await dev.identifies()).toBe(1);
  });
});
