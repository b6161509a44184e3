// Internal: for packages of this repository, without a semver promise.
export { hostOf, isLoopback, isLoopbackUrl } from './net/loopback.js';
export { VERSION } from './net/version.js';
