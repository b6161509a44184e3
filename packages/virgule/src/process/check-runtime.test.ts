import { describe, expect, it } from 'vitest';
import { checkRuntime } from './check-runtime.js';

describe('checkRuntime', () => {
  it('accepts what is installed here, and every zod 4', () => {
    expect(() => checkRuntime()).not.toThrow();
    expect(() => checkRuntime({ bun: undefined, zod: '4.0.0' })).not.toThrow();
    expect(() => checkRuntime({ bun: undefined, zod: undefined })).not.toThrow();
  });

  it('refuses a working directory that was deleted', () => {
    const cwd = (): string => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' });
    };
    expect(() => checkRuntime({ bun: undefined, zod: '4.0.0' }, cwd)).toThrow(
      expect.objectContaining({
        code: 'E_RUNTIME',
        message: expect.stringContaining('the current folder was deleted'),
        hint: expect.stringContaining('cd'),
      }),
    );
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
