import { onAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import type { StorageDriver } from '@virgule/runtime';
import type { Simulator } from '@virgule/simulator';

/** Returns a promise that stays pending. A shared one would keep every caller in memory. */
const never = (): Promise<never> => new Promise(() => {});

/**
 * Creates the switch that kills one process of a bot, as SIGKILL does: afterwards no timer, socket or call of the storage
 * calls back or settles.
 */
export function createKillSwitch() {
  const controller = new AbortController();
  const signal: AbortSignal = controller.signal;

  /** Returns a function whose promises stay pending after the kill. */
  const whileAlive =
    <Given extends readonly unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      if (signal.aborted) return never();
      const [result] = await Promise.allSettled([call(...given)]);
      if (signal.aborted) return never();
      if (result.status === 'rejected') throw result.reason;
      return result.value;
    };

  return {
    signal,
    /** Resolves at the kill. */
    killed: new Promise<unknown>((resolve) => void onAbort(signal, resolve)),
    kill: () => controller.abort(),
    clock: <Given extends Clock>(clock: Given): Given =>
      Object.assign(Object.create(clock) as Given, {
        setTimeout: (...[callback, ...options]: Parameters<Clock['setTimeout']>) =>
          clock.setTimeout(() => void (signal.aborted || callback()), ...options),
        sleep: whileAlive((delayMs: number, options: Parameters<Clock['sleep']>[1] = {}) =>
          // Ends at the kill, because a sleep on the clock of the machine keeps the process of the test alive.
          clock.sleep(delayMs, { signal: AbortSignal.any([signal, options.signal ?? signal]) }),
        ),
      }),
    storage: (driver: StorageDriver): StorageDriver => {
      const calls = Object.entries(driver).map(([name, call]) => [name, whileAlive(call)]);
      // The next process uses the entries.
      return { ...driver, ...Object.fromEntries(calls), close: async () => {} };
    },
    socket: (WebSocket: Simulator['WebSocket']): Simulator['WebSocket'] =>
      class extends WebSocket {
        constructor(url: string, options?: object) {
          super(url, options);
          onAbort(signal, () => this.terminate());
        }

        override emit(event: string, ...given: readonly unknown[]): boolean {
          return !signal.aborted && super.emit(event, ...given);
        }
      },
  };
}
