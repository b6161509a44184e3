// Internal: for packages of this repository, without a semver promise.
export { isObject, isPlainObject, isRecord, recordIn } from './objects/is-object.js';
export { orUndefined } from './objects/or-undefined.js';
