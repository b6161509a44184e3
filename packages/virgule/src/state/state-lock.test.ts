import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { lockState, runningSimulator, waitForState } from './state-lock.js';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'virgule-lock-'));
  return () => rmSync(root, { recursive: true, force: true });
});
const file = () => join(root, '.virgule', 'dev.lock');
const isRunning = (): boolean => true;
const startOf = (): undefined => undefined;

describe('lockState', () => {
  it('holds the folder for one process, until it is let go', () => {
    const lock = lockState({ root, pid: 10, isRunning, startOf });
    expect(() => lockState({ root, pid: 11, isRunning, startOf })).toThrow(
      expect.objectContaining({
        code: 'E_STATE_LOCKED',
        message: 'Another `virgule dev` (process 10) is running in this folder.',
        hint: expect.stringContaining('delete .virgule/dev.lock'),
      }),
    );
    expect(readFileSync(file(), 'utf8')).toBe('{"pid":10}\n');
    lock[Symbol.dispose]();
    expect(existsSync(file())).toBe(false);
    lockState({ root, pid: 11, isRunning, startOf })[Symbol.dispose]();
  });

  it.each([
    ['a process that was killed', '{"pid":10}'],
    ['a process that was killed while it wrote', '{"pi'],
  ])('takes over what was left by %s', (_, text) => {
    mkdirSync(join(root, '.virgule'));
    writeFileSync(file(), text);
    lockState({ root, pid: 11, isRunning: () => false, startOf });
    expect(readFileSync(file(), 'utf8')).toBe('{"pid":11}\n');
  });

  it('waits for a process that is ending, for 2 s at most, and not for one that serves', async () => {
    const clock = createFakeClock();
    const { signal } = new AbortController();
    const ending = lockState({ root, pid: 10, isRunning, startOf });
    const take = () => waitForState({ root, pid: 11, isRunning, startOf, clock, signal });
    ending.announce('http://127.0.0.1:7300');
    await expect(take()).rejects.toMatchObject({ code: 'E_STATE_LOCKED' });
    ending.announce();
    const failing = take();
    failing.catch(() => {});
    await clock.advance(1_900);
    expect(clock.pending).toBe(1);
    await clock.advance(150);
    await expect(failing).rejects.toMatchObject({ code: 'E_STATE_LOCKED' });
    const taken = take();
    await clock.advance(1_000);
    ending[Symbol.dispose]();
    await clock.advance(100);
    (await taken)[Symbol.dispose]();
  });

  it('leaves word where the simulator is, as long as its process runs', () => {
    expect(runningSimulator(root)).toBeUndefined();
    const lock = lockState({ root });
    expect(runningSimulator(root)).toBeUndefined();
    lock.announce('http://127.0.0.1:7300');
    expect(runningSimulator(root)).toBe('http://127.0.0.1:7300');
    expect(runningSimulator(root, { isRunning: () => false })).toBeUndefined();
    lock[Symbol.dispose]();
    expect(runningSimulator(root)).toBeUndefined();
  });

  it.each(['nonsense', 'file:///etc/passwd', 7])('ignores the address %j', (baseUrl) => {
    mkdirSync(join(root, '.virgule'));
    writeFileSync(file(), JSON.stringify({ pid: 10, baseUrl }));
    expect(runningSimulator(root, { isRunning: () => true })).toBeUndefined();
  });

  it('takes over the lock of a process whose id belongs to another one now', () => {
    const [before, now] = ['boot 1', 'boot 2'];
    lockState({ root, pid: 10, isRunning, startOf: () => before }).announce(
      'http://127.0.0.1:7300',
    );
    const at = (start: string | undefined) => ({ isRunning, startOf: () => start });
    expect(runningSimulator(root, at(before))).toBe('http://127.0.0.1:7300');
    expect(runningSimulator(root, at(undefined))).toBe('http://127.0.0.1:7300');
    expect(runningSimulator(root, at(now))).toBeUndefined();
    expect(() => lockState({ root, pid: 11, ...at(before) })).toThrow('process 10');
    lockState({ root, pid: 11, ...at(now) });
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ pid: 11, started: now });
  });

  it.runIf(process.platform === 'linux')('knows when a process started', () => {
    lockState({ root });
    const { started } = JSON.parse(readFileSync(file(), 'utf8')) as { started: string };
    expect(started).toMatch(/^[0-9a-f-]{36} \d+$/);
    expect(() => lockState({ root, pid: process.pid + 1 })).toThrow(`(process ${process.pid})`);
    writeFileSync(file(), JSON.stringify({ pid: process.pid, started: `${started}0` }));
    expect(() => lockState({ root, pid: process.pid + 1 })).not.toThrow();
  });

  it('has one holder when three processes find the lock of a killed process', () => {
    mkdirSync(join(root, '.virgule'));
    writeFileSync(file(), '{"pid":1}');
    const held: number[] = [];
    const refused: unknown[] = [];
    const take = (pid: number, alive: (holder: number) => boolean): void => {
      try {
        lockState({ root, pid, isRunning: alive, startOf });
        held.push(pid);
      } catch (error) {
        refused.push(error);
      }
    };
    const isAlive = (holder: number): boolean => holder !== 1;
    // Process 10 checks a lock each time just before another process takes the lock.
    const others = [11, 12];
    take(10, (holder) => {
      const next = others.shift();
      if (next !== undefined) take(next, isAlive);
      return isAlive(holder);
    });
    for (const pid of others) take(pid, isAlive);
    expect(held).toHaveLength(1);
    const locked = expect.objectContaining({ code: 'E_STATE_LOCKED' });
    expect(refused).toEqual([locked, locked]);
    expect(readdirSync(join(root, '.virgule'))).toEqual(['dev.lock']);
  });

  it('survives that its folder is deleted, and leaves what another process took since', () => {
    const lock = lockState({ root, pid: 10, isRunning, startOf });
    rmSync(join(root, '.virgule'), { recursive: true });
    expect(() => lock.announce()).not.toThrow();
    lockState({ root, pid: 11, isRunning, startOf });
    lock[Symbol.dispose]();
    expect(readFileSync(file(), 'utf8')).toBe('{"pid":11}\n');
  });

  it('asks the system which processes run', () => {
    const lock = lockState({ root });
    onTestFinished(() => lock[Symbol.dispose]());
    expect(() => lockState({ root, pid: process.pid + 1 })).toThrow(`(process ${process.pid})`);
    writeFileSync(file(), '{"pid":4194304999}');
    expect(() => lockState({ root, pid: process.pid + 1 })).not.toThrow();
  });

  it('reports a folder in the place of the lock, and leaves it there', () => {
    mkdirSync(file(), { recursive: true });
    expect(() => lockState({ root })).toThrow(
      expect.objectContaining({
        code: 'E_STATE_UNWRITABLE',
        message: expect.stringContaining('EISDIR'),
      }),
    );
    expect(existsSync(file())).toBe(true);
  });

  it('says when the folder cannot be written', () => {
    writeFileSync(join(root, '.virgule'), 'a file stands in its place');
    expect(() => lockState({ root })).toThrow(
      expect.objectContaining({
        code: 'E_STATE_UNWRITABLE',
        message: expect.stringContaining('.virgule cannot be written: EEXIST'),
      }),
    );
  });
});
