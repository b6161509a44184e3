// Internal: for packages of this repository, without a semver promise.
export * from './protocol/assumed.js';
export * from './protocol/commands.js';
export * from './protocol/endpoints.js';
export * from './protocol/error-body.js';
export * from './protocol/gateway.js';
export * from './protocol/identity.js';
export * from './protocol/interactions.js';
export * from './protocol/limits.js';
export * from './protocol/messages.js';
export * from './protocol/paths.js';
export * from './protocol/profile.js';
export * from './protocol/profiles.js';
export * from './protocol/reactions.js';
export * from './protocol/read-leniently.js';
export * from './protocol/uploads.js';
export * from './protocol/values.js';
export * from './protocol/voice.js';
