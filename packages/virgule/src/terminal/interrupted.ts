import { onAbort } from '@virgule/core/abort';

export const interrupted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => void onAbort(signal, () => resolve()));
