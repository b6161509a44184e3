export { createRest, type Rest } from './rest/create-rest.js';
export * from './options/shared-exports.js';
export type { RestOptions } from './rest/rest-options.js';
export { sendReconciled, type SendReconciledOptions } from './rest/send-reconciled.js';
export type { RawRequest, RequestOptions } from './rest/methods.js';
export type {
  AttachmentAccessUrl,
  Channel,
  Command,
  CommandOption,
  CreateBotMessageRequest,
  CreateUploadSessionRequest,
  CustomEmoji,
  EditMessageRequest,
  Fields,
  FieldsOf,
  HttpMethod,
  InteractionResponseRequest,
  MessageAttachmentDraft,
  MessageContext,
  MessageContextQuery,
  MessagePageQuery,
  MessageReactionDetails,
  MessageReactionUpdate,
  ReactionQuery,
  ReactionUsersGroup,
  Server,
  SyncCommandItem,
  UploadSession,
  VoiceIngress,
  VoiceJoin,
  VoiceState,
} from '@virgule/core/protocol';
export type { LimitedBucket } from './request/bucket.js';
export type { CallOptions, CallPriority } from './request/call.js';
export type { OriginHealth } from './request/circuit-breaker.js';
export type { LimitsSnapshot } from './request/queue.js';
export type { Pause } from './request/rate-limits.js';
export type { AttachmentCalls, DownloadOptions, UploadFile } from './rest/calls.js';
export type { ChannelCalls, CommandCalls, ServerCalls, UserCalls } from './rest/calls.js';
export type { Emoji, MessageBody, MessageCalls, ReactionCalls } from './rest/calls.js';
export type { HistoryOptions } from './rest/history.js';
export type { OpenIngress } from './rest/voice.js';
export type {
  InteractionBody,
  InteractionCalls,
  InteractionFilesBody,
  SentAnswer,
} from './rest/interactions.js';
export type { VoiceCalls } from './rest/voice.js';
export type { BlobLike, FileData, FileInput, FileSource, NamedFile } from './upload/files.js';
export { readFile, type ReadFileOptions } from './upload/read-files.js';
export type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpHeaders,
  HttpRequest,
} from './request/pool.js';
export {
  isApiRefused,
  isAttachmentRefused,
  isBadResponse,
  isForbidden,
  isNotFound,
  isOutcomeUnknown,
  isOverloaded,
  isRateLimited,
  isTimeout,
  isUploadFailed,
} from './errors/error-guards.js';
export { clientErrors, type ReconcileFinding } from './errors/client-errors.js';
