import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort, raceAbort } from './on-abort.js';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

describe('onAbort', () => {
  it('calls the listener once, with the reason', () => {
    const { signal, abort } = controlled();
    const reasons: unknown[] = [];
    onAbort(signal, (reason) => void reasons.push(reason));
    expect(reasons).toEqual([]);
    abort('over');
    abort('again');
    expect(reasons).toEqual(['over']);
    expect(listenersOf(signal)).toBe(0);
  });

  it('calls the listener at once if the signal is aborted already', () => {
    const reasons: unknown[] = [];
    const detach = onAbort(AbortSignal.abort('over'), (reason) => void reasons.push(reason));
    detach();
    expect(reasons).toEqual(['over']);
  });

  it('does not call a listener that was removed', () => {
    const { signal, abort } = controlled();
    const reasons: unknown[] = [];
    onAbort(signal, (reason) => void reasons.push(reason))();
    expect(listenersOf(signal)).toBe(0);
    abort('over');
    expect(reasons).toEqual([]);
  });

  it('calls every listener that was not removed, once', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => called.push('a'));
    const leave = onAbort(controller.signal, () => called.push('b'));
    onAbort(controller.signal, () => called.push('c'));
    leave();
    leave();
    controller.abort();
    controller.abort();
    expect(called).toEqual(['a', 'c']);
  });

  it('has one listener for all, and none when the last has left', () => {
    const { signal } = new AbortController();
    const leave = Array.from({ length: 100 }, () => onAbort(signal, () => {}));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    for (const each of leave) each();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('begins again after the last has left', () => {
    const controller = new AbortController();
    let called = 0;
    for (let round = 0; round < 10_000; round += 1) {
      onAbort(controller.signal, () => (called += 1))();
    }
    onAbort(controller.signal, () => (called += 1));
    controller.abort();
    expect(called).toBe(1);
  });

  it('lets a callback take others back while it runs', () => {
    const controller = new AbortController();
    const called: string[] = [];
    const leaveSecond: (() => void)[] = [];
    onAbort(controller.signal, () => {
      called.push('first');
      for (const leave of leaveSecond) leave();
    });
    leaveSecond.push(onAbort(controller.signal, () => called.push('second')));
    controller.abort();
    expect(called).toEqual(['first']);
  });
});

describe('raceAbort', () => {
  const never = new Promise<never>(() => {});

  it('resolves with the value of the promise, and removes its listener', async () => {
    const { signal } = controlled();
    expect(await raceAbort(Promise.resolve(7), signal)).toBe(7);
    await Promise.resolve();
    expect(listenersOf(signal)).toBe(0);
  });

  it('rejects with the error of the promise, and removes its listener', async () => {
    const { signal } = controlled();
    await expect(raceAbort(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
    await Promise.resolve();
    expect(listenersOf(signal)).toBe(0);
  });

  it('rejects with the reason as soon as the signal is aborted', async () => {
    const { signal, abort } = controlled();
    const raced = raceAbort(never, signal);
    abort('SIGINT');
    await expect(raced).rejects.toBe('SIGINT');
  });

  it('rejects at once if the signal is aborted already', async () => {
    await expect(raceAbort(never, AbortSignal.abort('SIGINT'))).rejects.toBe('SIGINT');
  });

  it('handles a rejection that comes after the abort', async () => {
    const { signal, abort } = controlled();
    const { promise, reject } = rejectable();
    const raced = raceAbort(promise, signal);
    abort('SIGINT');
    await expect(raced).rejects.toBe('SIGINT');
    const atOnce = raceAbort(Promise.reject(new Error('at once')), signal);
    await expect(atOnce).rejects.toBe('SIGINT');
    // An unhandled rejection would fail the test run.
    reject(new Error('late'));
    await expect(promise).rejects.toThrow('late');
  });
});

function controlled() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason: unknown) => controller.abort(reason) };
}

function rejectable() {
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, rejects) => (reject = rejects));
  return { promise, reject: (error: Error) => reject(error) };
}
