// Internal: for packages of this repository, without a semver promise.
export { definedIn } from './objects/defined-in.js';
export { describeSeen } from './objects/describe-seen.js';
export { isObject, isPlainObject, isRecord, recordIn } from './objects/is-object.js';
export { orUndefined } from './objects/or-undefined.js';
export { parseJson } from './objects/parse-json.js';
export { stringsIn } from './objects/strings-in.js';
