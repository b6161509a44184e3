/**
 * The program `virgule simulator`. Internal: no semver promise.
 *
 * @module
 */
export { readFaultsFile, serveSimulator, startOnFreePort } from './program/serve-simulator.js';
