import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator } from '@virgule/simulator';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestIo } from './test-io.js';
import { createTestProject } from './test-project.js';

const RULE = { name: 'slow', on: { request: '*' }, do: { type: 'delay', ms: 5 } } as const;

/** A folder whose `virgule dev` is said to run on a simulator. */
async function openSim(files: Readonly<Record<string, string>> = {}) {
  const platform = await startSimulator();
  onTestFinished(() => platform.close());
  const project = await createTestProject({});
  onTestFinished(() => project[Symbol.asyncDispose]());
  for (const [name, text] of Object.entries(files)) await writeFile(join(project.root, name), text);
  const lock = lockState({ root: project.root });
  lock.announce(platform.baseUrl);
  async function sim(...argv: string[]) {
    const io = createTestIo({ cwd: project.root });
    const code = await run(['sim', ...argv], io);
    return { code, out: io.out, err: io.err };
  }
  return { platform, lock, sim };
}

describe('virgule sim fault', () => {
  it('switches faults on by name, shows how often they took effect, and switches them off', async () => {
    const { platform, sim } = await openSim();
    const on = await sim('fault', 'slow API', 'rate limited');
    expect(on).toMatchObject({ code: 0, err: '' });
    const names = platform.faults.rules.map(({ name }) => name);
    expect(names).toContain('too many requests');
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(on.out).toContain(`  ${name}: 0 times\n`);
    await fetch(`${platform.baseUrl}/api/bot/v1/users/@me`, {
      headers: { authorization: `Bot ${platform.token}` },
    });
    expect((await sim('fault')).out).toContain(': 1 time\n');
    expect(await sim('fault', '--off')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^No faults are on\..*\n {2}flaky gateway\n/),
    });
    expect(platform.faults.rules).toEqual([]);
  });

  it('sets the faults of a file, with its seed, and prints JSON', async () => {
    const text = JSON.stringify({ seed: '7', rules: [RULE] });
    const { platform, sim } = await openSim({ 'faults.json': text });
    const { code, out } = await sim('fault', '--faults', 'faults.json', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ v: 1, seed: '7', rules: [{ ...RULE, hits: 0 }] });
    expect(platform.faults.seed).toBe('7');
  });

  it.each([
    [[], 'E_ARGUMENTS', 'fault'],
    [['fualt'], 'E_ARGUMENTS', 'fualt'],
    [['fault', 'bad weather'], 'E_ARGUMENTS', '"bad day"'],
    [['fault', 'bad day', '--off'], 'E_FLAG_CONFLICT', '--off'],
    [['fault', '--off', '--faults', 'x.json'], 'E_FLAG_CONFLICT', '--faults'],
    [['fault', '--faults', 'none.json'], 'E_FAULTS_FILE', 'ENOENT'],
    [['fault', '--faults', 'bad.json'], 'E_SIM_REQUEST', 'The faults are invalid: rules[0].on'],
  ])('refuses %j and leaves the faults as they are', async (argv, code, text) => {
    const { platform, sim } = await openSim({ 'bad.json': '{"rules":[{"name":"x"}]}' });
    platform.setFaults({ rules: [RULE] });
    const result = await sim(...argv);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
    expect(result.err).toContain(text);
    expect(platform.faults.rules).toEqual([{ ...RULE, hits: 0 }]);
  });

  it('says that no simulator runs, and that one cannot be reached', async () => {
    const { platform, lock, sim } = await openSim();
    await platform.close();
    expect((await sim('fault')).err).toMatch(/\[E_SIM_REQUEST].*ECONNREFUSED/);
    lock.announce();
    expect((await sim('fault')).err).toContain('[E_SIM_NOT_RUNNING]');
  });
});

describe('virgule sim snapshot and reset', () => {
  it('save, restore and delete the world by name', async () => {
    const { platform, sim } = await openSim();
    const last = () => platform.messages().at(-1)?.content;
    platform.sendMessage({ content: 'before' });
    expect(await sim('snapshot')).toMatchObject({ out: expect.stringContaining('no snapshots') });
    expect((await sim('snapshot', 'save', 'one')).out).toBe('one is saved.\n');
    platform.sendMessage({ content: 'after' });
    expect((await sim('snapshot', 'restore', 'one')).out).toBe('one is restored.\n');
    expect(last()).toBe('before');
    expect((await sim('snapshot')).out).toBe('  one\n');
    expect(JSON.parse((await sim('snapshot', 'delete', 'one', '--json')).out)).toEqual({
      v: 1,
      names: [],
    });
    expect(await sim('reset')).toMatchObject({ code: 0 });
    expect(last()).toContain('Welcome');
  });
});

describe('virgule sim clock', () => {
  it('is shown, paused and moved', async () => {
    const { platform, sim } = await openSim();
    expect((await sim('clock')).out).toMatch(/^20[^,]*Z\n$/);
    expect((await sim('clock', 'pause')).out).toContain(', paused');
    expect(platform.snapshot().clock.pausedAtMs).not.toBeNull();
    expect((await sim('clock', 'resume')).out).not.toContain('paused');
    await sim('clock', 'skip', '15m');
    expect(platform.snapshot().clock.offsetMs).toBeGreaterThan(15 * 60_000 - 60_000);
    platform.upload({ name: 'a.txt', data: new Uint8Array(1) });
    expect((await sim('clock')).out).toContain('next deadline');
    expect((await sim('clock', 'next')).out).not.toContain('next deadline');
  });

  it.each([
    [['clock', 'next'], 'E_SIM_REQUEST', 'No interaction and no upload has a deadline.'],
    [['clock', 'skip'], 'E_ARGUMENTS', 'skip and a time such as 5m'],
    [['clock', 'skip', 'soon'], 'E_ARGUMENTS', 'skip and a time such as 5m'],
    [['clock', 'pause', '5m'], 'E_ARGUMENTS', 'pause'],
    [['snapshot', 'save'], 'E_ARGUMENTS', 'save, restore or delete, and a name'],
    [['snapshot', 'toString', 'x'], 'E_ARGUMENTS', 'save, restore or delete'],
    [['snapshot', 'restore', 'none'], 'E_SIM_REQUEST', 'There is no snapshot none.'],
    [['reset', 'all'], 'E_ARGUMENTS', 'nothing more'],
    [['reset', '--off'], 'E_FLAG_CONFLICT', '--off'],
    [['toString'], 'E_ARGUMENTS', 'fault, reset, snapshot, clock'],
  ])('refuses %j', async (argv, code, text) => {
    const { sim } = await openSim();
    const result = await sim(...argv);
    expect(result).toMatchObject({ code: 1, out: '' });
    expect(result.err).toContain(`[${code}]`);
    expect(result.err).toContain(text);
  });
});
