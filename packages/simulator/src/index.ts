export { startSimulator } from './simulator/start-simulator.js';
export type {
  BotQuestionHandler,
  MemoryRequest,
  ReactInput,
  RunCommandInput,
  SendMessageInput,
  Simulator,
  SimulatorCounts,
  UploadInput,
  UserFile,
} from './simulator/simulator.js';
export type { SimulatorOptions } from './simulator/simulator-options.js';
export type { SnapshotStore } from './simulator/snapshots.js';
export type { NewBot } from './world/bots.js';
export { simulatorErrors } from './simulator/simulator-errors.js';
export type { MemorySocketConstructor } from './gateway/memory-socket.js';
export type { MediaReceiver, MediaSession, ReceivedAudio } from './media/media-receiver.js';
export type { Answer } from './server/exchange.js';
