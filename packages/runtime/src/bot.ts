// Internal: for packages of this repository that run a bot in another way, without a semver promise: several processes, voice,
// development, tests.
export { createStorage } from './storage/storage.js';
export { StorageConnection } from './storage/storage-connection.js';
export type {
  DeadEvent,
  Role,
  ScaledGateway,
  Scale,
  ScaleContext,
  ScaledGatewayOptions,
  ScaledProcess,
} from './scale/scale.js';
export type { ObservedWait } from './command/waits/waits.js';
export type { BotEvent, BotListener, GatewayPort } from './command/gateway-port.js';
export type { VoiceSetting } from './voice/voice-setting.js';
export { createBot } from './bot/running-bot.js';
export type { BotOptions } from './bot/create-environment.js';
export type { Trace } from './command/observer.js';
export { readRecord, type FailedRecord, type Frame } from './observe/record.js';
export { WatchedPromise } from './command/context/watched-promise.js';
export { observedRest } from './observe/observed-rest.js';
export { IDS, isShapeOf } from './observe/shape.js';
export { tasksOf } from './command/run/approval.js';
export { TaskQueue } from './tasks/task-queue.js';
export { givenServices } from './services/create-services.js';
export { composeBot } from './bot/compose-bot.js';
export { connectStorage, openScaled } from './operate/open-scaled.js';
export { operations } from './operate/operate.js';
export { resolveMessageCommands } from './command/message-commands.js';
