// Internal: for packages of this repository, without a semver promise.
export { guardOutput } from './process/guard-output.js';
export { runBot } from './process/run-bot.js';
export { allocateYoung, optimizeLate, optimizeWasmLate } from './process/v8-flags.js';
export { createMemoryCooldowns } from './command/throttle/cooldown-store.js';
export {
  createMemoryConcurrency,
  type ConcurrencyStore,
} from './command/throttle/concurrency-store.js';
export { createStoredCooldowns } from './command/throttle/stored-cooldowns.js';
export { StorageConnection } from './storage/storage-connection.js';
export { startScaled, type BotProcess } from './bot/start-scaled.js';
export { closeOnSignal, surviveRejections } from './process/end-process.js';
export { createInteractionJournal, INTERACTIONS_FOLDER } from './command/interaction-journal.js';
export { createLog } from './process/create-log.js';
