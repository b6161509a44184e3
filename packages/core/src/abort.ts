// Internal: for packages of this repository, without a semver promise.
export { linkSignals, onAbort, raceAbort, type LinkedController } from './abort/on-abort.js';
