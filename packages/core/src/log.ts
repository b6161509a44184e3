export { silentLog, type Log } from './log/log.js';
