export { closeOnSignal, runBot, surviveRejections, type RunBotOptions } from './process/run-bot.js';
export { createLog, LOG_LEVELS, type LogOptions } from './process/create-log.js';
export {
  envFileNames,
  readConnection,
  readEnv,
  type ConnectionSettings,
  type Env,
} from './process/read-env.js';
export { createRedactor, type Redact } from './process/redactor.js';
