/**
 * The program `virgule-simulator`, which is `virgule simulator` too. Internal: no semver promise.
 *
 * @module
 */
export { PROGRAM_FLAGS, SIMULATOR_FLAGS, type ProgramFlags } from './program/program-flags.js';
export { readFaultsFile, serveSimulator, startOnFreePort } from './program/serve-simulator.js';
