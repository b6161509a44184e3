// Internal: for packages of this repository, without a semver promise.
export { secretsOf } from './config/secrets-of.js';
export { allocateYoung } from './process/allocate-young.js';
export { AUTO_DEFER_MS } from './command/define/command.js';
export { DEFAULT_TEXTS } from './command/texts.js';
export { createMemoryCooldowns } from './command/throttle/cooldown-store.js';
export {
  createMemoryConcurrency,
  type ConcurrencySlot,
  type ConcurrencyStore,
} from './command/throttle/concurrency-store.js';
export { createStoredCooldowns } from './command/throttle/stored-cooldowns.js';
export { StorageConnection } from './storage/storage.js';
export { startScaled, type BotProcess, type StartScaledOptions } from './bot/start-scaled.js';
export { closeOnSignal, EXIT_UNUSABLE, surviveRejections } from './process/end-process.js';
export { createInteractionJournal, INTERACTIONS_FOLDER } from './command/interaction-journal.js';
export { createLog, type LogOptions } from './process/create-log.js';
export { DEVELOPMENT_FILE } from './storage/sqlite-storage.js';
export {
  envFileNames,
  envFilesRead,
  readConnection,
  readEnv,
  type ConnectionSettings,
  type Env,
} from './process/read-env.js';
