import { createRedactor } from '@virgule/core/log';
import { join } from 'node:path';
import type { Log } from '@virgule/core/log';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { answering, createTestProject } from '../../../test/test-project.js';
import { until } from '../../../test/until.js';
import { startDevBot, type DevBotOptions } from './dev-bot.js';
import type { FromChild } from '../ipc.js';

/** A platform, a project, and what the bot says and logs. */
async function open(files: Readonly<Record<string, string>>) {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  const project = await createTestProject({ 'commands/hello.ts': answering('hello'), ...files });
  onTestFinished(() => project[Symbol.asyncDispose]());
  const sent: FromChild[] = [];
  const logged: string[] = [];
  const at = (level: string) => (_: object, message: string) => {
    logged.push(`${level}: ${message}`);
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return {
    platform,
    project,
    logged,
    /** Messages of the child, except `loading`. */
    reported: () => sent.filter(({ type }) => type !== 'loading'),
    async start(options: Partial<DevBotOptions> = {}) {
      const bot = await startDevBot({
        root: project.root,
        live: false,
        env: {},
        redact: createRedactor(),
        token: platform.token,
        baseUrl: platform.baseUrl,
        log,
        send: (message) => sent.push(message),
        ...options,
      });
      onTestFinished(() => bot?.close());
      return bot;
    },
  };
}

describe('startDevBot, where the bot cannot run', () => {
  it.each([
    ['settings that cannot be read', { 'virgule.config.ts': 'export default {' }, 'E_SYNTAX'],
    [
      'an environment that lacks something',
      {
        'virgule.config.ts': `import * as z from 'zod';
          export default { env: z.object({ KEY: z.string() }) };`,
      },
      'E_ENV_INVALID',
    ],
    ['services that are no function', { 'services.ts': 'export default 1;' }, 'E_SERVICES_INVALID'],
    [
      'services that fail',
      { 'services.ts': `export default () => {\n  throw new Error('no database');\n};` },
      'E_SERVICES_FAILED',
    ],
  ])('refuses %s, and reports it with the other problems', async (_, files, code) => {
    const { start, reported } = await open({ ...files, 'commands/bad.ts': 'export {};' });
    expect(await start()).toBeNull();
    expect(reported()).toEqual([{ type: 'refused', problems: expect.any(Array) }]);
    const [said] = reported();
    const codes = said?.type === 'refused' ? said.problems.map((problem) => problem.code) : [];
    expect(codes.toSorted()).toEqual([code, 'E_NO_HANDLER'].toSorted());
  });

  it('creates no services, and reports the reason, when the platform refuses the token', async () => {
    const services = `export default () => {\n  throw new Error('created');\n};`;
    const { start, reported } = await open({ 'services.ts': services });
    await expect(start({ token: 'wrong' })).rejects.toMatchObject({ code: 'E_UNAUTHORIZED' });
    expect(reported()).toEqual([]);
  });
});

describe('startDevBot, when the platform is gone', () => {
  it('logs that no plan could be made, and keeps taking changes', async () => {
    const { platform, project, start, reported, logged } = await open({});
    const bot = await start({ live: true, syncTimeoutMs: 20 });
    await platform.close();
    bot?.receive({ type: 'reload', number: 0, files: [] });
    await until(() => expect(logged).toContain('warn: cannot read the registered commands'));
    await project.write('commands/hello.ts', answering('again'));
    const files = [join(project.root, 'commands/hello.ts')];
    bot?.receive({ type: 'reload', number: 1, files });
    await until(() =>
      expect(reported().at(-1)).toMatchObject({
        type: 'reply',
        number: 1,
        value: { isNew: true, problems: [] },
      }),
    );
  });
});

describe('startDevBot, as the next process', () => {
  it('logs an unhandled rejection', async () => {
    const { start, logged } = await open({});
    const bot = await start();
    bot?.unhandledRejection(new Error('nobody waited'));
    expect(logged.filter((line) => line.startsWith('error: '))).toHaveLength(1);
  });
});
