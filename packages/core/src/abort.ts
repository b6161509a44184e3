export { onAbort, raceAbort } from './abort/on-abort.js';
