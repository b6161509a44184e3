export type {
  SimBot,
  SimChannel,
  SimEvent,
  SimInteraction,
  SimInteractionState,
  SimMessage,
  SimMessagePage,
  SimProblem,
  SimServer,
  SimSnapshot,
  SimUser,
  SimVoice,
} from './simulator-api/simulator-api.js';
