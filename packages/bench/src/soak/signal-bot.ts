import { silentLog } from '@virgule/core/log';
import { getEventListeners } from 'node:events';
import { createRest } from '@virgule/client/rest';
import { heapMiB, openHandles } from './process-state.js';

export interface SignalOptions {
  readonly port: number;
  /** Number of uses of the signal. */
  readonly uses: number;
}

export interface SignalFigures {
  readonly uses: number;
  readonly perSecond: number;
  /** Maximum number of concurrent listeners of the signal. */
  readonly maxListeners: number;
  /** Number of listeners at the end. */
  readonly leakedListeners: number;
  readonly heapGrowthMiB: number;
  /** Number of additional open handles after the client is closed. */
  readonly leakedHandles: number;
}

const AT_A_TIME = 64;
const BATCH = 6_400;

/** Passes one AbortSignal to many calls, and counts leaks. */
export async function startSignalBot({ port, uses }: SignalOptions): Promise<SignalFigures> {
  const handlesBefore = count(openHandles());
  const rest = createRest({
    token: 'soak',
    baseUrl: `http://127.0.0.1:${port}`,
    log: silentLog,
  });
  const { signal } = new AbortController();
  let left = uses;
  let maxListeners = 0;

  async function useSome(limit: number): Promise<void> {
    let due = Math.min(limit, left);
    left -= due;
    const worker = async (): Promise<void> => {
      for (; due > 0;) {
        due -= 1;
        await rest.users.me({ signal });
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  }

  await useSome(BATCH);
  const heapBefore = heapMiB();
  const startMs = performance.now();
  while (left > 0) {
    const batch = useSome(BATCH);
    maxListeners = Math.max(maxListeners, getEventListeners(signal, 'abort').length);
    await batch;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const heapGrowthMiB = heapMiB() - heapBefore;
  const leakedListeners = getEventListeners(signal, 'abort').length;
  await rest.close();
  return {
    uses,
    perSecond: (uses - BATCH) / seconds,
    maxListeners,
    leakedListeners,
    heapGrowthMiB,
    leakedHandles: count(openHandles()) - handlesBefore,
  };
}

const count = (handles: Readonly<Record<string, number>>): number =>
  Object.values(handles).reduce((sum, some) => sum + some, 0);
