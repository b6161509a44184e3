export { createRest, type Rest } from './rest/create-rest.js';
export type { CallOptions, RestOptions } from './rest/rest-options.js';
export type { AttachmentCalls } from './rest/attachments.js';
export type { ChannelCalls } from './rest/channels.js';
export type { CommandCalls } from './rest/commands.js';
export type { InteractionCalls } from './rest/interactions.js';
export type { MessageCalls } from './rest/messages.js';
export type { Emoji, ReactionCalls } from './rest/reactions.js';
export type { ServerCalls } from './rest/servers.js';
export type { UserCalls } from './rest/users.js';
export type { VoiceCalls } from './rest/voice.js';
export type { UploadFile } from './upload/uploader.js';
export type {
  HttpController,
  HttpDispatcher,
  HttpHandler,
  HttpHeaders,
  HttpRequest,
} from './http/http-dispatcher.js';
export { clientErrors } from './errors/client-errors.js';
export {
  isAborted,
  isApiRefused,
  isBadAddress,
  isBadResponse,
  isOutcomeUnknown,
  isRateLimited,
  isShuttingDown,
  isTimeout,
  isUnauthorized,
  isUnreachable,
  type ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
} from './errors/error-guards.js';
export type {
  AddressName,
  ApiRefusedDetails,
  BadAddressDetails,
  BadResponseDetails,
  CallFacts,
  CallPhase,
  InterruptedDetails,
  OutcomeUnknownDetails,
  RateLimitedDetails,
  UnauthorizedDetails,
  UnreachableDetails,
} from './errors/error-details.js';
