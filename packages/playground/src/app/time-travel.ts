import type { SimPast, SimSnapshot } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import type { Store } from './store.js';

/** What is shown of the past. */
export interface Past extends SimPast {
  readonly moment: number;
}

/** Shows the world as it was. What happens meanwhile is not shown. */
export interface TimeTravel {
  /** Shows a moment; the newest one if it is null. Of calls in quick succession, the last one counts. */
  go(moment: number | null): Promise<void>;
  /** Must be called when the present is shown again. */
  end(): void;
}

export function createTimeTravel(
  store: Pick<Store, 'past'>,
  api: Pick<SimApi, 'readPast' | 'readSnapshot'>,
  show: (snapshot: SimSnapshot) => void,
): TimeTravel {
  let wanted: { readonly moment: number | null } | null = null;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (wanted !== null) {
      const current: typeof wanted = wanted;
      const { moment } = current;
      const known = store.past.peek();
      const isKnown = known !== null && moment !== null && moment <= known.last;
      const { first, last } = isKnown ? known : await api.readPast();
      const snapshot = await api.readSnapshot(moment ?? last);
      // The present is shown again by now.
      if (wanted === null) return;
      const latest = wanted.moment ?? moment ?? last;
      store.past.value = { first, last: Math.max(last, latest), moment: latest };
      show(snapshot);
      if (wanted === current) return;
    }
  }

  return {
    go(moment) {
      wanted = { moment };
      const past = store.past.peek();
      // The slider does not wait.
      if (past !== null && moment !== null) store.past.value = { ...past, moment };
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    end() {
      wanted = null;
      store.past.value = null;
    },
  };
}
