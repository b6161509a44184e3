import { vi } from 'vitest';

/** Waits until `check` no longer throws. The time it may take is for slow machines only. */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: 60_000, interval: 2 });
}
