/**
 * The table of actions, for the command line and the tools of Virgule. Internal: no semver promise.
 *
 * @module
 */
export { SIM_ACTIONS } from './control/actions.js';
export { SimFile, type SimAction } from './control/action.js';
export { fromStrings } from './server/validate.js';
