import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { settle } from '../../test/test-bot.js';
import { Lifetime } from './lifetime.js';

describe('Lifetime', () => {
  it('has a signal that is aborted with the reason it is stopped for', () => {
    const life = new Lifetime({}, new Set());
    const { signal } = life;
    expect(signal.aborted).toBe(false);
    life.stop('too long');
    expect([signal.aborted, signal.reason]).toEqual([true, 'too long']);
    expect(life.stopped).toEqual({ reason: 'too long' });
  });

  it('has a signal that is aborted when the run has ended, like that of a fetch', () => {
    const life = new Lifetime({}, new Set());
    const { signal } = life;
    life.end();
    expect(signal.aborted).toBe(true);
    expect(signal.reason).toMatchObject({ name: 'AbortError', message: 'The command has ended.' });
    expect(life.stopped).toBeUndefined();
  });

  it('creates one signal, and aborts one that is read afterwards with the reason', () => {
    const stopped = new Lifetime({}, new Set());
    stopped.stop('too long');
    expect(stopped.signal).toBe(stopped.signal);
    expect([stopped.signal.aborted, stopped.signal.reason]).toEqual([true, 'too long']);
    const ended = new Lifetime({}, new Set());
    ended.end();
    expect(ended.signal.aborted).toBe(true);
  });

  it('counts the first reason: a stop after the end changes nothing of its signal', () => {
    const life = new Lifetime({}, new Set());
    life.stop('first');
    life.stop('second');
    life.end();
    expect(life.signal.reason).toBe('first');
    const over = new Lifetime({}, new Set());
    const { signal } = over;
    over.end();
    over.stop('late');
    expect(signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('takes more than ten listeners without a warning', async () => {
    const warnings: unknown[] = [];
    const keep = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', keep);
    const { signal } = new Lifetime({}, new Set());
    for (let n = 0; n < 30; n += 1) signal.addEventListener('abort', () => {});
    await settle();
    process.off('warning', keep);
    expect(warnings).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(30);
  });
});

describe('Lifetime.during', () => {
  it('makes calls that outlast the run, and that a stop ends', async () => {
    const open = new Set<string>();
    const life = new Lifetime('/x', open);
    const seen: AbortSignal[] = [];
    const call = (signal: AbortSignal): Promise<never> => {
      seen.push(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    const before = life.during(call);
    life.end();
    const after = life.during(call);
    expect([seen.map(({ aborted }) => aborted), [...open]]).toEqual([[false, false], ['/x']]);
    life.stop('shutdown');
    await expect(before).rejects.toBe('shutdown');
    await expect(after).rejects.toBe('shutdown');
    await expect(life.during(call)).rejects.toBe('shutdown');
    expect(open.size).toBe(0);
  });

  it('holds its owner only while a stop has something to end', async () => {
    const open = new Set<string>();
    const life = new Lifetime('/x', open);
    const call = life.during(async () => 7);
    expect(open.size).toBe(1);
    expect(await call).toBe(7);
    expect(open.size).toBe(1);
    life.end();
    expect(open.size).toBe(0);
    await life.during(async () => 8);
    expect(open.size).toBe(0);
  });
});

describe('Lifetime.race', () => {
  it('settles as the promise does', async () => {
    const life = new Lifetime({}, new Set());
    await expect(life.race(Promise.resolve(7))).resolves.toBe(7);
    await expect(life.race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });

  it('rejects with the reason when it is stopped first, whatever comes later', async () => {
    const life = new Lifetime({}, new Set());
    let finish: (value: number) => void = () => {};
    const slow = new Promise<number>((resolve) => (finish = resolve));
    const raced = life.race(slow);
    const other = life.race(new Promise(() => {}));
    life.stop('too long');
    finish(1);
    await expect(raced).rejects.toBe('too long');
    await expect(other).rejects.toBe('too long');
  });

  it('rejects at once after a stop, and lets the promise fail unheard', async () => {
    const life = new Lifetime({}, new Set());
    life.stop('too long');
    await expect(life.race(Promise.reject(new Error('unheard')))).rejects.toBe('too long');
  });

  it('does not mind a stop after the promise has settled', async () => {
    const life = new Lifetime({}, new Set());
    const raced = life.race(Promise.resolve('in time'));
    await raced;
    life.stop('late');
    await expect(raced).resolves.toBe('in time');
  });
});
