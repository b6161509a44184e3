import { EventEmitter } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChildEnv } from './fork-child.js';
import { PREPARE_MS, createSpareProcess } from './spare-process.js';

/** A process that does nothing but live and end. */
function createFakeChild(env: ChildEnv) {
  const fake = Object.assign(new EventEmitter(), {
    env,
    connected: true,
    killedBy: undefined as string | undefined,
    kill(signal: string) {
      fake.killedBy = signal;
      fake.end();
      return true;
    },
    end() {
      fake.connected = false;
      fake.emit('exit', null, 'SIGKILL');
    },
  });
  return fake;
}
type FakeChild = ReturnType<typeof createFakeChild>;

function open() {
  const clock = createFakeClock();
  const forked: FakeChild[] = [];
  const spare = createSpareProcess({
    root: '/project',
    clock,
    fork(env) {
      const child = createFakeChild(env);
      forked.push(child);
      // What is used of a process here, it has.
      return child as unknown as ChildProcess;
    },
  });
  onTestFinished(() => spare.discard());
  const nth = (index: number): FakeChild => {
    const child = forked[index];
    if (!child) throw new Error(`There is no process ${index} of ${forked.length}.`);
    return child;
  };
  return { clock, spare, forked, nth, soon: () => clock.advance(PREPARE_MS) };
}

const ENV = { PATH: '/bin', GREETING: 'Hello' };

describe('a spare process', () => {
  it('is started a second after it was asked for, once', async () => {
    const { clock, spare, forked, soon } = open();
    spare.prepare(ENV);
    await clock.advance(PREPARE_MS - 1);
    expect(forked).toEqual([]);
    await clock.advance(1);
    expect(forked).toMatchObject([{ env: ENV }]);
    spare.prepare(ENV);
    await soon();
    expect(forked).toHaveLength(1);
  });

  it('is handed out once', async () => {
    const { spare, forked, nth, soon } = open();
    spare.prepare(ENV);
    await soon();
    expect(spare.take(ENV)).toBe(nth(0));
    expect(spare.take(ENV)).toBe(nth(1));
    expect(forked.map(({ killedBy }) => killedBy)).toEqual([undefined, undefined]);
  });

  it('is not made any more when a process is wanted before', async () => {
    const { spare, forked, soon } = open();
    spare.prepare(ENV);
    spare.take(ENV);
    await soon();
    expect(forked).toHaveLength(1);
  });

  it.each<[string, ChildEnv]>([
    ['with another value', { ...ENV, GREETING: 'Good morning' }],
    ['with one more variable', { ...ENV, LANGUAGE: 'danish' }],
    ['with one less', { PATH: '/bin' }],
  ])('fits an environment %s', async (_, env) => {
    const { spare, nth, soon } = open();
    spare.prepare(ENV);
    await soon();
    expect(spare.take(env)).toBe(nth(0));
  });

  it.each([
    ['NODE_OPTIONS', '--max-old-space-size=100'],
    ['NODE_EXTRA_CA_CERTS', '/certificates.pem'],
    ['TZ', 'Asia/Tokyo'],
    ['UV_THREADPOOL_SIZE', '8'],
  ])(
    'does not fit an environment with another %s, which is read only at startup',
    async (name, value) => {
      const { spare, nth, soon } = open();
      spare.prepare(ENV);
      await soon();
      const env = { ...ENV, [name]: value };
      expect(spare.take(env)).toBe(nth(1));
      expect(nth(0).killedBy).toBe('SIGKILL');
      expect(nth(1).env).toEqual(env);

      // Nor the other way round.
      spare.prepare(env);
      await soon();
      expect(spare.take(ENV)).toBe(nth(3));
      expect(nth(2).killedBy).toBe('SIGKILL');
    },
  );

  it('is ended by discard, and the next is a new one', async () => {
    const { spare, nth, soon } = open();
    spare.prepare(ENV);
    await soon();
    spare.discard();
    expect(nth(0).killedBy).toBe('SIGKILL');
    expect(spare.take(ENV)).toBe(nth(1));
  });

  it('is not started after discard', async () => {
    const { spare, forked, soon } = open();
    spare.prepare(ENV);
    spare.discard();
    await soon();
    expect(forked).toEqual([]);
  });

  it('is created again when it exited by itself', async () => {
    const { spare, nth, soon } = open();
    spare.prepare(ENV);
    await soon();
    nth(0).end();
    expect(spare.take(ENV)).toBe(nth(1));
    spare.prepare(ENV);
    await soon();
    expect(spare.take(ENV)).toBe(nth(2));
  });

  it('is not handed out when it cannot be started', async () => {
    const { spare, nth, soon } = open();
    spare.prepare(ENV);
    await soon();
    expect(() => nth(0).emit('error', new Error('EAGAIN'))).not.toThrow();
    expect(spare.take(ENV)).toBe(nth(1));
  });

  it('leaves nothing behind on this process', async () => {
    const { spare, nth, soon } = open();
    const before = process.listenerCount('exit');
    spare.prepare(ENV);
    await soon();
    expect(process.listenerCount('exit')).toBe(before + 1);
    spare.take(ENV);
    nth(0).end();
    expect(process.listenerCount('exit')).toBe(before);
  });
});
