import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

const ELSEWHERE = ' With `--dev`, the command uses the data of `virgule dev`.';
const FILES = {
  'commands/a.ts': answering('a'),
  'tasks/digest.ts': `export default { every: '1h', run() {} };`,
  'tasks/remind.ts': `
    import * as z from 'zod';
    export default { payload: z.object({ text: z.string() }), run() {} };
  `,
};

async function open(files: Readonly<Record<string, string>> = FILES) {
  const project = await createTestProject(files);
  onTestFinished(() => project[Symbol.asyncDispose]());
  return async (...argv: string[]) => {
    const io = createTestIo({ cwd: project.root });
    const code = await run(argv, io);
    return { code, out: io.out, err: io.err };
  };
}

describe('virgule task', () => {
  it('runs, lists and cancels', async () => {
    const virgule = await open();
    const { out } = await virgule('task', 'run', 'remind', '{"text": "tea"}');
    const id = out.trim();
    expect(id).toMatch(/^remind:\d{16}:/);
    expect((await virgule('task', 'list')).out).toMatch(
      /^20\d\d-[-\dT:.]+Z {2}pending {4}remind:\S+ {2}\{"text":"tea"\}\n$/,
    );
    expect(JSON.parse((await virgule('task', 'list', 'remind', '--json')).out)).toEqual({
      v: 1,
      id,
      task: 'remind',
      state: 'pending',
      at: expect.any(String),
      payload: { text: 'tea' },
    });
    expect(await virgule('task', 'list', 'digest')).toEqual({
      code: 0,
      out: `No runs.${ELSEWHERE}\n`,
      err: '',
    });
    const canceled = { code: 0, out: `Canceled ${id}.\n`, err: '' };
    expect(await virgule('task', 'cancel', id)).toEqual(canceled);
    expect(await virgule('task', 'cancel', id)).toMatchObject({
      code: 1,
      err: `No run ${id} is pending. See \`virgule task list\`.${ELSEWHERE}\n`,
    });
  });

  it('cancels a run by its id as it lists it, with a redacted part', async () => {
    const virgule = await open({
      ...FILES,
      'virgule.config.ts': `import * as z from 'zod';
        export default { env: z.object({ ROOM: z.string() }) };`,
      '.env': 'ROOM=general-room',
    });
    const entry = JSON.stringify({ timing: { every: 3_600_000 }, due: 1_795_441_478_059 });
    await virgule('storage', 'set', 'tasks:repeat:digest:general-room', entry);
    await virgule('storage', 'set', 'tasks:run:digest:0001795441478059:@general-room', '{}');
    const id = 'digest:0001795441478059:@[redacted]';
    expect((await virgule('task', 'list')).out).toContain(`${id}  every 1h\n`);
    const canceled = { code: 0, out: `Canceled ${id}.\n`, err: '' };
    expect(await virgule('task', 'cancel', id)).toEqual(canceled);
    expect((await virgule('task', 'list')).out).not.toContain(id);
  });

  it('says that a schedule cannot be canceled', async () => {
    const virgule = await open();
    const entry = JSON.stringify({ timing: { every: 3_600_000 }, due: 1_795_441_478_059 });
    for (const key of ['', 'general']) {
      await virgule('storage', 'set', `tasks:repeat:digest:${key}`, entry);
      await virgule('storage', 'set', `tasks:run:digest:0001795441478059:@${key}`, '{}');
    }
    const { out } = await virgule('task', 'list');
    expect(out).toContain('scheduled  digest:0001795441478059:@  every 1h\n');
    expect(await virgule('task', 'cancel', 'digest:0001795441478059:@general')).toEqual({
      code: 0,
      out: 'Canceled digest:0001795441478059:@general.\n',
      err: '',
    });
    expect(await virgule('task', 'cancel', 'digest:0001795441478059:@')).toEqual({
      code: 1,
      out: '',
      err: 'digest:0001795441478059:@ is the next run of a schedule, which only its file changes.\n',
    });
  });

  it.each([':approval', 'deploy', 'gone'])('cancels a question of %s', async (task) => {
    const virgule = await open({
      ...FILES,
      'commands/pay.ts': `export default { description: 'Pay', tool: { asks: 'anyone' }, run() {} };`,
      'tasks/deploy.ts': `export default { waits: 'confirm', run() {} };`,
    });
    const place = { channelId: 'c', messageId: 'm' };
    const ask = { ...place, task, by: 'anyone', due: 4_000_000_000_000, at: 1 };
    const id = `${encodeURIComponent(task)}:0004000000000000:?c,m`;
    await virgule('storage', 'set', 'tasks:ask:c:m', JSON.stringify(ask));
    await virgule('storage', 'set', `tasks:run:${id}`, '{}');
    expect((await virgule('task', 'list')).out).toContain(`open       ${id}`);
    expect(await virgule('task', 'cancel', id)).toMatchObject({ code: 0 });
    expect((await virgule('task', 'list')).out).toBe(`No runs.${ELSEWHERE}\n`);
    expect(await virgule('task', 'cancel', id)).toMatchObject({ code: 1 });
    // The bot shows that the question is canceled.
    const { out } = await virgule('storage', 'list', 'tasks:run:');
    expect(out.includes('"isCanceled":true')).toBe(task !== 'gone');
  });

  it('lists a repeat whose time zone is unknown here', async () => {
    const virgule = await open();
    const timing = { cron: '0 9 * * *', timeZone: 'Mars/Base' };
    const entry = JSON.stringify({ timing, due: 1_795_441_478_059, payload: { text: 'tea' } });
    await virgule('storage', 'set', 'tasks:repeat:remind:general', entry);
    await virgule('storage', 'set', 'tasks:run:remind:0001795441478059:@general', '{}');
    expect((await virgule('task', 'list')).out).toContain(
      'scheduled  remind:0001795441478059:@general  {"text":"tea"}  cron 0 9 * * * Mars/Base\n',
    );
  });

  it('lists runs of approved calls, and of tasks without a file', async () => {
    const virgule = await open();
    const failed = JSON.stringify({ payload: {}, reason: 'no luck', at: 'x' });
    const done = JSON.stringify([{ id: 'old:0001795441478059:d', tookMs: 7 }]);
    const id = '%3Aapproval:0001795441478059:?a,b';
    await virgule('storage', 'set', `tasks:failed:${id}`, failed);
    await virgule('storage', 'set', 'tasks:failed:gone:0001795441478059:c', failed);
    await virgule('storage', 'set', 'tasks:done:old', done);
    const { out } = await virgule('task', 'list');
    expect(out.match(/(failed|done) +\S+/g)).toEqual([
      `failed     ${id}`,
      'failed     gone:0001795441478059:c',
      'done       old:0001795441478059:d',
    ]);
  });

  it.each([
    [['run', 'remnd'], 'E_TASK_CALL'],
    [['run', 'remind', '{"text": 1}'], 'E_TASK_CALL'],
    [['run', 'remind', 'tea'], 'E_ARGUMENTS'],
    [['run'], 'E_ARGUMENTS'],
    [['go', 'remind'], 'E_ARGUMENTS'],
  ])('refuses %j with %s', async (words, error) => {
    const { code, err } = await (await open())('task', ...words);
    expect([code, err]).toEqual([1, expect.stringContaining(`[${error}]`)]);
  });

  it('refuses to run a task whose file is invalid', async () => {
    const virgule = await open({
      ...FILES,
      'tasks/digest.ts': `export default { every: 'x', run() {} };`,
    });
    expect((await virgule('task', 'run', 'digest')).err).toContain('[E_SETTING]');
  });
});
