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
  /** Numbers of the last call of `go` and of the call whose moment is shown. */
  let last = 0;
  let shown = 0;

  return {
    /** Shows a moment; null selects the newest moment. No earlier call changes what a later one shows. */
    async go(moment: number | null) {
      last += 1;
      const own = last;
      const known = store.past.peek();
      // The slider moves at once.
      if (known !== null && moment !== null) store.past.value = { ...known, moment };
      const isKnown = known !== null && moment !== null && moment <= known.last;
      const range = isKnown ? known : (await api.read('state')).past;
      const at = moment ?? range.last;
      const snapshot = await api.read('world', { moment: at });
      if (own < shown) return;
      shown = own;
      const latest = own === last ? at : (store.past.peek()?.moment ?? at);
      store.past.value = { ...range, last: Math.max(range.last, latest), moment: latest };
      show(snapshot);
    },
    /** Must be called when the page shows the present again. */
    end() {
      last += 1;
      shown = last;
      store.past.value = null;
    },
  };
}
