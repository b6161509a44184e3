// Internal: for packages of this repository, without a semver promise.
export { isObject, isPlainObject, isRecord, recordIn } from './objects/is-object.js';
