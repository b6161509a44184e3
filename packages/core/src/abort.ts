export { linkSignals, onAbort, raceAbort, type LinkedController } from './abort/on-abort.js';
