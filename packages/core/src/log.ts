export { isKept, silentLog, type Log, type LogLevel } from './log/log.js';
