import { silentLog } from '@virgule/core/log';
import { getEventListeners } from 'node:events';
import { createRest } from '@virgule/client/rest';
import { heapMiB, openHandles } from './process-state.js';

export interface SignalOptions {
  readonly port: number;
  /** How often one signal is used. */
  readonly uses: number;
}

export interface SignalFigures {
  readonly uses: number;
  readonly perSecond: number;
  /** The most listeners the signal had at a time. */
  readonly mostListeners: number;
  /** Listeners it has at the end. */
  readonly leftListeners: number;
  readonly heapGrowthMiB: number;
  /** Open sockets more than before, once the client is closed. */
  readonly leftHandles: number;
}

const AT_A_TIME = 64;
const BATCH = 6_400;

/** Gives one AbortSignal to call after call, and looks what stays behind. */
export async function startSignalBot({ port, uses }: SignalOptions): Promise<SignalFigures> {
  const handlesBefore = count(openHandles());
  const rest = createRest({
    token: 'soak',
    baseUrl: `http://127.0.0.1:${port}`,
    log: silentLog,
  });
  const { signal } = new AbortController();
  let left = uses;
  let mostListeners = 0;

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
    mostListeners = Math.max(mostListeners, getEventListeners(signal, 'abort').length);
    await batch;
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const heapGrowthMiB = heapMiB() - heapBefore;
  const leftListeners = getEventListeners(signal, 'abort').length;
  await rest.close();
  return {
    uses,
    perSecond: (uses - BATCH) / seconds,
    mostListeners,
    leftListeners,
    heapGrowthMiB,
    leftHandles: count(openHandles()) - handlesBefore,
  };
}

const count = (handles: Readonly<Record<string, number>>): number =>
  Object.values(handles).reduce((sum, some) => sum + some, 0);
