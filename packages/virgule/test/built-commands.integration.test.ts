import { join } from 'node:path';
import { symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startSimulator } from '@virgule/simulator';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildApart, envOf, startBuilt } from './built-bot.js';

const PACKAGES = fileURLToPath(new URL('../../runtime/node_modules', import.meta.url));

const EVENT = {
  id: '5-0',
  at: '2026-01-01T00:00:00.000Z',
  event: { t: 'APPLICATION_COMMAND', d: { rawInput: '/boom' } },
  deliveries: 3,
};

const COMMAND = `export default { description: 'x', run: () => 'x' };`;

const FILES = {
  'commands/hello.ts': COMMAND,
  'tasks/remind.ts': `
    import * as z from 'zod';
    // It would keep the process alive.
    setInterval(() => {}, 1_000);
    export default { payload: z.object({ text: z.string() }), run() {} };`,
};

const SCALED = {
  'commands/hello.ts': COMMAND,
  'virgule.config.ts': `
    import { sqlite } from 'virgule';
    const deadEvents = async () => [${JSON.stringify(EVENT)}];
    export default {
      storage: sqlite(),
      scale: { open: async ({ applicationId }) => ({ deadEvents, close: async () => {}, applicationId }) },
    };`,
};

describe('a built bot in a folder that holds only dist/', () => {
  let built: Awaited<ReturnType<typeof buildApart>>;
  beforeAll(async () => {
    built = await buildApart(FILES);
    // Node.js 20 has no SQLite: the bot needs the package.
    await symlink(PACKAGES, join(built.folder, 'node_modules'));
  });
  afterAll(() => built.remove());

  const run = async (...argv: string[]): Promise<[number | null, string]> => {
    const { ended, output } = startBuilt(built.folder, {}, argv);
    return [await ended, output()];
  };

  it('reads and changes its storage, without a token', async () => {
    expect(await run('storage', 'set', 'points', '{"ada": 3}', '--ttl', '1d')).toEqual([0, '']);
    expect(await run('storage', 'get', 'points', '--json')).toEqual([
      0,
      '{"key":"points","value":{"ada":3}}\n',
    ]);
    expect(await run('storage', 'get', 'none')).toEqual([1, 'There is no entry none.\n']);
    // More than a pipe takes at once.
    const lines = Array.from({ length: 3_000 }, (_, index) =>
      JSON.stringify({ key: `k${String(index).padStart(4, '0')}`, value: 'x'.repeat(60) }),
    );
    const text = `${lines.join('\n')}\n`;
    await writeFile(join(built.folder, 'in.jsonl'), text);
    expect(await run('storage', 'import', 'in.jsonl')).toEqual([0, 'Imported 3000 entries.\n']);
    expect(await run('storage', 'export', 'k')).toEqual([0, text]);
    // As `| head -1` does.
    const { child, ended, output } = startBuilt(built.folder, {}, ['storage', 'export', 'k']);
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await ended).toBe(1);
    expect(output()).not.toContain('EPIPE');
  });

  it('lists and adds runs of tasks', async () => {
    const [code, id] = await run('task', 'run', 'remind', '{"text": "tea"}');
    expect(code).toBe(0);
    expect((await run('task', 'list'))[1]).toContain(`${id.trim()}  {"text":"tea"}`);
    const [refused, error] = await run('task', 'run', 'remind', '{"text": 1}');
    expect([refused, error]).toEqual([1, expect.stringContaining('[E_TASK_CALL]')]);
  });

  it('says what a command takes', async () => {
    const [code, error] = await run('storage');
    expect(code).toBe(1);
    expect(error).toContain('[E_ARGUMENTS] `node dist/bot.mjs storage` needs `list [PREFIX]`');
    expect(error).toContain('Run `node dist/bot.mjs --help`');
    expect(await run('failed', 'list')).toEqual([0, 'Nothing has failed.\n']);
  });

  it('lists the events that were set aside, if it is one of several processes', async () => {
    const scaled = await buildApart(SCALED);
    const platform = await startSimulator({ pageDir: null });
    onTestFinished(async () => {
      await scaled.remove();
      await platform.close();
    });
    await symlink(PACKAGES, join(scaled.folder, 'node_modules'));
    const { ended, output } = startBuilt(scaled.folder, envOf(platform), ['failed', 'list']);
    const line = `5-0  ${EVENT.at}  /boom  delivered 3 times, and never ended\n`;
    expect([await ended, output()]).toEqual([0, line]);
  });
});
