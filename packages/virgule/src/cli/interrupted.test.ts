import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { interrupted, unlessInterrupted } from './interrupted.js';

const never = new Promise<never>(() => {});

describe('interrupted', () => {
  it('resolves at the signal', async () => {
    const { signal, abort } = stoppable();
    const waits = interrupted(signal);
    abort();
    expect(await waits).toBeUndefined();
  });

  it('resolves when the signal came before', async () => {
    expect(await interrupted(AbortSignal.abort('SIGINT'))).toBeUndefined();
  });
});

describe('unlessInterrupted', () => {
  it('returns what the task returns, and leaves no listener', async () => {
    const { signal } = stoppable();
    expect(await unlessInterrupted(signal, Promise.resolve(7))).toBe(7);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('throws what the task throws', async () => {
    const { signal } = stoppable();
    const task = Promise.reject(new Error('broken'));
    await expect(unlessInterrupted(signal, task)).rejects.toThrow('broken');
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('does not wait past the signal', async () => {
    const { signal, abort } = stoppable();
    const waits = unlessInterrupted(signal, never);
    abort();
    await expect(waits).rejects.toBe('SIGTERM');
  });

  it('does not wait when the signal came before', async () => {
    await expect(unlessInterrupted(AbortSignal.abort('SIGINT'), never)).rejects.toBe('SIGINT');
  });

  it('ignores how a task ends after the interrupt', async () => {
    const { signal, abort } = stoppable();
    let fail: (error: Error) => void = () => {};
    const task = new Promise<never>((_, reject) => (fail = reject));
    const waits = unlessInterrupted(signal, task);
    abort();
    await expect(waits).rejects.toBe('SIGTERM');
    fail(new Error('late'));
    // An unhandled rejection of what was given would fail the whole run.
    await expect(task).rejects.toThrow('late');
  });
});

function stoppable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort('SIGTERM') };
}
