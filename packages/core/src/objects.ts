export { isObject, isRecord } from './objects/is-object.js';
