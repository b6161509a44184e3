export {
  loadProject,
  type ImportModule,
  type LoadOptions,
  type LoadResult,
  type ModuleExports,
} from './load/load-project.js';
export { wireCommands, type Command, type EventListener, type Project } from './load/project.js';
export {
  scan,
  type CommandRoute,
  type EventRoute,
  type Manifest,
  type ScanConfig,
  type ScanResult,
} from './scan/scan.js';
export { listProjectFiles } from './scan/list-files.js';
export { runtimeErrors } from './errors/runtime-errors.js';
