import { onAbort } from '@virgule/core/abort';

export function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => void onAbort(signal, () => resolve()));
}
