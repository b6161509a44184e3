export { isKept, silentLog, warningLog, type Log, type LogLevel } from './log/log.js';
