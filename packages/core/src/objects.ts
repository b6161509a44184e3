export { isObject, isPlainObject, isRecord } from './objects/is-object.js';
