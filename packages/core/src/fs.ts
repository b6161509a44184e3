export {
  makeStateFolder,
  STATE_FILE_MODE,
  STATE_FOLDER,
  writeStateFile,
} from './fs/state-files.js';
