import { describe, expect, it } from 'vitest';
import { runCli, type Files } from './run-cli.js';
import { answering } from './test-project.js';

/** Runs `virgule run` without the folder of the project in the result. */
async function runLine(files: Files, ...argv: string[]) {
  const { root: _, ...result } = await runCli(files, ['run', ...argv]);
  return result;
}

describe('virgule run', () => {
  it('prints the answer', async () => {
    expect(await runLine({ 'commands/hello.ts': answering('Hello!') }, '/hello')).toEqual({
      code: 0,
      out: 'Hello!\n',
      err: '',
    });
  });

  it('takes a line without its slash', async () => {
    expect((await runLine({ 'commands/hello.ts': answering('Hello!') }, 'hello')).out).toBe(
      'Hello!\n',
    );
  });

  it('takes a line that ends with the name of a text file', async () => {
    const files = {
      'commands/note.ts': `import { defineCommand } from 'virgule';
        import * as z from 'zod';
        export default defineCommand({
          description: 'N', messages: true, options: z.object({ text: z.string() }),
          run: ({ options }) => options.text,
        });`,
    };
    for (const line of ['/note read a.txt', 'note read a.txt', '!note read a.txt', '!note a.txt'])
      expect(await runLine(files, line)).toMatchObject({ code: 0, err: '' });
    const { code, err } = await runLine(files, '/none.txt');
    expect([code, err]).toEqual([1, expect.stringContaining('E_COMMAND_UNKNOWN')]);
  });

  it('sends a line with the prefix of messages as a message', async () => {
    const files = {
      'commands/me.ts': `export default {
        description: 'Test', messages: 'only', run: ({ author }) => 'Hello ' + author.username };`,
      'virgule.config.ts': `export default { messages: { prefix: 'bot, ' } };`,
    };
    expect(await runLine(files, 'bot, me')).toEqual({ code: 0, out: 'Hello ada\n', err: '' });
    const { out } = await runLine(files, 'bot, me', '--json');
    const facts = { text: 'Hello ada', result: 'ok', state: 'answered', error: null };
    expect(JSON.parse(out)).toMatchObject(facts);
    const silent = { code: 1, out: '', err: 'The bot shows no message.\n' };
    expect(await runLine(files, 'bot,  me')).toEqual(silent);
    const unknown = await runLine(files, 'bot, you');
    expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('E_COMMAND_UNKNOWN')]);
  });

  it('resolves a mention, and fails if the handler of the event fails', async () => {
    const files = {
      'events/message-create.ts': `export default async ({ data, me, reply }) => {
        if (data.content === me + ' fail') throw new Error('on purpose');
        await reply(data.content.replace(String(me), 'I heard'));
      };`,
    };
    expect(await runLine(files, '@Demo Bot hello')).toMatchObject({
      code: 0,
      out: 'I heard hello\n',
    });
    const why = expect.stringContaining('on purpose');
    expect(await runLine(files, '@Demo Bot fail')).toMatchObject({ code: 1, out: '', err: why });
    const answered = { ...files, 'events/_error.ts': `export default () => 'Sorry.';` };
    const { code, out } = await runLine(answered, '@Demo Bot fail', '--json');
    const error = { name: 'Error', code: null, message: 'on purpose' };
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ text: 'Sorry.', result: 'failed', error });
  });

  it('passes options, through helpers in other folders', async () => {
    const files = {
      'lib/shout.ts': 'export const shout = (text: string): string => text.toUpperCase();',
      'commands/say.ts': `
        import { defineCommand } from 'virgule';
        import * as z from 'zod';
        import { shout } from '../lib/shout.js';
        export default defineCommand({
          description: 'Say it',
          options: z.object({ text: z.string() }),
          run: ({ options }) => shout(options.text),
        });`,
    };
    expect((await runLine(files, '/say "good day"')).out).toBe('GOOD DAY\n');
  });

  it('prints warnings about the files as well', async () => {
    const ran = await runLine(
      {
        'commands/roll.ts': `
          import { defineCommand } from 'virgule';
          import { z } from 'zod';
          export default defineCommand({ description: 'R', options: z.object({}), run: () => 'six' });`,
      },
      '/roll',
    );
    expect(ran).toMatchObject({ code: 0, out: 'six\n' });
    expect(ran.err).toMatch(
      /commands\/roll\.ts imports z .*\n +Try: +Write: import \* as z from 'zod'\.\n/,
    );
  });

  it('prints the answer and what followed as one JSON object', async () => {
    const files = {
      'commands/two.ts': `
        import { defineCommand } from 'virgule';
        export default defineCommand({
          description: 'Two',
          async run({ reply }) { await reply('one'); await reply('two'); },
        });`,
    };
    const { code, out } = await runLine(files, '/two', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      v: 1,
      line: '/two',
      text: 'one',
      replies: ['one', 'two'],
      state: 'answered',
      files: [],
      result: 'ok',
      error: null,
    });
  });

  it('shows the files of an answer', async () => {
    const files = {
      'notes.txt': 'twelve bytes',
      'commands/report.ts': `export default { description: 'R', run: ({ reply }) =>
        reply({ content: 'The report:', files: ['notes.txt'] }).then(() => null) };`,
    };
    expect(await runLine(files, '/report')).toMatchObject({
      code: 0,
      out: 'The report:\nFile notes.txt, 12 bytes\n',
    });
    const { out } = await runLine(files, '/report', '--json');
    expect(JSON.parse(out)).toMatchObject({ files: [{ name: 'notes.txt', size: 12 }] });
  });

  const FAILING = {
    'commands/broken.ts': `export default { description: 'B', run: () => { throw new TypeError('no url'); } };`,
    'commands/told.ts': `import { UserError } from 'virgule';
      export default { description: 'T', run: () => { throw new UserError('There is none.'); } };`,
    'commands/strange.ts': `export default { description: 'S', run: () => { throw 'a text'; } };`,
    'commands/late.ts': `export default { description: 'L', timeout: '50ms', run: () => new Promise(() => {}) };`,
    'commands/roll.ts': `import { defineCommand } from 'virgule';
      import * as z from 'zod';
      export default defineCommand({
        description: 'R', options: z.object({ sides: z.int() }), run: () => 'rolled',
      });`,
  };
  it.each([
    ['throws', '/broken', 1, 'failed', { name: 'TypeError', code: null, message: 'no url' }],
    ['throws a text', '/strange', 1, 'failed', { name: null, code: null, message: "'a text'" }],
    ['takes too long', '/late', 1, 'timed-out', { code: 'E_COMMAND_TIMEOUT' }],
    ['is typed wrong', '/roll many', 1, 'input', null],
    ['refuses with words of its own', '/told', 0, 'user-error', null],
  ])(
    'says in its exit code and in JSON that a command %s',
    async (_, line, code, result, error) => {
      expect((await runLine(FAILING, line)).code).toBe(code);
      const run = await runLine(FAILING, line, '--json');
      expect(run.code).toBe(code);
      expect(JSON.parse(run.out)).toMatchObject({ state: 'answered', result, error });
    },
  );

  it('prints nothing for a command that chose silence', async () => {
    const files = {
      'commands/quiet.ts': `export default { description: 'Quiet', run: () => null };`,
    };
    expect(await runLine(files, '/quiet', '--json')).toMatchObject({ code: 0 });
    expect(await runLine(files, '/quiet')).toMatchObject({ code: 0, out: '' });
  });

  it('ends with 1 when a command is never answered', async () => {
    const files = {
      'virgule.config.ts': 'export default { profile: { answerWindowMs: 50 } };',
      'commands/mute.ts': `export default { description: 'M', defer: 'never', run: () => new Promise(() => {}) };`,
    };
    const { code, out, err } = await runLine(files, '/mute');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain('[E_NO_ANSWER] /mute was not answered.');
  });

  it('prints the cause of an error in the handler, with the line', async () => {
    const files = {
      'commands/broken.ts': `export default {
  description: 'Broken',
  run: () => {
    throw new TypeError('no url');
  },
};`,
    };
    const { out, err } = await runLine(files, '/broken');
    expect(out).toContain('Something went wrong. TypeError: no url');
    expect(err).toContain('commands/broken.ts:4');
  });

  const HELLO = {
    'commands/hello.ts': answering('Hello!'),
    'commands/admin/ban.ts': answering('Banned.'),
    'services.ts': `export default () => ({ db: 1 });`,
  };
  const BROKEN = 'export default {;';

  it.each([
    ['commands/other.ts', '/hello'],
    ['commands/admin/_middleware.ts', '/hello'],
    ['tasks/clean.ts', '/admin-ban'],
  ])('runs a line although %s is broken', async (file, line) => {
    const { code, out, err } = await runLine({ ...HELLO, [file]: BROKEN }, line);
    expect(out).toMatch(/^(?:Hello!|Banned\.)\n$/);
    expect(err).toContain(`Error [E_SYNTAX] ${file}:1:17`);
    expect(err).toContain(`1 problem in other files. ${line} runs without them.`);
    expect(code).toBe(0);
  });

  it.each([
    ['commands/hello.ts', '/hello'],
    ['commands/admin/_middleware.ts', '/admin-ban'],
    ['services.ts', '/hello'],
    ['virgule.config.ts', '/hello'],
  ])('runs nothing if %s is broken, which %s needs', async (file, line) => {
    const { code, out, err } = await runLine({ ...HELLO, [file]: BROKEN }, line);
    expect(out).toBe('');
    expect(err).toContain(`Error [E_SYNTAX] ${file}:1:17`);
    expect(err).not.toContain('runs without');
    expect(code).toBe(1);
  });

  it('runs nothing if the name of a file is wrong: it may be that of a guard', async () => {
    const guard = `export default () => 'No.';`;
    const { code, out, err } = await runLine(
      { ...HELLO, 'commands/admin/_midleware.ts': guard },
      '/admin-ban',
    );
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('E_FILE_NAME');
  });

  it('runs nothing if a variable of the environment is missing', async () => {
    const config = `import * as z from 'zod'; export default { env: z.object({ CHANNEL: z.string() }) };`;
    const files = { ...HELLO, 'virgule.config.ts': config, 'commands/other.ts': BROKEN };
    const { code, out, err } = await runLine(files, '/hello');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('E_ENV_INVALID');
    expect(err).toContain('2 problems. Nothing was started.');
  });
});
