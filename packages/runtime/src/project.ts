// Internal except `loadProject` and `scan`: for packages of this repository, without a semver promise.
export { loadProject, type LoadResult } from './load/load-project.js';
export type { ImportModule } from './load/import-file.js';
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
export type { CommandRoute, TaskRoute } from './scan/named-routes.js';
export type { EventRoute } from './scan/event-routes.js';
export { ANSWER_EVENTS, namesOfFiles, timingText, type Task } from './tasks/task.js';
export { checkEnv, type CheckedEnv } from './config/check-env.js';
export { settingsForMode } from './config/settings-for-mode.js';
export {
  loadConfig,
  readConfig,
  type ConfigResult,
  type ResolvedConfig,
} from './config/read-config.js';
export { missingStorage } from './storage/missing-storage.js';
export { listProjectFiles } from './scan/list-files.js';
export { formatDuration } from './text/duration.js';
export { readDuration } from './errors/read-duration.js';
export { formatRawInput } from './command/raw-input/format-raw-input.js';
export { lineOfCall } from './command/raw-input/line-of-call.js';
export { secretsOf } from './config/secrets-of.js';
export { createLineLog } from './process/line-log.js';
export { optimizeLate, optimizeWasmLate } from './process/v8-flags.js';
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
