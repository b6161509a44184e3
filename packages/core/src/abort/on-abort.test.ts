import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { onAbort } from './on-abort.js';

describe('onAbort', () => {
  it('tells everybody who still listens, once', () => {
    const controller = new AbortController();
    const told: string[] = [];
    onAbort(controller.signal, () => told.push('a'));
    const leave = onAbort(controller.signal, () => told.push('b'));
    onAbort(controller.signal, () => told.push('c'));
    leave();
    leave();
    controller.abort();
    controller.abort();
    expect(told).toEqual(['a', 'c']);
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
    let told = 0;
    for (let round = 0; round < 10_000; round += 1) {
      onAbort(controller.signal, () => (told += 1))();
    }
    onAbort(controller.signal, () => (told += 1));
    controller.abort();
    expect(told).toBe(1);
  });

  it('lets a callback take others back while it runs', () => {
    const controller = new AbortController();
    const told: string[] = [];
    const leaveSecond: (() => void)[] = [];
    onAbort(controller.signal, () => {
      told.push('first');
      for (const leave of leaveSecond) leave();
    });
    leaveSecond.push(onAbort(controller.signal, () => told.push('second')));
    controller.abort();
    expect(told).toEqual(['first']);
  });
});
