// Re-exports other packages, because developers install this package only.
export {
  isApiRefused,
  isAttachmentRefused,
  isForbidden,
  isNotFound,
  isOutcomeUnknown,
  isRateLimited,
  isTimeout,
  isUnreachable,
  type CallOptions,
  type ClientError,
  type Emoji,
  type FileInput,
  type Rest,
} from '@virgule/client/rest';
export { isVirguleError, type VirguleError } from '@virgule/core/errors';
export type {
  ApplicationCommandEvent,
  Channel,
  Intent,
  Message,
  MessageEvent,
  MessageDeleteEvent,
  ProfileSettings,
  ReactionEvent,
  Ready,
  Server,
  VoiceState,
  VoiceStateEvent,
} from '@virgule/core/protocol';
export * from '@virgule/runtime';
export type { Hot } from './hot.js';
