import { describe, expect, it } from 'vitest';
import { interrupted } from './interrupted.js';

describe('interrupted', () => {
  it('resolves at the signal', async () => {
    const controller = new AbortController();
    const waits = interrupted(controller.signal);
    controller.abort('SIGTERM');
    expect(await waits).toBeUndefined();
  });

  it('resolves when the signal came before', async () => {
    expect(await interrupted(AbortSignal.abort('SIGINT'))).toBeUndefined();
  });
});
