export { createRest, type Rest } from './rest/create-rest.js';
export type { CallOptions, RestOptions } from './rest/rest-options.js';
export { sendReconciled, type SendReconciledOptions } from './rest/send-reconciled.js';
export type { RawRequest, RequestOptions } from './rest/methods.js';
export type { ClientOptions } from './options/client-options.js';
export type { ProxyOptions } from './request/proxy.js';
export type {
  AttachmentAccessUrl,
  BotMe,
  Channel,
  Command,
  CommandOption,
  CreateBotMessageRequest,
  CreateUploadSessionRequest,
  CustomEmoji,
  EditMessageRequest,
  HttpMethod,
  InteractionResponseRequest,
  Message,
  MessageAttachment,
  MessageAttachmentDraft,
  MessageContext,
  MessageContextQuery,
  MessagePage,
  MessagePageQuery,
  MessageReactionDetails,
  MessageReactionUpdate,
  Profile,
  ProfileSettings,
  ReactionEmoji,
  ReactionQuery,
  ReactionSummary,
  ReactionUsersGroup,
  Server,
  SyncCommandItem,
  UploadSession,
  VoiceIngress,
  VoiceJoin,
  VoiceParticipant,
  VoiceState,
} from '@virgule/core/protocol';
export type { Clock, SleepOptions, Timer, TimerOptions } from '@virgule/core/clock';
export type { Log, LogLevel } from '@virgule/core/log';
export {
  isVirguleError,
  VirguleError,
  type ErrorKind,
  type SourceLocation,
  type VirguleErrorInit,
} from '@virgule/core/errors';
export type { LimitedBucket } from './request/bucket.js';
export type { CallPriority } from './request/call.js';
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
export type { BlobLike, FileData, FileInput, NamedFile } from './upload/files.js';
export type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpHeaders,
  HttpRequest,
} from './request/pool.js';
export {
  isAborted,
  isApiRefused,
  isAttachmentRefused,
  isBadAddress,
  isBadResponse,
  isForbidden,
  isInvalidCall,
  isNotFound,
  isOutcomeUnknown,
  isOverloaded,
  isRateLimited,
  isShuttingDown,
  isTimeout,
  isUnauthorized,
  isUnreachable,
  isUploadFailed,
  type ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from './errors/error-guards.js';
export {
  clientErrors,
  type AddressName,
  type CallFacts,
  type CallPhase,
  type ReconcileFinding,
} from './errors/client-errors.js';
