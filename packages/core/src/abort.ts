export { linkSignals, onAbort, type LinkedController } from './abort/on-abort.js';
