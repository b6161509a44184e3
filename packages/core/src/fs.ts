export { createStateFile, type StateFile, type StateFileOptions } from './fs/state-file.js';
export {
  makeStateFolder,
  STATE_FILE_MODE,
  STATE_FOLDER,
  writeStateFile,
} from './fs/state-folder.js';
