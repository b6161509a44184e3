import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

// A process of its own runs what is built.
const ENTRY = new URL('../../dist/process/process-io.js', import.meta.url);

/** Starts a process that has `io`, with pipes for its terminal. */
function start(
  script: string,
  env: Readonly<Record<string, string>> = {},
  stdout: number | 'pipe' = 'pipe',
) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { createProcessIo } from ${JSON.stringify(ENTRY.href)};
       const io = createProcessIo();
       ${script}`,
    ],
    { env: { ...env }, stdio: ['pipe', stdout, 'pipe'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout?.on('data', (chunk) => (out += String(chunk)));
  child.stderr?.on('data', (chunk) => (err += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]: unknown[]) => ({
    code: code ?? signal,
    out,
    err,
  }));
  const said = (text: string) =>
    vi.waitFor(() => expect(out).toContain(text), { timeout: 60_000, interval: 10 });
  return { child, ended, said };
}

const ALIVE = 'setInterval(() => {}, 1_000);';

describe('createProcessIo', () => {
  it('writes where the process writes, and knows its folder and environment', async () => {
    const { ended } = start(
      `io.stdout.write('out ' + (io.cwd === process.cwd()) + ' ' + io.env.OWN); io.stderr.write('err');`,
      { OWN: 'mine' },
    );
    expect(await ended).toEqual({ code: 0, out: 'out true mine', err: 'err' });
  });

  it.each([
    [false, 50, null],
    [true, 50, 50],
    [true, 200, 200],
    [true, 20, 40],
    [true, 0, 80],
    [true, undefined, 80],
  ])('has, with a terminal: %s, of %s columns, room for %s', async (isTTY, columns, room) => {
    const { ended } = start(`
      Object.assign(process.stdout, ${JSON.stringify({ isTTY, columns })});
      // Without an end it is null in JSON.
      process.stdout.write(JSON.stringify([createProcessIo().columns, io.nodeVersion]));`);
    expect(JSON.parse((await ended).out)).toEqual([room, process.versions.node]);
  });

  it('asks nothing and hangs on no terminal when there is none', async () => {
    const { ended } = start(`io.stdout.write(JSON.stringify([io.interactive, io.terminal]));`);
    expect((await ended).out).toBe('[false,false]');
  });

  it.each([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: '' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('decides about colors for pipes with %j: %s', async (env, color) => {
    const { ended } = start(`io.stdout.write(String(io.color));`, env);
    expect((await ended).out).toBe(String(color));
  });

  it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])('reports %s and keeps running', async (signal) => {
    const { child, ended, said } = start(
      `${ALIVE} io.interrupt.addEventListener('abort', () => { console.log('told ' + io.interrupt.reason); process.exit(0); });
       console.log('up');`,
    );
    await said('up');
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, out: `up\ntold ${signal}\n` });
  });

  it('ends at once at the second signal', async () => {
    const { child, ended, said } = start(
      `${ALIVE} io.interrupt.addEventListener('abort', () => console.log('told')); console.log('up');`,
    );
    await said('up');
    child.kill('SIGINT');
    await said('told');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(130);
  });

  it('ends like at a signal when the disk of its output is full', async () => {
    const full = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(full));
    const { ended } = start(
      `${ALIVE} io.interrupt.addEventListener('abort', () => { io.stderr.write('told ' + io.interrupt.reason + '. '); setTimeout(() => process.exit(), 10); });
       io.stdout.write('one'); io.stdout.write('two');`,
      {},
      full,
    );
    expect(await ended).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/^told SIGPIPE\. The output cannot be written: ENOSPC.*\n$/),
    });
  });

  it('exits cleanly when the reader of its output is gone', async () => {
    const { child, ended, said } = start(
      `io.interrupt.addEventListener('abort', () => { io.stderr.write('told ' + io.interrupt.reason); process.exit(0); });
       setInterval(() => io.stdout.write('line\\n'), 10);`,
    );
    await said('line');
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, err: 'told SIGPIPE' });
  });

  describe('ask', () => {
    const ASKING = `console.log(JSON.stringify(await io.ask('Sure? ')));`;

    it('returns the line that was typed', async () => {
      const { child, ended, said } = start(ASKING);
      await said('Sure? ');
      child.stdin?.write(' yes \n');
      expect(await ended).toMatchObject({ code: 0, out: 'Sure? " yes "\n' });
    });

    it('returns an empty line when there is no more input', async () => {
      const { child, ended, said } = start(ASKING);
      await said('Sure? ');
      child.stdin?.end();
      expect(await ended).toMatchObject({ code: 0, out: 'Sure? ""\n', err: '' });
    });

    it('returns an empty line at a signal', async () => {
      const { child, ended, said } = start(ASKING);
      await said('Sure? ');
      child.kill('SIGINT');
      expect(await ended).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Sure\? \s*""\n$/),
        err: '',
      });
    });

    it('asks again afterwards', async () => {
      const { child, ended, said } = start(
        `${ASKING} console.log(JSON.stringify(await io.ask('Really? ')));`,
      );
      await said('Sure? ');
      child.stdin?.write('one\n');
      await said('Really? ');
      child.stdin?.write('two\n');
      expect((await ended).out).toBe('Sure? "one"\nReally? "two"\n');
    });
  });
});
