// Internal: for packages of this repository, without a semver promise.
export { isObject, isPlainObject, isRecord } from './objects/is-object.js';
