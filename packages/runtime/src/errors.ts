// Internal: for packages of this repository, without a semver promise. Loads no other package than core.
export { runtimeErrors } from './errors/runtime-errors.js';
export { checkKeys } from './errors/check-keys.js';
