/**
 * The program `virgule-simulator`, which is `virgule simulator` too. Internal: no semver promise.
 *
 * @module
 */
export { readFaultsFile, serveSimulator, startOnFreePort } from './program/serve-simulator.js';
