import type { SimAction } from './action.js';
import { PLACE_ACTIONS } from './place-actions.js';
import { READING_ACTIONS } from './reading-actions.js';
import { USER_ACTIONS } from './user-actions.js';
import { WORLD_ACTIONS } from './world-actions.js';

/** The whole control API, in the order of its documentation. */
export const SIM_ACTIONS: readonly SimAction[] = [
  ...USER_ACTIONS,
  ...WORLD_ACTIONS,
  ...PLACE_ACTIONS,
  ...READING_ACTIONS,
];
