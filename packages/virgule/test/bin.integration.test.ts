import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestProject } from './test-project.js';

const BIN = fileURLToPath(new URL('../bin/virgule.mjs', import.meta.url));

const SLOW = { timeout: 60_000, interval: 10 };

/** Starts the built program in a folder with these files. */
async function start(files: Readonly<Record<string, string>>, argv: string[], folder = '.') {
  const project = await createTestProject(files);
  const child = spawn(process.execPath, [BIN, ...argv], {
    cwd: join(project.root, folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await project[Symbol.asyncDispose]();
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  child.stderr.on('data', (chunk) => (err += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code ?? signal,
    out,
    err,
  }));
  const said = (text: string | RegExp): Promise<RegExpExecArray> =>
    vi.waitFor(() => {
      const found = new RegExp(text).exec(out);
      if (!found) throw new Error(`not said yet: ${String(text)} in ${out}${err}`);
      return found;
    }, SLOW);
  return { project, child, ended, said };
}

/** Waits until a process is gone. */
const gone = (pid: number) =>
  vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), SLOW);

const GREETS = `console.log('greeting ' + process.env.GREETING + '.');
  export default { description: 'A', run: () => 'a' };`;
const PID = `console.log('pid ' + process.pid + '.');`;

describe('the program', () => {
  it('names the version of Node.js that it requires', () => {
    const versions = `Object.defineProperty(process, 'versions', { value: { node: '18.20.8' } });`;
    const argv = ['--import', `data:text/javascript,${versions}`, BIN, 'check'];
    expect(spawnSync(process.execPath, argv, { encoding: 'utf8' })).toMatchObject({
      status: 78,
      stdout: '',
      stderr: 'virgule requires Node.js 20.19 or newer; this is 18.20.8.\n',
    });
  });

  it('ends although code of the project left a timer behind', async () => {
    const { project, ended } = await start(
      {
        'commands/a.ts': `setInterval(() => {}, 1_000); export default { description: 'A', run: () => 'a' };`,
      },
      ['build'],
    );
    expect(await ended).toMatchObject({ code: 0, out: expect.stringContaining('dist/bot.mjs') });
    await access(join(project.root, 'dist', 'bot.mjs'));
  });

  it('writes everything before it ends', async () => {
    const text = 'x'.repeat(1_900);
    const { ended } = await start(
      {
        'commands/long.ts': `export default { description: 'L', async run({ reply }) {
          for (let i = 0; i < 200; i += 1) await reply(${JSON.stringify(text)});
        } };`,
      },
      ['run', '/long'],
    );
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toHaveLength(200 * (text.length + 1));
  });

  it.each([
    ['check', 'SIGINT'],
    ['check', 'SIGTERM'],
    ['run /hi', 'SIGINT'],
    ['fuzz', 'SIGINT'],
    ['doctor', 'SIGINT'],
  ] as const)('%s ends at %s although code of the project never yields', async (line, signal) => {
    const { child, ended, said } = await start(
      {
        'commands/loop.ts': `import { writeSync } from 'node:fs';
          await 0; writeSync(1, 'circling'); for (;;);`,
        'commands/hi.ts': `export default { description: 'Hi', run: () => 'hi' };`,
      },
      line.split(' '),
    );
    await said('circling');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: signal });
  });

  it.each([
    [
      `void (async () => { await clock.sleep('10m'); await here.send('now'); })();`,
      0,
      'a handler started work that had not ended, such as a reminder',
    ],
    [
      `void storage.set('a', new Date()); await clock.sleep('100ms');`,
      1,
      'unhandled rejection in commands/x.ts (is an await missing?): The value of a cannot be stored',
    ],
    [
      `void channel('7c0f9c1e-0000-5000-8000-000000000000').send('hi');`,
      0,
      'a message of /x was not sent, and its handler did not wait for it: POST /channels',
    ],
  ])('answers, and reports work that nothing waits for: %s', async (work, exit, report) => {
    const run = `async run({ clock, here, storage, channel }) { ${work} return 'answered'; }`;
    const files = { 'commands/x.ts': `export default { description: 'X', ${run} };` };
    const { ended } = await start(files, ['run', '/x']);
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: exit, out: 'answered\n' });
    expect(err).toContain(report);
  });

  it('ends with 1 and one clear error', async () => {
    const { ended } = await start({}, ['nope']);
    const { code, out, err } = await ended;
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^Error \[E_ARGUMENTS\]/);
  });

  it('names the line that imports an unknown entry of virgule', async () => {
    const { ended } = await start({ 'commands/x.ts': `import 'virgule/missing';` }, ['check']);
    const { code, out } = await ended;
    expect(code).toBe(1);
    expect(out).toMatch(/^Error \[E_MODULE_NOT_FOUND\] commands\/x\.ts:1:8 imports/);
  });
});

describe('virgule dev', () => {
  it('speaks to people, in a folder with spaces and letters of any kind, and prints no token', async () => {
    const folder = 'my bots/Größe 机器人 #1';
    const { project, child, ended, said } = await start(
      {
        [`${folder}/.env`]: 'GREETING=hello',
        [`${folder}/commands/hello.ts`]: GREETS,
      },
      ['dev', '--port', '0'],
      folder,
    );
    await said('Playground  http://127.0.0.1:');
    await said('Bot         Demo Bot, 1 command, 0 event handlers');
    await said('greeting hello.');
    await project.write(`${folder}/commands/hello.ts`, GREETS.replace(`'a'`, `'another'`));
    await said(/↻ commands[\\/]hello\.ts {2}\d+ ms\n/);
    await project.write(`${folder}/.env`, 'GREETING=good morning');
    await said('greeting good morning.');
    await said(/restarted \(\.env is read only at startup/);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).not.toMatch(/token|sim-bot|sim-user/i);
  });

  it('exits at Ctrl+C while a module never finishes loading, and leaves no process', async () => {
    const { child, ended, said } = await start(
      { 'commands/a.ts': `${PID} await new Promise(() => {});` },
      ['dev', '--port', '0'],
    );
    const [, pid] = await said(/pid (\d+)\./);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, err: '' });
    await gone(Number(pid));
  });

  it('leaves no process at the second Ctrl+C, not even one whose code runs in circles', async () => {
    const { child, ended, said } = await start(
      {
        'commands/a.ts': `${PID} process.on('SIGUSR2', () => { console.log('circling'); for (;;); });
          export default { description: 'A', run: () => 'a' };`,
      },
      ['dev', '--port', '0'],
    );
    const [, pid] = await said(/pid (\d+)\./);
    await said('Playground');
    process.kill(Number(pid), 'SIGUSR2');
    await said('circling');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(130);
    await gone(Number(pid));
  });

  it('exits when the reader of its output is gone, and leaves no process', async () => {
    const { child, said } = await start(
      {
        'commands/a.ts': `${PID} setInterval(() => console.log('still here'), 10);
          export default { description: 'A', run: () => 'a' };`,
      },
      ['dev', '--port', '0'],
    );
    const [, pid] = await said(/pid (\d+)\./);
    await said('Playground');
    const exited = once(child, 'exit');
    child.stdout.destroy();
    expect(await exited).toEqual([0, null]);
    await gone(Number(pid));
  });

  const LOOP = "console.log('pid ' + process.pid + '.'); for (;;);";
  const NOWHERE = {
    '.env': 'BOT_TOKEN=x\nBOT_BASE_URL=http://127.0.0.1:1\nBOT_GATEWAY_URL=ws://127.0.0.1:1\n',
  };
  it.each<[string, Record<string, string>, string[]]>([
    [
      'dev',
      { 'commands/a.ts': `${PID} export default { description: 'A', run: () => 'a' };` },
      ['dev', '--port', '0'],
    ],
    ['start', { ...NOWHERE, 'dist/bot.mjs': LOOP }, ['start']],
    ['a preview', { 'dist/bot.mjs': LOOP }, ['start', '--preview']],
  ])('leaves no process of %s when it is killed itself', async (_, files, argv) => {
    const { child, said } = await start(files, argv);
    const [, pid] = await said(/pid (\d+)\./);
    expect(() => process.kill(Number(pid), 0)).not.toThrow();
    child.kill('SIGKILL');
    await gone(Number(pid));
  });
});
