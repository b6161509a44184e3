// Internal except `loadProject` and `scan`: for packages of this repository, without a semver promise.
export { loadProject, type LoadResult } from './load/load-project.js';
export type { ImportModule, ModuleExports } from './load/import-file.js';
export { aliasConflicts, commandNamed, usageOf, wireCommands } from './command/define/command.js';
export type { Project } from './load/project.js';
export type { Command } from './command/define/command.js';
export type { EventListener } from './events/event-listener.js';
export {
  configFileIn,
  isConfigFile,
  isServicesFile,
  COMMAND_FOLDERS,
  scan,
  type Manifest,
} from './scan/scan.js';
export type { CommandRoute } from './scan/named-routes.js';
export type { EventRoute } from './scan/event-routes.js';
export type { TaskRoute } from './scan/named-routes.js';
export { ANSWER_EVENTS, timingText, type Task } from './tasks/task.js';
export { tasksOf } from './command/run/approval.js';
export { TaskQueue } from './tasks/task-queue.js';
export { checkEnv, type CheckedEnv } from './config/check-env.js';
export { loadConfig } from './config/read-config.js';
export { settingsForMode } from './config/settings-for-mode.js';
export { readConfig, type ConfigResult, type ResolvedConfig } from './config/read-config.js';
export { givenServices } from './services/create-services.js';
export { composeBot } from './bot/compose-bot.js';
export { missingStorage } from './storage/missing-storage.js';
export { connectStorage, openScaled } from './operate/open-scaled.js';
export { operations } from './operate/operate.js';
export { listProjectFiles } from './scan/list-files.js';
export { formatDuration } from './text/duration.js';
export { readDuration } from './errors/read-duration.js';
export { formatRawInput } from './command/raw-input/format-raw-input.js';
export { resolveMessageCommands } from './command/message-commands.js';
export { lineOfCall } from './command/raw-input/line-of-call.js';
export { secretsOf } from './config/secrets-of.js';
export { createLineLog } from './process/line-log.js';
export { optimizeWasmLate } from './process/v8-flags.js';
export {
  envFileNames,
  envFilesRead,
  readConnection,
  readEnv,
  type ConnectionSettings,
  type Env,
} from './process/read-env.js';
export { AUTO_DEFER_MS } from './command/define/command.js';
export { DEFAULT_TEXTS } from './command/texts.js';
export { DEVELOPMENT_FILE } from './storage/sqlite-storage.js';

// Parts for packages that run a bot in another way: several processes, voice, development, tests.
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
