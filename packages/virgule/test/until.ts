import { vi } from 'vitest';

/** Waits until `check` no longer throws, and returns its result. A busy machine takes its time. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 10 });
