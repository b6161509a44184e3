// Internal: for packages of this repository, without a semver promise.
export type {
  SimAudio,
  SimBot,
  SimChannel,
  SimClockState,
  SimCommand,
  SimEmoji,
  SimEvent,
  SimFrame,
  SimInteraction,
  SimInteractionState,
  SimMessage,
  SimMessagePage,
  SimOutcome,
  SimOutcomeRow,
  SimPast,
  SimPlaces,
  SimProblem,
  SimReaction,
  SimRole,
  SimServer,
  SimSnapshot,
  SimUpload,
  SimUser,
  SimVoice,
} from './simulator-api/simulator-api.js';
export type {
  SimBotAnswer,
  SimBotQuestion,
  SimCommandFile,
  SimStoredEntry,
  SimStoredPage,
  SimTask,
  SimTaskRun,
} from './simulator-api/bot-questions.js';
export type {
  SimFaultEffect,
  SimFaultPreset,
  SimFaultRule,
  SimFaultState,
  SimFaults,
} from './simulator-api/faults-api.js';
export {
  SIM_CAUSE_HEADER,
  causeOf,
  type SimTraceDetail,
  type SimTracePage,
  type SimTraceRow,
  type SimTraceSection,
} from './simulator-api/trace-api.js';
export { EVENT_NAMES, sampleEvent, type EventScene } from './simulator-api/sample-event.js';
export {
  readConversation,
  sayLine,
  type ConversationStep,
  type InvalidLine,
} from './simulator-api/conversation.js';
