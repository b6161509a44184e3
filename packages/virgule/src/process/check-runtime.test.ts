import { describe, expect, it } from 'vitest';
import { checkRuntime } from './check-runtime.js';

describe('checkRuntime', () => {
  it('accepts what is installed here, and every zod 4', () => {
    expect(() => checkRuntime()).not.toThrow();
    expect(() => checkRuntime({ bun: undefined, zod: '4.0.0' })).not.toThrow();
    expect(() => checkRuntime({ bun: undefined, zod: undefined })).not.toThrow();
  });

  it.each([
    [{ bun: undefined, zod: '3.25.76' }, 'zod 3.25.76 is installed', 'npm install zod@4'],
    [{ bun: '1.3.0', zod: '4.0.0' }, 'Bun 1.3.0', 'npx virgule'],
  ])('refuses %j', (versions, reason, advice) => {
    expect(() => checkRuntime(versions)).toThrow(
      expect.objectContaining({
        code: 'E_RUNTIME',
        message: expect.stringContaining(reason),
        hint: expect.stringContaining(advice),
      }),
    );
  });
});
