import { describe, expect, it } from 'vitest';
import { createSerialQueue } from './serial-queue.js';

describe('createSerialQueue', () => {
  it('runs one task at a time, in order, and resolves each with its result', async () => {
    const enqueue = createSerialQueue();
    const steps: string[] = [];
    const task = (name: string) => async () => {
      steps.push(`${name} begins`);
      await Promise.resolve();
      steps.push(`${name} ends`);
      return name;
    };
    expect(await Promise.all([enqueue(task('a')), enqueue(task('b'))])).toEqual(['a', 'b']);
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('continues after a task that failed', async () => {
    const enqueue = createSerialQueue();
    const failing = enqueue(() => Promise.reject(new Error('x')));
    const next = enqueue(async () => 'next');
    await expect(failing).rejects.toThrow('x');
    expect(await next).toBe('next');
  });
});
