// Internal: for packages of this repository, without a semver promise.
export { contentTypeOf } from './net/content-type.js';
export { hostOf, isLoopback, isLoopbackUrl } from './net/loopback.js';
export { VERSION } from './net/version.js';
