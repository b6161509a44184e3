import { describe, expect, it } from 'vitest';
import { runCli, type Files } from './run-cli.js';
import type { TestIoOptions } from './test-io.js';
import { answering } from './test-project.js';

async function list(
  files: Files,
  argv: readonly string[] = [],
  options: Partial<TestIoOptions> = {},
) {
  const { root: _, ...result } = await runCli(files, ['check', '--routes', ...argv], options);
  return result;
}

const BOT: Files = {
  'commands/_middleware.ts': 'export default (ctx, next) => next();',
  'commands/_error.ts': 'export default () => undefined;',
  'commands/hello.ts': answering('hello'),
  'commands/admin/_middleware.ts': 'export default (ctx, next) => next();',
  'commands/admin/ban.ts': `
    import { defineCommand, option } from 'virgule';
    import * as z from 'zod';
    export default defineCommand({
      description: 'Ban someone',
      options: z.object({ who: option.user(), days: z.int().default(7), why: z.string().optional() }),
      defer: 'now',
      timeout: '30s',
      silent: true,
      run: () => null,
    });`,
  'events/message-create/log.ts': 'export default () => {};',
  'events/ready.ts': 'export default () => {};',
  'services.ts': 'export default () => ({});',
};

const TASKS: Files = {
  'tasks/mail/purge.ts': `
    export default {
      cron: '0 9 * * 1-5',
      timeZone: 'Europe/Berlin',
      timeout: '1m',
      run() {},
    };`,
  'tasks/remind.ts': 'export default { run() {} };',
};

describe('virgule check --routes', () => {
  it('prints a command that only messages run with the prefix of the configuration', async () => {
    const { out } = await list({
      'commands/me.ts': "export default { description: 'M', messages: 'only', run: () => 'me' };",
      'virgule.config.ts': `export default { messages: { prefix: '?' } };`,
    });
    expect(out).toMatch(/^ {2}\?me +commands\/me\.ts +messages only$/m);
  });

  it('prints name, usage, file, middleware chain and settings of each command', async () => {
    expect(await list(BOT)).toEqual({
      code: 0,
      err: '',
      out: [
        '',
        '  command                           file                   middleware                             settings',
        '  /admin-ban <who> [days=7] [why…]  commands/admin/ban.ts  _middleware.ts > admin/_middleware.ts  defer now, timeout 30s, silent',
        '  /hello                            commands/hello.ts      _middleware.ts',
        '',
        '  event           file                          intent',
        '  MESSAGE_CREATE  events/message-create/log.ts  SERVER_MESSAGES',
        '  ready           events/ready.ts',
        '',
        '  2 commands, 2 event handlers, services in services.ts',
        '',
        '✓ No problems: 2 commands, 2 event handlers.',
        '',
      ].join('\n'),
    });
  });

  it('prints the same as data, with what the text has no room for', async () => {
    const { code, out } = await list(BOT, ['--json']);
    expect(code).toBe(0);
    const { routes: printed, ...checked } = JSON.parse(out) as {
      readonly routes: { readonly commands: readonly unknown[] };
    };
    expect(checked).toEqual({ v: 1, errors: 0, warnings: 0, findings: [] });
    expect(printed).toMatchObject({
      events: [
        {
          event: 'MESSAGE_CREATE',
          file: 'events/message-create/log.ts',
          intent: 'SERVER_MESSAGES',
        },
        { event: 'ready', file: 'events/ready.ts', intent: null },
      ],
      intents: ['SERVER_MESSAGES', 'APPLICATION_COMMANDS'],
      services: 'services.ts',
      config: null,
    });
    expect(printed.commands[0]).toEqual({
      name: 'admin-ban',
      aliases: [],
      usage: '/admin-ban <who> [days=7] [why…]',
      description: 'Ban someone',
      options: [
        { name: 'who', description: 'User', type: 'user', required: true },
        { name: 'days', description: 'Whole number (default 7)', type: 'integer', required: false },
        { name: 'why', description: 'Text', type: 'string', required: false },
      ],
      file: 'commands/admin/ban.ts',
      middleware: ['commands/_middleware.ts', 'commands/admin/_middleware.ts'],
      errorHandlers: ['commands/_error.ts'],
      settings: { defer: 'now', timeout: '30s', silent: true },
      deferAfterMs: 0,
      timeoutMs: 30_000,
    });
    expect(printed.commands[1]).toMatchObject({ settings: {}, deferAfterMs: 1_500 });
  });

  it('prints tasks with their settings, and counts them', async () => {
    const { out } = await list(TASKS);
    expect(out).toBe(
      [
        '',
        '  task        file                 settings',
        '  mail-purge  tasks/mail/purge.ts  cron 0 9 * * 1-5, timeZone Europe/Berlin, timeout 1m',
        '  remind      tasks/remind.ts',
        '',
        '  0 commands, 0 event handlers, 2 tasks',
        '',
        '✓ No problems: 0 commands, 0 event handlers, 2 tasks.',
        '',
      ].join('\n'),
    );
    const { tasks } = JSON.parse((await list(TASKS, ['--json'])).out).routes;
    expect(tasks).toEqual([
      {
        name: 'mail-purge',
        file: 'tasks/mail/purge.ts',
        settings: { cron: '0 9 * * 1-5', timeZone: 'Europe/Berlin', timeout: '1m' },
        timeoutMs: 60_000,
      },
      { name: 'remind', file: 'tasks/remind.ts', settings: {}, timeoutMs: 900_000 },
    ]);
  });

  it.each([40, 60, 80, 100, 120, 160, 200])(
    'keeps to %i columns, and leaves nothing out',
    async (columns) => {
      const { out } = await list(BOT, [], { columns });
      const [tables = ''] = out.split('✓');
      for (const line of tables.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      for (const text of ['commands/admin/ban.ts', 'timeout 30s', 'SERVER_MESSAGES', 'silent']) {
        expect(out).toContain(text);
      }
    },
  );

  it('puts the columns below each other where they do not fit next to each other', async () => {
    const { out } = await list(BOT, [], { columns: 60 });
    expect(out).toContain(
      [
        '  /admin-ban <who> [days=7] [why…]',
        '    file        commands/admin/ban.ts',
        '    middleware  _middleware.ts > admin/_middleware.ts',
        '    settings    defer now, timeout 30s, silent',
        '  /hello',
        '    file        commands/hello.ts',
      ].join('\n'),
    );
  });

  it('uses colors only where allowed', async () => {
    expect((await list(BOT, [], { color: false })).out).not.toContain('\u001B');
    expect((await list(BOT, [], { color: true })).out).toContain('\u001B[1m/hello');
  });

  it('lists the valid commands, and reports what is missing', async () => {
    const files = { ...BOT, 'commands/broken.ts': 'export const x = 1;', 'events/nope.ts': '' };
    const { code, out } = await list(files);
    expect(code).toBe(1);
    expect(out).toContain('/hello');
    const [tables = '', problems = ''] = out.split(/(?=Error \[)/);
    expect(tables).not.toContain('broken');
    expect(problems).toContain('commands/broken.ts');
  });

  it('has no tables for a bot without commands and events', async () => {
    const { code, out } = await list({ 'commands/_lib.ts': '' });
    expect(code).toBe(0);
    expect(out).toMatch(/^\n {2}0 commands, 0 event handlers\n\nWarning \[E_NO_COMMANDS\]/);
  });
});
