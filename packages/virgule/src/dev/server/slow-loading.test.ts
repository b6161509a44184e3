import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createSlowLoading, type SlowLoading } from './slow-loading.js';

describe('SlowLoading', () => {
  type Step = Parameters<SlowLoading['step']>;

  it.each<[string, Step, string]>([
    ['a file', ['commands/a.ts'], 'commands/a.ts'],
    ['a package', ['commands/a.ts', 'big'], 'big for commands/a.ts'],
    ['services', ['services.ts', undefined, true], 'the services of services.ts'],
  ])('names %s that is being loaded', (_, step, what) => {
    const loading = createSlowLoading(createFakeClock(), () => {});
    expect(loading.what).toBeUndefined();
    loading.step(...step);
    expect(loading.what).toBe(what);
    loading.end();
  });
});
