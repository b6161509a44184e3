// Internal: for packages of this repository, without a semver promise.
export * from './simulator-api/bot-questions.js';
export * from './simulator-api/conversation.js';
export * from './simulator-api/faults-api.js';
export * from './simulator-api/mentions.js';
export * from './simulator-api/sample-event.js';
export type * from './simulator-api/simulator-api.js';
export * from './simulator-api/trace-api.js';
