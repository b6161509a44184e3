// Internal: for packages of this repository, without a semver promise.
export { inheritOwner } from './fs/inherit-owner.js';
export { createJournal, type Journal, type JournalOptions, type LeftEntry } from './fs/journal.js';
export {
  isGone,
  isOwnerRunning,
  ownerText,
  startOfProcess,
  type ProcessPort,
} from './fs/process-owner.js';
export { createStateFile, type StateFile } from './fs/state-file.js';
export {
  makeFolder,
  makeStateFolder,
  replaceFile,
  STATE_FILE_MODE,
  STATE_FOLDER,
  writeStateFile,
} from './fs/state-folder.js';
