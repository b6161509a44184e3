import { onAbort } from '@virgule/core/abort';

/** Resolves at Ctrl+C or SIGTERM. */
export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}
