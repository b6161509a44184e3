export { startSimulator } from './simulator/start-simulator.js';
export type {
  ReactInput,
  RunCommandInput,
  SendMessageInput,
  Simulator,
  UploadInput,
  UserFile,
} from './simulator/simulator.js';
export type { SimulatorOptions } from './simulator/simulator-options.js';
export type { SnapshotStore } from './simulator/snapshots.js';
export { simulatorErrors } from './simulator/simulator-errors.js';
export type { MediaReceiver, MediaSession, ReceivedAudio } from './media/media-receiver.js';
export type { Answer } from './server/exchange.js';
