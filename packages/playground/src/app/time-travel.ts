import type { SimPast, SimSnapshot } from '@virgule/core/simulator-api';
import type { SimApi } from '../net/sim-api.js';
import type { Store } from './store.js';

export interface Past extends SimPast {
  readonly moment: number;
}

/** Shows earlier states of the world. New events are not shown during that time. */
export function createTimeTravel(
  store: Pick<Store, 'past'>,
  api: Pick<SimApi, 'read'>,
  show: (snapshot: SimSnapshot) => void,
) {
  let wanted: { readonly moment: number | null } | null = null;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    while (wanted !== null) {
      const current: typeof wanted = wanted;
      const { moment } = current;
      const known = store.past.peek();
      const isKnown = known !== null && moment !== null && moment <= known.last;
      const { first, last } = isKnown ? known : (await api.read('state')).past;
      const snapshot = await api.read('world', { moment: moment ?? last });
      // The page shows the present again.
      if (wanted === null) return;
      const latest = wanted.moment ?? moment ?? last;
      store.past.value = { first, last: Math.max(last, latest), moment: latest };
      show(snapshot);
      if (wanted === current) return;
    }
  }

  return {
    /** Shows a moment; null selects the newest moment. The last of several quick calls counts. */
    go(moment: number | null) {
      wanted = { moment };
      const past = store.past.peek();
      // The slider moves at once.
      if (past !== null && moment !== null) store.past.value = { ...past, moment };
      running ??= run().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Must be called when the page shows the present again. */
    end() {
      wanted = null;
      store.past.value = null;
    },
  };
}
