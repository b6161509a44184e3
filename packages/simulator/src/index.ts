export { startSimulator } from './simulator/start-simulator.js';
export type {
  BotQuestionHandler,
  ReactInput,
  RunCommandInput,
  SendMessageInput,
  Simulator,
  SimulatorCounts,
  SimulatorOptions,
  UploadInput,
  UserFile,
} from './simulator/simulator.js';
export { simulatorErrors } from './simulator/simulator-errors.js';
