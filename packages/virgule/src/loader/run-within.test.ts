import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { runWithin } from './run-within.js';

const busy = (): Error => new Error('busy');

it('returns the result of code, and throws its error', () => {
  expect(runWithin(1_000, () => 7, busy)).toBe(7);
  const fail = (): never => {
    throw new TypeError('no luck');
  };
  expect(() => runWithin(1_000, fail, busy)).toThrow(new TypeError('no luck'));
});

it('interrupts code that does not end, which cannot catch that', () => {
  const loop = (): never => {
    for (;;)
      try {
        for (;;);
      } catch {}
  };
  expect(() => runWithin(20, loop, busy)).toThrow('busy');
  const outer = (code: () => unknown, limitMs: number) => () =>
    runWithin(limitMs, code, () => new Error('outer'));
  expect(outer(() => runWithin(60_000, loop, busy), 20)).toThrow('busy');
  expect(outer(() => runWithin(20, () => 7, busy), 60_000)).not.toThrow();
  expect(outer(loop, 20)).toThrow('outer');
});

it('leaves the error of a timeout that the code has set itself', () => {
  const code = (): unknown => runInNewContext('for (;;);', {}, { timeout: 10 });
  expect(() => runWithin(1_000, code, busy)).toThrow('Script execution timed out after 10ms');
});

it('is loaded by another copy of the package in the same process', async () => {
  vi.resetModules();
  const other = await import('./run-within.js');
  const inner = (): number => other.runWithin(1_000, () => 7, busy);
  expect(runWithin(1_000, inner, busy)).toBe(7);
  expect(runWithin(1_000, () => 8, busy)).toBe(8);
});
