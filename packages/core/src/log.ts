// Internal: for packages of this repository, without a semver promise.
export { isKept, silentLog, warningLog, type Log, type LogLevel } from './log/log.js';
export { createOutage } from './log/outage.js';
export { bareAddress } from './log/bare-address.js';
export { onUncaught, redactUncaught, type UncaughtPort } from './log/redact-uncaught.js';
export { CENSOR, createRedactor, type Redactor } from './log/redactor.js';
